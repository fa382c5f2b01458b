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
  return parse(rest, separator ?? detectDelimiter(rest)).slice(0, MAX_ROWS);
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

/** Rows with any text. A quote is special only if its cell begins with one. */
function parse(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((value) => value.trim() !== "")) rows.push(cells);
    [cells, cell] = [[], ""];
  };
  for (let index = 0; index < text.length && rows.length < MAX_ROWS; index += 1) {
    const character = text[index] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += character;
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || (character === "\r" && text[index + 1] !== "\n")) endRow();
    else if (character !== "\r") cell += character;
  }
  if (rows.length < MAX_ROWS && (cell !== "" || cells.length > 0)) endRow();
  return rows;
}
