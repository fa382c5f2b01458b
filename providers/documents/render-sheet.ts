import PDFDocument from "pdfkit";
import type { Paper, Sheet } from "../../shop/documents/sheet.ts";
import { Canvas } from "./canvas.ts";
import { drawFooter, drawPageNumber, drawSums } from "./draw-end.ts";
import { drawHead } from "./draw-head.ts";
import { drawTable } from "./draw-table.ts";
import { CONTINUATION_HEIGHT, type Layout, layOut } from "./layout.ts";
import { colors, MM, papers, styles } from "./paper.ts";

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
  drawPages(new Canvas(doc), sheet, layOut(sheet, page));
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawPages(canvas: Canvas, sheet: Sheet, layout: Layout): void {
  const { page, pages } = layout;
  const table = canvas.doc.struct("Table");
  pages.forEach((rows, index) => {
    const isFirst = index === 0;
    canvas.doc.addPage();
    if (isFirst) {
      drawHead(canvas, sheet, layout);
      canvas.root.add(table);
    } else drawContinuationHead(canvas, sheet, layout);
    const y = isFirst ? layout.tableTop : page.top + CONTINUATION_HEIGHT;
    const end = drawTable(canvas, layout, { rows, y, table, isFirst });
    if (index === pages.length - 1) {
      table.end();
      drawSums(canvas, sheet, layout, end + 4 * MM);
      drawFooter(canvas, layout);
    }
    drawPageNumber(canvas, sheet, layout, index + 1);
  });
  canvas.root.end();
}

function drawContinuationHead(canvas: Canvas, { number }: Sheet, { page, width }: Layout): void {
  const position = { x: page.x, y: page.top, width, leading: 10, color: colors.tertiary };
  canvas.artifact(() => canvas.text(number, styles.label, position));
}
