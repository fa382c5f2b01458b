import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { importRefusals } from "../texts/import-refusals.ts";

export class UnreadableFile extends Error {}

type Bytes = AsyncIterable<Buffer>;

export interface CsvRecord {
  /** as in a spreadsheet: from 1, including empty rows */
  row: number;
  cells: string[];
}

const MAX_RECORD_BYTES = 1024 * 1024;

const SEPARATOR_ROW = /^"?sep=([,;\t])"?$/i;

/** Opens the file three times. A last row without a line break that is shorter than the first was cut off. */
export async function* readRecords(open: () => Bytes): AsyncGenerator<CsvRecord> {
  const encoding = await detectEncoding(open());
  const delimiter = await detectDelimiter(decode(open(), encoding));
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    // a line that was put in front of a file may end otherwise than the rest
    record_delimiter: ["\r\n", "\n", "\r"],
    // as in Excel: a cell that does not begin with a quote may contain some
    relax_quotes: true,
  });
  let endsWithLine = false;
  const feeding = pipeline(
    decode(open(), encoding),
    async function* (text) {
      for await (const part of text) {
        if (part !== "") endsWithLine = /[\r\n]$/.test(part);
        yield part;
      }
    },
    parser,
  );
  // the same error ends the loop below
  feeding.catch(() => undefined);
  let row = 0;
  let [heading, width] = [0, 0];
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      // Excel writes the delimiter into a row of its own
      if (row === 1 && SEPARATOR_ROW.test(cells.join(delimiter))) continue;
      // spreadsheets write an empty row as one of empty cells
      const isEmpty = cells.every((cell) => cell.trim() === "");
      width = isEmpty ? heading : cells.length;
      heading ||= width;
      if (!isEmpty) yield { row, cells };
    }
    if (!endsWithLine && width < heading)
      throw new UnreadableFile(importRefusals.cutRow(row, width, heading));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(problemOf(error, row + 1));
  } finally {
    parser.destroy();
    await feeding.catch(() => undefined);
  }
}

function problemOf({ code }: CsvError, row: number): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return importRefusals.openQuote(row);
  if (code === "CSV_MAX_RECORD_SIZE") return importRefusals.rowTooLong(row);
  return importRefusals.badQuote(row);
}

type Encoding = "utf-8" | "utf-16le" | "windows-1252";

/**
 * Windows-1252 is assumed for bytes above 127 without any UTF-8 sequence; a file with both is damaged, as is one with
 * half a surrogate pair. The decoder would replace these. The database cannot store a null character.
 */
async function detectEncoding(bytes: Bytes): Promise<Encoding> {
  let position = 0;
  let isUtf16 = false;
  let previous = -1;
  let isAfterHighSurrogate = false;
  let sequences = 0;
  let expected = 0;
  // of the next byte of a sequence
  let least = 0x80;
  let most = 0xbf;
  let sequenceStart = 0;
  let firstInvalid = -1;
  for await (const part of bytes) {
    if (position === 0) {
      isUtf16 = part[0] === 0xff && part[1] === 0xfe;
      if (part[0] === 0x50 && part[1] === 0x4b && part[2] === 3)
        throw new UnreadableFile(importRefusals.workbook);
      if (part[0] === 0xd0 && part[1] === 0xcf) throw new UnreadableFile(importRefusals.workbook);
    }
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index] as number;
      if (isUtf16) {
        if ((position + index) % 2 === 1) {
          if (byte === 0 && previous === 0)
            throw new UnreadableFile(importRefusals.notText(position + index));
          if ((byte >> 2 === 0b110111) !== isAfterHighSurrogate)
            throw new UnreadableFile(
              importRefusals.halfCharacter(position + index - (isAfterHighSurrogate ? 2 : 0)),
            );
          isAfterHighSurrogate = byte >> 2 === 0b110110;
        }
        previous = byte;
        continue;
      }
      if (byte === 0) throw new UnreadableFile(importRefusals.notText(position + index + 1));
      if (byte < 0x80 && expected === 0) continue;
      if (expected > 0 && byte >> 6 === 0b10) {
        if ((byte < least || byte > most) && firstInvalid < 0) firstInvalid = sequenceStart;
        expected -= 1;
        [least, most] = [0x80, 0xbf];
        if (expected === 0) sequences += 1;
        continue;
      }
      if (expected > 0 && firstInvalid < 0) firstInvalid = sequenceStart;
      expected =
        byte < 0x80
          ? 0
          : byte >= 0xc2 && byte < 0xe0
            ? 1
            : byte >> 4 === 0xe
              ? 2
              : byte >= 0xf0 && byte < 0xf5
                ? 3
                : 0;
      // neither a longer form of a character than necessary, nor half a surrogate pair, nor beyond Unicode
      least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
      most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
      sequenceStart = position + index;
      if (byte >= 0x80 && expected === 0 && firstInvalid < 0) firstInvalid = position + index;
    }
    position += part.length;
  }
  if (position === 0) throw new UnreadableFile(importRefusals.empty);
  if (isUtf16) {
    if (isAfterHighSurrogate || position % 2 === 1)
      throw new UnreadableFile(importRefusals.cutCharacter(position - ((position + 1) % 2)));
    return "utf-16le";
  }
  if (firstInvalid >= 0) {
    if (sequences > 0) throw new UnreadableFile(importRefusals.badEncoding(firstInvalid + 1));
    return "windows-1252";
  }
  if (expected === 0) return "utf-8";
  if (sequences > 0) throw new UnreadableFile(importRefusals.cutCharacter(sequenceStart + 1));
  return "windows-1252";
}

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  // parts that are parsed within a few milliseconds, so that requests are served meanwhile
  for await (const part of bytes)
    for (let from = 0; from < part.length; from += 65_536)
      yield decoder.decode(part.subarray(from, from + 65_536), { stream: true });
  yield decoder.decode();
}

/** Tab, semicolon or comma: the one that Excel names, or the most frequent one in the heading, outside of quotes. */
async function detectDelimiter(text: AsyncIterable<string>): Promise<string> {
  let heading = "";
  const counts = { ",": 0, ";": 0, "\t": 0 };
  let quoted = false;
  // also after a closing quote, since two of them are one of the text
  let canOpen = true;
  let hasText = false;
  outer: for await (const part of text) {
    for (const character of part) {
      const isQuote: boolean = character === '"' && (quoted || canOpen);
      if (isQuote) quoted = !quoted;
      else if (!quoted && hasText && (character === "\n" || character === "\r")) break outer;
      else if (!quoted && character in counts) counts[character as ","] += 1;
      canOpen = isQuote || character in counts || character === "\n" || character === "\r";
      if (character.trim() !== "") hasText = true;
      if (heading.length < 8) heading += character;
    }
  }
  const named = SEPARATOR_ROW.exec(heading.replace("\uFEFF", "").split(/[\r\n]/)[0] as string)?.[1];
  if (named) return named;
  const [[delimiter]] = Object.entries(counts).sort((a, b) => b[1] - a[1]) as [[string, number]];
  return delimiter;
}
