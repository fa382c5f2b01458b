import type { Sheet } from "../../shop/documents/sheet.ts";
import type { Canvas } from "./canvas.ts";
import { code128 } from "./code-128.ts";
import { FACT_HEIGHT, type Layout, type LayoutBlock, SENDER_LEADING } from "./layout.ts";
import { LETTERS, SLOTS } from "./logo.ts";
import { colors, fitStyle, MM, styles } from "./paper.ts";
import { breakText } from "./text.ts";

const LOGO_HEIGHT = 9.5 * MM;
const BAR_HEIGHT = 30;

export function drawHead(canvas: Canvas, sheet: Sheet, layout: Layout): void {
  const { page, width, sender, senderHeight, blocks } = layout;
  const { x, top } = page;
  drawLogo(canvas, x, top);
  canvas.tagged("P", () =>
    canvas.lines(sender, styles.small, {
      x: x + width / 2,
      y: top,
      leading: SENDER_LEADING,
      color: colors.secondary,
      alignRight: width / 2,
    }),
  );
  drawTitleBlock(canvas, sheet, layout, top + senderHeight);
  const blocksTop = top + senderHeight + 2 * FACT_HEIGHT + 5 * MM;
  blocks.forEach((block, index) => {
    const left = x + (index * (width + 6 * MM)) / 3;
    drawBlock(canvas, block, { x: left, y: blocksTop, width: (width - 12 * MM) / 3 });
  });
}

function drawLogo(canvas: Canvas, x: number, y: number): void {
  const { doc } = canvas;
  canvas.figure("Stator", () => {
    doc
      .save()
      .translate(x, y)
      .scale(LOGO_HEIGHT / 48);
    doc.path(LETTERS).fill(colors.ink);
    doc.circle(159.56, 24, 14.2).lineWidth(4.4).stroke(colors.ink);
    doc.path(SLOTS).lineWidth(4.2).stroke(colors.ink);
    doc.circle(159.56, 24, 4.2).fill(colors.accent);
    doc.restore();
  });
}

function drawTitleBlock(canvas: Canvas, sheet: Sheet, { page, width }: Layout, y: number): void {
  const { x } = page;
  const titleWidth = (width * 1.6) / 5.6;
  const factWidth = width / 5.6;
  canvas.artifact(() => {
    canvas.frame(x, y, width, 2 * FACT_HEIGHT);
    for (let column = 0; column < 4; column += 1)
      canvas.verticalRule(x + titleWidth + column * factWidth, y, 2 * FACT_HEIGHT);
    canvas.rule(x + titleWidth, y + FACT_HEIGHT, width - titleWidth);
  });
  const left = x + 3 * MM;
  const top = y + 2.5 * MM;
  const textWidth = titleWidth - 6 * MM;
  const heading = fitStyle(sheet.title, styles.title, textWidth, 11);
  canvas.tagged("H1", () =>
    canvas.text(sheet.title, heading, { x: left, y: top, width: textWidth, leading: 19 }),
  );
  canvas.tagged("P", () =>
    canvas.text(sheet.note, styles.small, {
      x: left,
      y: top + 22,
      width: textWidth,
      maxLines: 3,
      leading: 10.5,
      color: colors.secondary,
    }),
  );
  sheet.facts.slice(0, 8).forEach((fact, index) => {
    drawFact(canvas, fact, {
      x: x + titleWidth + (index % 4) * factWidth + 2.5 * MM,
      y: y + Math.floor(index / 4) * FACT_HEIGHT + 1.8 * MM,
      width: factWidth - 4 * MM,
    });
  });
}

interface Area {
  x: number;
  y: number;
  width: number;
}

/** A value of up to two lines; in three smaller ones if it is as long as the tracking numbers of some carriers. */
function drawFact(canvas: Canvas, { label, value }: Sheet["facts"][number], area: Area): void {
  const style = fitStyle(value, styles.fact, area.width, 7.5);
  const isLong = breakText(value, style, area.width, 3).length > 2;
  canvas.tagged("P", () => {
    canvas.text(label, styles.label, { ...area, leading: 10, color: colors.tertiary });
    const position = { ...area, y: area.y + 10 };
    if (isLong) canvas.text(value, { ...style, size: 5.5 }, { ...position, maxLines: 3, leading: 6.5 });
    else canvas.text(value, style, { ...position, maxLines: 2, leading: 9 });
  });
}

function drawBlock(canvas: Canvas, { label, lines, boldLines, barCode }: LayoutBlock, area: Area): void {
  canvas.tagged("P", () => {
    canvas.text(label, styles.label, { ...area, leading: 10, color: colors.tertiary });
    let y = area.y + 11;
    if (barCode !== undefined) {
      drawBarCode(canvas.doc, barCode, { ...area, y });
      y += BAR_HEIGHT + 3;
    }
    lines.forEach((line, index) => {
      const style = index < boldLines ? styles.bodyBold : styles.body;
      canvas.lines([line], style, { x: area.x, y: y + index * 13, leading: 13 });
    });
  });
}

/** Modules of 0.45 mm, or narrower where the text is long; the quiet zone is the space around. */
function drawBarCode(doc: PDFKit.PDFDocument, text: string, { x, y, width }: Area): void {
  const bars = code128(text);
  const modules = bars.reduce((sum, bar) => sum + bar, 0);
  const module = Math.min(0.45 * MM, width / modules);
  let at = x;
  bars.forEach((bar, index) => {
    if (index % 2 === 0) doc.rect(at, y, bar * module, BAR_HEIGHT).fill("#000000");
    at += bar * module;
  });
}
