/** Sets a sheet as a tagged PDF: paginates it, then draws page by page. */
import PDFDocument from "pdfkit";
import type { Paper, Sheet, SheetColumn, SheetRow } from "../../shop/documents/sheet.ts";
import { code128 } from "./code-128.ts";
import { openFont } from "./fonts.ts";
import { LETTERS, SLOTS } from "./logo.ts";
import { breakText, type Line, type TextStyle } from "./text.ts";

const MM = 72 / 25.4;
const INK = "#141C24";
const INK_2 = "#3F4D5A";
const INK_3 = "#566471";
const LINE = "#D0D9DF";
const ROTOR = "#FF5A1F";

const papers = {
  a4: { width: 210 * MM, height: 297 * MM, x: 15 * MM, top: 14 * MM, bottom: 12 * MM },
  letter: { width: 612, height: 792, x: 0.6 * 72, top: 36, bottom: 0.45 * 72 },
};

const HEAD_HEIGHT = 22;
const NUMBER_HEIGHT = 16;
const ROW_PADDING = 1.9 * MM;
const ROW_LEADING = 12;
const DETAIL_LEADING = 10.5;
const FOOT_LEADING = 11;
const SENDER_LEADING = 11.5;
const PAGE_LINE = 18;
/** The minimum of rows on the page of the total. */
const ROWS_WITH_SUM = 2;
/** A longer name ends with an ellipsis. */
const MAX_ROW_LINES = 24;
const MAX_BLOCK_LINES = 12;

const label: TextStyle = { size: 7.5, weight: 400 };
const body: TextStyle = { size: 9.5, weight: 400 };
const cell: TextStyle = { size: 9, weight: 400 };
const name: TextStyle = { size: 9, weight: 600 };
const strong: TextStyle = { size: 11, weight: 600 };
const small: TextStyle = { size: 8, weight: 400 };
const title: TextStyle = { size: 17, weight: 600 };

type Element = PDFKit.PDFStructureElement;

interface SetColumn extends SheetColumn {
  x: number;
  span: number;
}

interface SetRow {
  cells: Line[][];
  detail: Line[];
  height: number;
}

export async function renderSheet(sheet: Sheet, paper: Paper): Promise<Uint8Array> {
  const page = papers[paper];
  const doc = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    tagged: true,
    lang: "en-US",
    displayTitle: true,
    info: { Title: `${sheet.title} ${sheet.number}`, Author: sheet.sender[0] ?? "", Creator: "Stator" },
  });
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => doc.on("end", resolve).on("error", reject));
  new Setter(doc, sheet, page).set();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

class Setter {
  private readonly width: number;
  private readonly columns: SetColumn[];
  private readonly rows: SetRow[];
  private readonly blocks: { label: string; lines: Line[]; barCode?: string | undefined }[];
  private readonly foot: { label: string; lines: Line[]; rule: boolean }[];
  private readonly sender: Line[];
  private readonly senderHeight: number;
  private readonly root: Element;

  private readonly doc: PDFKit.PDFDocument;
  private readonly sheet: Sheet;
  private readonly page: (typeof papers)["a4"];

  constructor(doc: PDFKit.PDFDocument, sheet: Sheet, page: (typeof papers)["a4"]) {
    this.doc = doc;
    this.sheet = sheet;
    this.page = page;
    this.width = page.width - 2 * page.x;
    this.sender = sheet.sender.flatMap((text) => breakText(text, small, this.width / 2, 2));
    this.senderHeight = Math.max(14.5 * MM, this.sender.length * SENDER_LEADING + 3 * MM);
    this.columns = this.placeColumns();
    this.rows = sheet.rows.map((row) => this.measureRow(row));
    const third = (this.width - 12 * MM) / 3;
    this.blocks = sheet.blocks.map((block) => ({
      label: block.label,
      lines: block.lines
        .flatMap((text, index) =>
          breakText(text, index === 0 ? { ...body, weight: 600 } : body, third, MAX_BLOCK_LINES),
        )
        .slice(0, MAX_BLOCK_LINES),
      barCode: block.barCode,
    }));
    this.foot = sheet.foot.map(({ label: heading, text, rule = false }) => ({
      label: heading,
      lines: text === "" ? [] : breakText(text, small, this.width / 3 - 6 * MM, 6),
      rule,
    }));
    this.root = doc.struct("Document");
    doc.addStructure(this.root);
  }

