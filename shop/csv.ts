import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";

type CsvCell = string | number | boolean | Date | null | undefined;

export type CsvColumns<Row> = Record<string, (row: Row) => CsvCell>;

interface CsvOptions {
  /** Without a byte order mark, Excel assumes Windows-1252. */
  bom?: boolean | undefined;
}

/** A cell that a spreadsheet would run as a formula gets a leading apostrophe; times are ISO 8601. */
export function streamCsv<Row>(
  columns: CsvColumns<Row>,
  batches: AsyncIterable<Row[]>,
  { bom = false }: CsvOptions = {},
): Readable {
  return Readable.from(writeCsv(columns, batches, bom), { objectMode: false });
}

async function* writeCsv<Row>(
  columns: CsvColumns<Row>,
  batches: AsyncIterable<Row[]>,
  bom: boolean,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  // sent with the first rows, so that an error while reading them can still become an error status
  let heading = (bom ? "\uFEFF" : "") + formatRows([Object.keys(columns)]);
  for await (const rows of batches) {
    yield heading + formatRows(rows.map((row) => cells.map((cell) => cell(row))));
    heading = "";
  }
  if (heading) yield heading;
}

function formatRows(rows: CsvCell[][]): string {
  return stringify(rows, {
    escape_formulas: true,
    record_delimiter: "windows",
    // also a line feed alone, which the library leaves unquoted for this delimiter
    quote_record_delimiter: true,
    cast: { boolean: String, date: (date) => date.toISOString() },
  });
}
