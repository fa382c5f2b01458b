const BYTES = 64 * 1024;
const ROWS = 4;

/**
 * The heading and the first rows of a CSV file, for the choice of its columns; empty if it cannot be read, which the
 * server then explains.
 */
export async function readFirstRows(file: Blob): Promise<string[][]> {
  const text = decode(new Uint8Array(await file.slice(0, BYTES).arrayBuffer()));
  if (text.includes("\0") || text.startsWith("PK\u0003\u0004")) return [];
  const [row = "", separator] = /^"?sep=([,;\t])"?(?:\r\n?|\n)/i.exec(text) ?? [];
  const rest = text.slice(row.length);
  return parse(rest, separator ?? delimiterOf(rest)).slice(0, ROWS);
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

function delimiterOf(text: string): string {
  const heading = text
    .trimStart()
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1)[0] as string;
  const [most] = [",", ";", "\t"]
    .map((sign) => [sign, heading.split(sign).length] as const)
    .sort((one, other) => other[1] - one[1]);
  return most?.[0] as string;
}

/** Rows with any text. A quote inside a cell that does not begin with one is a character. */
function parse(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== "")) rows.push(cells);
    [cells, cell] = [[], ""];
  };
  for (let at = 0; at < text.length && rows.length < ROWS; at += 1) {
    const sign = text[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (sign === "\n" || (sign === "\r" && text[at + 1] !== "\n")) endRow();
    else if (sign !== "\r") cell += sign;
  }
  if (rows.length < ROWS && (cell !== "" || cells.length > 0)) endRow();
  return rows;
}