  set(): void {
    const pages = this.paginate();
    const table = this.doc.struct("Table");
    pages.forEach((rows, index) => {
      this.doc.addPage();
      const top = index === 0 ? this.drawFirstHead() : this.page.top + NUMBER_HEIGHT;
      if (index === 0) this.root.add(table);
      else
        this.artifact(() =>
          this.drawLines(
            breakText(this.sheet.number, label, this.width, 1),
            label,
            this.page.x,
            this.page.top,
            10,
            INK_3,
          ),
        );
      let y = this.drawTableHead(top, index === 0 ? table : undefined);
      const part = this.doc.struct("TBody");
      table.add(part);
      for (const row of rows) y = this.drawRow(row, y, part);
      part.end();
      if (index === pages.length - 1) {
        table.end();
        this.drawSum(y + 4 * MM);
        this.drawFoot();
      }
      this.drawPageNumber(index + 1, pages.length);
    });
    this.root.end();
  }

  /** The last page has room for total and footer. */
  private paginate(): SetRow[][] {
    const bottom = this.page.height - this.page.bottom - PAGE_LINE;
    const tail = this.sumHeight() + this.footHeight() + 8 * MM;
    const pages: SetRow[][] = [[]];
    let left = bottom - this.firstHeadHeight() - HEAD_HEIGHT;
    const nextPage = () => {
      pages.push([]);
      left = bottom - this.page.top - NUMBER_HEIGHT - HEAD_HEIGHT;
    };
    for (const row of this.rows) {
      if (row.height > left && (pages.at(-1) as SetRow[]).length > 0) nextPage();
      (pages.at(-1) as SetRow[]).push(row);
      left -= row.height;
    }
    if (tail > left) {
      const last = pages.at(-1) as SetRow[];
      const moved = last.splice(Math.max(0, last.length - ROWS_WITH_SUM));
      if (last.length === 0) pages.pop();
      pages.push(moved);
    }
    return pages.filter((rows, index) => rows.length > 0 || index === 0);
  }

  private placeColumns(): SetColumn[] {
    const gap = 3 * MM;
    const fixed = this.sheet.columns.reduce((sum, column) => sum + (column.width ?? 0) * MM, 0);
    let x = this.page.x;
    return this.sheet.columns.map((column) => {
      const span = column.width === undefined ? this.width - fixed : column.width * MM;
      const placed = { ...column, x, span: span - (column.align === "left" ? gap : 0) };
      x += span;
      return placed;
    });
  }

  private measureRow(row: SheetRow): SetRow {
    const cells = this.columns.map((column, index) =>
      breakText(row.cells[index] ?? "", styleOf(column), column.span, MAX_ROW_LINES),
    );
    const named = this.columns.find((column) => column.width === undefined) ?? this.columns[0];
    const detail = row.detail ? breakText(row.detail, small, named?.span ?? 0, 8) : [];
    const lines = Math.max(...cells.map((set) => set.length));
    const height = 2 * ROW_PADDING + lines * ROW_LEADING + detail.length * DETAIL_LEADING;
    return { cells, detail, height };
  }

  private blocksHeight(): number {
    return 10 + Math.max(36, ...this.blocks.map(({ lines }) => lines.length * 13));
  }

  private readonly factRow = 12 * MM;

  private firstHeadHeight(): number {
    return this.page.top + this.senderHeight + 2 * this.factRow + 5 * MM + this.blocksHeight() + 6 * MM;
  }

  private sumHeight(): number {
    return 4 * MM + this.sheet.sums.length * 20 + 30;
  }

