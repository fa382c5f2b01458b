import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { streamCsv } from "../../shop/csv.ts";
import { readPrice } from "../../shop/import/columns.ts";

const columns = { first: ([first]: string[]) => first, second: ([, second]: string[]) => second };

/** As spreadsheets read a file: each line break outside of quotes ends a row. */
async function readBack(rows: string[][]): Promise<string[][]> {
  async function* batches() {
    yield rows;
  }
  const file = await text(streamCsv(columns, batches()));
  return parse(file, { record_delimiter: ["\r\n", "\n", "\r"], from_line: 2 });
}

test("a written file is read back cell by cell, whatever line breaks the cells have", async () => {
  const piece = fc.constantFrom("\n", "\r", "\r\n", ",", ";", "\t", '"', "=1+1", "Saw", " ", "é", "电");
  const cell = fc.array(piece, { maxLength: 6 }).map((pieces) => `x${pieces.join("")}`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }), async (rows) => {
      expect(await readBack(rows)).toEqual(rows);
    }),
  );
});

test("a formula after a line break does not begin a row", async () => {
  expect(await readBack([["Fine.\n=HYPERLINK(A1)", "+1"]])).toEqual([["Fine.\n=HYPERLINK(A1)", "'+1"]]);
});

test.each([
  ["1 490", 149_000],
  ["1\u202f490\u202f000,5", 149_000_050],
  ["1'490.00 $", 149_000],
  ["$1,490.00", 149_000],
  ["$ 12,50", 1250],
  ["US$ 12", 1200],
  ["12 usd", 1200],
  ["USD12.50", 1250],
])("the price %s of an import is %s cents", (cell, cents) => expect(readPrice(cell, "price")).toBe(cents));

test.each(["1.299,00 €", "€ 12,50", "£12", "EUR 12", "12 eur", "C$ 12", "12CHF"])(
  "the price %s of an import is in another currency",
  (cell) =>
    expect(() => readPrice(cell, "price")).toThrow(
      `price: ${cell} is in another currency. Enter the price in US dollars.`,
    ),
);
