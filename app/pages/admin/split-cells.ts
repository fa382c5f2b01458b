import type { ClipboardEvent } from "react";
import { counted } from "../../components/format.ts";

/** The cells that are pasted, from a spreadsheet; null for a single one, which the field takes itself. */
export function readPastedCells({ clipboardData }: ClipboardEvent): string[][] | null {
  // Excel on a Mac ends lines with CR alone
  const text = clipboardData.getData("text/plain").replace(/(?:\r\n?|\n)$/, "");
  return /[\t\r\n]/.test(text) ? splitCells(text, "\t") : null;
}

/** Says what of a paste does not fit; undefined if all does. Blank cells are not counted: nothing of them is lost. */
export function noRoomFor(pasted: string[][], maxRows: number, maxColumns: number): string | undefined {
  const filled = (cells: string[]) => cells.filter((cell) => cell.trim() !== "").length;
  const rows = pasted.slice(maxRows).filter(filled).length;
  const cells = pasted.slice(0, maxRows).reduce((sum, row) => sum + filled(row.slice(maxColumns)), 0);
  const parts = [
    rows > 0 && `${counted(rows, "row")} below the last row`,
    cells > 0 && `${counted(cells, "cell")} to the right of the last column`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `There is no room for ${parts.join(" and ")}. The rest was pasted.`;
}

/**
 * The rows and cells of a copied part of a spreadsheet, or of a CSV file. A quoted cell may contain delimiters and line
 * breaks, and its quotes are doubled; other cells may have quotes, as in 6".
 */
export function splitCells(text: string, delimiter: string): string[][] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n?|\\n|$)`, "g");
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") break;
    if (end !== delimiter) rows.push([]);
  }
  return rows;
}