  private footHeight(): number {
    return (
      4 * MM +
      Math.max(...this.foot.map(({ lines, rule }) => (lines.length + 1) * FOOT_LEADING + (rule ? 16 : 0)))
    );
  }

  /** Draws everything above the table of the first page; returns where the table begins. */
  private drawFirstHead(): number {
    const { x, top } = this.page;
    this.drawLogo(x, top);
    this.tagged("P", () => {
      this.drawLines(this.sender, small, x + this.width / 2, top, SENDER_LEADING, INK_2, this.width / 2);
    });
    this.drawTitleBlock(top + this.senderHeight);
    const blocksTop = top + this.senderHeight + 2 * this.factRow + 5 * MM;
    this.blocks.forEach((block, index) => {
      this.drawBlock(block, x + (index * (this.width + 6 * MM)) / 3, blocksTop);
    });
    return this.firstHeadHeight();
  }

  private drawLogo(x: number, y: number): void {
    const { doc } = this;
    const figure = doc.struct("Figure", { alt: "Stator" }, () => {
      doc
        .save()
        .translate(x, y)
        .scale((9.5 * MM) / 48);
      doc.path(LETTERS).fill(INK);
      doc.circle(159.56, 24, 14.2).lineWidth(4.4).stroke(INK);
      doc.path(SLOTS).lineWidth(4.2).stroke(INK);
      doc.circle(159.56, 24, 4.2).fill(ROTOR);
      doc.restore();
    });
    this.root.add(figure);
    figure.end();
  }

  private drawTitleBlock(y: number): void {
    const { doc, sheet } = this;
    const { x } = this.page;
    const titleWidth = (this.width * 1.6) / 5.6;
    const factWidth = this.width / 5.6;
    const height = 2 * this.factRow;
    this.artifact(() => {
      doc.lineWidth(0.75).rect(x, y, this.width, height).stroke(INK);
      for (let column = 0; column < 4; column += 1) {
        const at = x + titleWidth + column * factWidth;
        doc
          .moveTo(at, y)
          .lineTo(at, y + height)
          .stroke(INK);
      }
      doc
        .moveTo(x + titleWidth, y + this.factRow)
        .lineTo(x + this.width, y + this.factRow)
        .stroke(INK);
    });
    const room = titleWidth - 6 * MM;
    const heading = fitStyle(sheet.title, title, room, 11);
    this.tagged("H1", () =>
      this.drawLines(breakText(sheet.title, heading, room, 1), heading, x + 3 * MM, y + 2.5 * MM, 19, INK),
    );
    this.tagged("P", () =>
      this.drawLines(
        breakText(sheet.note, small, room, 3),
        small,
        x + 3 * MM,
        y + 2.5 * MM + 22,
        10.5,
        INK_2,
      ),
    );
    sheet.facts.slice(0, 8).forEach((fact, index) => {
      const left = x + titleWidth + (index % 4) * factWidth + 2.5 * MM;
      const top = y + Math.floor(index / 4) * this.factRow + 1.8 * MM;
      const space = factWidth - 4 * MM;
      const value = fitStyle(fact.value, { size: 10.5, weight: 600 }, space, 7.5);
      this.tagged("P", () => {
        this.drawLines(breakText(fact.label, label, space, 1), label, left, top, 10, INK_3);
        this.drawLines(breakText(fact.value, value, space, 2), value, left, top + 10, 9, INK);
      });
    });
  }

  private drawBlock(block: (typeof this.blocks)[number], x: number, y: number): void {
    const width = (this.width - 12 * MM) / 3;
    this.tagged("P", () => {
      this.drawLines(breakText(block.label, label, width, 1), label, x, y, 10, INK_3);
      let at = y + 11;
      if (block.barCode !== undefined) at = this.drawBarCode(block.barCode, x, at, width);
      block.lines.forEach((line, index) => {
        const style = index === 0 && block.barCode === undefined ? { ...body, weight: 600 as const } : body;
        this.drawLines([line], style, x, at + index * 13, 13, INK);
      });
    });
  }

