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
