import { splitCells } from "../split-cells.ts";

const MAX_BYTES = 64 * 1024;
const MAX_ROWS = 4;

/**
 * The heading and the first rows of a CSV file, for the choice of its columns; empty if it cannot be read, which the
 * server then explains.
 */
export async function readFirstRows(file: Blob): Promise<string[][]> {
  const text = decode(new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer()));
  if (text.includes("\0") || text.startsWith("PK\u0003\u0004")) return [];
  const [row = "", separator] = /^"?sep=([,;\t])"?(?:\r\n?|\n)/i.exec(text) ?? [];
  const rest = text.slice(row.length);
  const rows = splitCells(rest, separator ?? detectDelimiter(rest));
  return rows.filter((cells) => cells.some((cell) => cell.trim() !== "")).slice(0, MAX_ROWS);
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return new TextDecoder("utf-16le").decode(bytes, { stream: true });
  try {
    // the slice may end inside a character
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function detectDelimiter(text: string): string {
  const heading = text
    .trimStart()
    .replace(/(^|[,;\t\r\n])(?:"[^"]*")+/g, "$1")
    .split(/[\r\n]/, 1)[0] as string;
  const [best] = [",", ";", "\t"]
    .map((character) => [character, heading.split(character).length] as const)
    .sort((a, b) => b[1] - a[1]);
  return best?.[0] as string;
}
