import type { ClipboardEvent } from "react";

/** The cells that are pasted, from a spreadsheet; null for a single one, which the field takes itself. */
export function readPastedCells({ clipboardData }: ClipboardEvent): string[][] | null {
  // Excel on a Mac ends lines with CR alone
  const text = clipboardData.getData("text/plain").replace(/(?:\r\n?|\n)$/, "");
  return /[\t\r\n]/.test(text) ? splitCells(text, "\t") : null;
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
