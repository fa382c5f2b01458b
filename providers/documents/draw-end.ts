import type { Sheet } from "../../shop/documents/sheet.ts";
import type { Canvas } from "./canvas.ts";
import { FOOTER_LEADING, type Layout } from "./layout.ts";
import { colors, fitStyle, MM, styles } from "./paper.ts";

const SUM_HEIGHT = 20;

export function drawSums(
  canvas: Canvas,
  { sums, total }: Sheet,
  { page, width: tableWidth }: Layout,
  y: number,
) {
  const width = 78 * MM;
  const left = page.x + tableWidth - width;
  let at = y;
  for (const { label, value } of sums) {
    canvas.tagged("P", () => {
      const cell = { y: at + 3, width: width / 2, leading: 13 };
      canvas.text(label, styles.body, { ...cell, x: left });
      canvas.text(value, styles.body, { ...cell, x: left + width / 2, alignRight: width / 2 });
    });
    at += SUM_HEIGHT;
    canvas.artifact(() => canvas.rule(left, at, width, 0.5, colors.line));
  }
  canvas.artifact(() => canvas.rule(left, at, width, 1.5));
  canvas.tagged("P", () => {
    const labelWidth = width * 0.38;
    const valueWidth = width * 0.62;
    const style = fitStyle(total.value, styles.title, valueWidth, 10);
    canvas.text(total.label, styles.bodyBold, { x: left, y: at + 12, width: labelWidth, leading: 13 });
    canvas.text(total.value, style, {
      x: left + labelWidth,
      y: at + 6,
      width: valueWidth,
      leading: 20,
      alignRight: valueWidth,
    });
  });
}

export function drawFooter(
  canvas: Canvas,
  { page, width: tableWidth, footer, footerHeight, bottom }: Layout,
): void {
  const y = bottom - footerHeight;
  const width = tableWidth / 3;
  canvas.artifact(() => {
    canvas.frame(page.x, y, tableWidth, footerHeight, colors.line);
    for (const column of [1, 2]) canvas.verticalRule(page.x + column * width, y, footerHeight, colors.line);
  });
  footer.forEach(({ label, lines, rule }, index) => {
    const x = page.x + index * width + 3 * MM;
    const position = { x, leading: FOOTER_LEADING, color: colors.secondary };
    canvas.tagged("P", () => {
      canvas.text(label, styles.smallBold, { ...position, y: y + 2 * MM, width: width - 6 * MM });
      canvas.lines(lines, styles.small, { ...position, y: y + 2 * MM + FOOTER_LEADING });
      if (rule) canvas.rule(x, y + footerHeight - 3 * MM, 40 * MM);
    });
  });
}

export function drawPageNumber(canvas: Canvas, { number }: Sheet, layout: Layout, pageNumber: number): void {
  const { page, width, pages } = layout;
  const half = { y: page.height - page.bottom - 10, width: width / 2, leading: 10, color: colors.tertiary };
  canvas.artifact(() => {
    canvas.text(number, styles.label, { ...half, x: page.x });
    canvas.text(`Page ${pageNumber} of ${pages.length}`, styles.label, {
      ...half,
      x: page.x + width / 2,
      alignRight: width / 2,
    });
  });
}
