import type { Paper, SheetColumn } from "../../shop/documents/sheet.ts";
import { breakText, type TextStyle } from "./text.ts";

export const MM = 72 / 25.4;

export const colors = {
  ink: "#141C24",
  secondary: "#3F4D5A",
  tertiary: "#566471",
  line: "#D0D9DF",
  accent: "#FF5A1F",
};

export interface Page {
  width: number;
  height: number;
  x: number;
  top: number;
  bottom: number;
}

export const papers: Record<Paper, Page> = {
  a4: { width: 210 * MM, height: 297 * MM, x: 15 * MM, top: 14 * MM, bottom: 12 * MM },
  letter: { width: 612, height: 792, x: 0.6 * 72, top: 36, bottom: 0.45 * 72 },
};

export const styles = {
  label: { size: 7.5, weight: 400 },
  small: { size: 8, weight: 400 },
  smallBold: { size: 8, weight: 600 },
  cell: { size: 9, weight: 400 },
  name: { size: 9, weight: 600 },
  body: { size: 9.5, weight: 400 },
  bodyBold: { size: 9.5, weight: 600 },
  fact: { size: 10.5, weight: 600 },
  strong: { size: 11, weight: 600 },
  title: { size: 17, weight: 600 },
} satisfies Record<string, TextStyle>;

export function styleOf(column: SheetColumn): TextStyle {
  if (column.style === "strong") return styles.strong;
  return column.width === undefined ? styles.name : styles.cell;
}

/** The style in the size that fits the text in one line, not below `smallest`. */
export function fitStyle(text: string, style: TextStyle, width: number, smallest: number): TextStyle {
  const [line] = breakText(text.replace(/\n/g, " "), style, Number.POSITIVE_INFINITY, 1);
  const scale = line && line.width > width ? width / line.width : 1;
  return { ...style, size: Math.max(smallest, Math.floor(style.size * scale * 10) / 10) };
}