  /** Modules of 0.33 mm, or narrower where the text is long; the quiet zone is the space around. */
  private drawBarCode(text: string, x: number, y: number, width: number): number {
    const bars = code128(text);
    const modules = bars.reduce((sum, one) => sum + one, 0);
    const module = Math.min(0.45 * MM, width / modules);
    let at = x;
    bars.forEach((one, index) => {
      if (index % 2 === 0) this.doc.rect(at, y, one * module, 30).fill("#000000");
      at += one * module;
    });
    return y + 33;
  }

  /** Repeated on each page and tagged once; returns where the rows begin. */
  private drawTableHead(y: number, table: Element | undefined): number {
    const { x } = this.page;
    this.artifact(() => {
      this.doc
        .lineWidth(1.5)
        .moveTo(x, y)
        .lineTo(x + this.width, y)
        .stroke(INK);
      this.doc
        .lineWidth(0.75)
        .moveTo(x, y + HEAD_HEIGHT - 3)
        .lineTo(x + this.width, y + HEAD_HEIGHT - 3)
        .stroke(INK);
    });
    const draw = (column: SetColumn) =>
      this.drawLines(
        breakText(column.label, label, column.span, 1),
        label,
        column.x,
        y + 5,
        10,
        INK_3,
        column.align === "right" ? column.span : undefined,
      );
    if (!table) {
      this.artifact(() => this.columns.forEach(draw));
      return y + HEAD_HEIGHT - 3;
    }
    const head = this.doc.struct("THead");
    table.add(head);
    const row = this.doc.struct("TR");
    head.add(row);
    for (const column of this.columns) this.add(row, "TH", () => draw(column));
    row.end();
    head.end();
    return y + HEAD_HEIGHT - 3;
  }

  private drawRow(row: SetRow, y: number, parent: Element): number {
    const element = this.doc.struct("TR");
    parent.add(element);
    this.columns.forEach((column, index) => {
      const lines = row.cells[index] as Line[];
      const style = styleOf(column);
      const room = column.align === "right" ? column.span : undefined;
      this.add(element, "TD", () => {
        if (column.style === "rule") {
          const end = column.x + column.span;
          this.doc
            .lineWidth(0.75)
            .moveTo(end - 16 * MM, y + ROW_PADDING + 11)
            .lineTo(end, y + ROW_PADDING + 11)
            .stroke(INK);
        }
        this.drawLines(lines, style, column.x, y + ROW_PADDING, ROW_LEADING, INK, room);
        if (column.width === undefined)
          this.drawLines(
            row.detail,
            small,
            column.x,
            y + ROW_PADDING + lines.length * ROW_LEADING,
            DETAIL_LEADING,
            INK_3,
          );
      });
    });
    element.end();
    const end = y + row.height;
    this.artifact(() =>
      this.doc
        .lineWidth(0.5)
        .moveTo(this.page.x, end)
        .lineTo(this.page.x + this.width, end)
        .stroke(LINE),
    );
    return end;
  }

  private drawSum(y: number): void {
    const width = 78 * MM;
    const left = this.page.x + this.width - width;
    let at = y;
    for (const { label: what, value } of this.sheet.sums) {
      this.tagged("P", () => {
        this.drawLines(breakText(what, body, width / 2, 1), body, left, at + 3, 13, INK);
        this.drawLines(
          breakText(value, body, width / 2, 1),
          body,
          left + width / 2,
          at + 3,
          13,
          INK,
          width / 2,
        );
      });
      at += 20;
      this.artifact(() =>
        this.doc
          .lineWidth(0.5)
          .moveTo(left, at)
          .lineTo(left + width, at)
          .stroke(LINE),
      );
    }
    this.artifact(() =>
      this.doc
        .lineWidth(1.5)
        .moveTo(left, at)
        .lineTo(left + width, at)
        .stroke(INK),
    );
    const { total } = this.sheet;
    this.tagged("P", () => {
      const sum = fitStyle(total.value, title, width * 0.62, 10);
      this.drawLines(
        breakText(total.label, { ...body, weight: 600 }, width * 0.38, 1),
        { ...body, weight: 600 },
        left,
        at + 12,
        13,
        INK,
      );
      this.drawLines(
        breakText(total.value, sum, width * 0.62, 1),
        sum,
        left + width * 0.38,
        at + 6,
        20,
        INK,
        width * 0.62,
      );
    });
  }

