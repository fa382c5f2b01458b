import type { Canvas, Element } from "./canvas.ts";
import {
  DETAIL_LEADING,
  type Layout,
  type LayoutColumn,
  type LayoutRow,
  ROW_LEADING,
  ROW_PADDING,
  TABLE_HEAD_HEIGHT,
} from "./layout.ts";
import { colors, MM, styleOf, styles } from "./paper.ts";

interface TablePart {
  rows: LayoutRow[];
  y: number;
  table: Element;
  /** The headings are repeated on each page and tagged on the first. */
  isFirst: boolean;
}

export function drawTable(canvas: Canvas, layout: Layout, { rows, y, table, isFirst }: TablePart): number {
  drawHeadings(canvas, layout, y, isFirst ? table : undefined);
  const body = canvas.openElement("TBody", table);
  let at = y + TABLE_HEAD_HEIGHT - 3;
  for (const row of rows) {
    drawRow(canvas, layout, row, at, body);
    at += row.height;
  }
  body.end();
  return at;
}

function drawHeadings(canvas: Canvas, { page, width, columns }: Layout, y: number, table?: Element): void {
  canvas.artifact(() => {
    canvas.rule(page.x, y, width, 1.5);
    canvas.rule(page.x, y + TABLE_HEAD_HEIGHT - 3, width);
  });
  const draw = ({ label, x, span, align }: LayoutColumn) =>
    canvas.text(label, styles.label, {
      x,
      y: y + 5,
      width: span,
      leading: 10,
      color: colors.tertiary,
      alignRight: align === "right" ? span : undefined,
    });
  if (!table) return canvas.artifact(() => columns.forEach(draw));
  const head = canvas.openElement("THead", table);
  const row = canvas.openElement("TR", head);
  for (const column of columns) canvas.tagged("TH", () => draw(column), row);
  row.end();
  head.end();
}

function drawRow(canvas: Canvas, { page, width, columns }: Layout, row: LayoutRow, y: number, body: Element) {
  const element = canvas.openElement("TR", body);
  const top = y + ROW_PADDING;
  columns.forEach((column, index) => {
    const { x, span } = column;
    const lines = row.cells[index] ?? [];
    const alignRight = column.align === "right" ? span : undefined;
    const draw = () => {
      if (column.style === "rule") canvas.rule(x + span - 16 * MM, top + 11, 16 * MM);
      canvas.lines(lines, styleOf(column), { x, y: top, leading: ROW_LEADING, alignRight });
      if (column.width === undefined) {
        const below = top + lines.length * ROW_LEADING;
        const color = colors.tertiary;
        canvas.lines(row.detail, styles.small, { x, y: below, leading: DETAIL_LEADING, color });
      }
    };
    canvas.tagged("TD", draw, element);
  });
  element.end();
  canvas.artifact(() => canvas.rule(page.x, y + row.height, width, 0.5, colors.line));
}