  private drawFoot(): void {
    const { x } = this.page;
    const height = this.footHeight();
    const y = this.page.height - this.page.bottom - PAGE_LINE - height;
    const width = this.width / 3;
    this.artifact(() => {
      this.doc.lineWidth(0.75).rect(x, y, this.width, height).stroke(LINE);
      for (const at of [x + width, x + 2 * width])
        this.doc
          .moveTo(at, y)
          .lineTo(at, y + height)
          .stroke(LINE);
    });
    this.foot.forEach(({ label: heading, lines, rule }, index) => {
      const left = x + index * width + 3 * MM;
      const bold = { ...small, weight: 600 as const };
      this.tagged("P", () => {
        this.drawLines(
          breakText(heading, bold, width - 6 * MM, 1),
          bold,
          left,
          y + 2 * MM,
          FOOT_LEADING,
          INK_2,
        );
        this.drawLines(lines, small, left, y + 2 * MM + FOOT_LEADING, FOOT_LEADING, INK_2);
        if (rule)
          this.doc
            .lineWidth(0.75)
            .moveTo(left, y + height - 3 * MM)
            .lineTo(left + 40 * MM, y + height - 3 * MM)
            .stroke(INK);
      });
    });
  }

  private drawPageNumber(index: number, count: number): void {
    const y = this.page.height - this.page.bottom - 10;
    const set = (text: string) => breakText(text, label, this.width / 2, 1);
    this.artifact(() => {
      this.drawLines(set(this.sheet.number), label, this.page.x, y, 10, INK_3);
      this.drawLines(
        set(`Page ${index} of ${count}`),
        label,
        this.page.x + this.width / 2,
        y,
        10,
        INK_3,
        this.width / 2,
      );
    });
  }

  /** Right-aligned in `room` if it is given. */
  private drawLines(
    lines: Line[],
    style: TextStyle,
    x: number,
    y: number,
    leading: number,
    color: string,
    room?: number,
  ): void {
    this.doc.fillColor(color);
    lines.forEach((line, index) => {
      let at = room === undefined ? x : x + room - line.width;
      const baseline = y + index * leading + style.size;
      for (const run of line.runs) {
        const font = `${run.subset}-${style.weight}`;
        this.selectFont(font, run.subset, style);
        this.doc.text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
        at += run.width;
      }
    });
  }

  private readonly registered = new Set<string>();

  private selectFont(key: string, subset: string, { size, weight }: TextStyle): void {
    if (!this.registered.has(key)) {
      this.registered.add(key);
      // pdfkit accepts an open font, which its types omit
      this.doc.registerFont(key, openFont(subset, weight) as unknown as PDFKit.Mixins.PDFFontSource);
    }
    this.doc.font(key, size);
  }

  private tagged(type: string, draw: () => void): void {
    this.add(this.root, type, draw);
  }

  private add(parent: Element, type: string, draw: () => void): void {
    const element = this.doc.struct(type, {}, draw);
    parent.add(element);
    element.end();
  }

  private artifact(draw: () => void): void {
    this.doc.markContent("Artifact");
    draw();
    this.doc.endMarkedContent();
  }
}

function styleOf(column: SheetColumn): TextStyle {
  if (column.style === "strong") return strong;
  return column.width === undefined ? name : cell;
}

/** The style in the size that fits the text in one line, not below `smallest`. */
function fitStyle(text: string, style: TextStyle, width: number, smallest: number): TextStyle {
  const [line] = breakText(text.replace(/\n/g, " "), style, Number.POSITIVE_INFINITY, 1);
  const scale = line && line.width > width ? width / line.width : 1;
  return { ...style, size: Math.max(smallest, Math.floor(style.size * scale * 10) / 10) };
}
