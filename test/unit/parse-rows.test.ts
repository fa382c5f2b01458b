import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { contract } from "../../api/contract.ts";
import { toCheckLine } from "../../app/pages/cart/cart-rows.ts";
import { writeCsv } from "../../app/pages/cart/export-csv.ts";
import { parseRows } from "../../app/pages/cart/parse-rows.ts";
import { isTable } from "../../app/pages/cart/recognize-rows.ts";
import type { CheckedRow } from "../../app/pages/cart/use-checked-rows.ts";

const read = (text: string) => parseRows(text, 5000)?.rows.map(({ text, quantity }) => [text, quantity]);

describe("pasted rows", () => {
  test.each([
    ["tab", "AG 125-14\t200\nDD 18-60\t1,200"],
    ["comma", 'AG 125-14,200\nDD 18-60,"1,200"'],
    ["a heading", "Item number\tQuantity\nAG 125-14\t200\nDD 18-60\t1 200"],
    ["a comma that also separates thousands", "AG 125-14,200\nDD 18-60,1,200"],
    ["the same below a heading", "Item number,Qty\nAG 125-14,200\nDD 18-60,1,200"],
    ["a price before the quantity", "96\tAG 125-14\t200\n128.50\tDD 18-60\t1200"],
    ["whole prices before the quantity", "Price,Tool,Qty.\n96,AG 125-14,200\n128,DD 18-60,1200"],
    ["a position", "1\tAG 125-14\t200\n2\tDD 18-60\t1200"],
    ["positions in tens", "Pos\tItem\tPieces\n10\tAG 125-14\t200\n20\tDD 18-60\t1200"],
    ["a separator within quotes", 'AG 125-14,"Grinder; 125\tmm",200\nDD 18-60,"Drill, 18 V",1200'],
    [
      "positions that are headed as item numbers",
      "Item no.,Article no.,Qty\n10,AG 125-14,200\n20,DD 18-60,1200",
    ],
    ["headings in French", "Référence;Prix;Quantité\nAG 125-14;96;200\nDD 18-60;128;1200"],
    ["another order of columns", "200\tAngle grinder\tAG 125-14\n1200\tDrill driver\tDD 18-60"],
    ["empty lines and a byte order mark", "\ufeff\nAG 125-14\t200\n\n\nDD 18-60\t1200\n\n"],
  ])("with %s", (_, text) => {
    expect(read(text)).toEqual([
      ["AG 125-14", 200],
      ["DD 18-60", 1200],
    ]);
  });

  test("keep an invalid quantity, which the line reports", () => {
    expect(
      read("AG 125-14\t12abc\nDD 18-60\t-5\nJS 150-8\t1.5\nRO 1\t40\nRO 2\t40\nRO 3\t40\nRO 4\t40"),
    ).toEqual([
      ["AG 125-14", "12abc"],
      ["DD 18-60", "-5"],
      ["JS 150-8", "1.5"],
      ...[1, 2, 3, 4].map((n) => [`RO ${n}`, 40]),
    ]);
  });

  test.each(["Item #", "Artikel-Nr.", "Art.-Nr.", "SKU", "Part number"])(
    "below the heading %s may have item numbers of digits only",
    (heading) => {
      expect(read(`${heading};Name;Qty\n12345;Saw;5\n12399;Drill;6`)).toEqual([
        ["12345", 5],
        ["12399", 6],
      ]);
    },
  );

  test("of a downloaded cart are its rows, whatever its item numbers and names have", () => {
    const number = fc.constantFrom("AG 125-14", "12345", "00817", "ABC", undefined);
    const name = fc
      .array(fc.constantFrom("Saw", "18 V", ";", ",", '"', "5", " "), { maxLength: 4 })
      .map((parts) => `Drill${parts.join("")}`.trim());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number, name, fc.integer({ min: 1, max: 5000 })), { minLength: 1 }),
        (cart) => {
          const rows = cart.map(([itemNumber, name, quantity], index) => ({
            row: { key: String(index), quantity },
            line: { index, itemNumber, name, price: 96, total: 1920 },
          }));
          expect(read(`\ufeff${writeCsv(rows as CheckedRow[])}`)).toEqual(
            cart.map(([itemNumber, name, quantity]) => [itemNumber ?? name, quantity]),
          );
        },
      ),
    );
  });

  test("without quantities", () => {
    expect(read("AG 125-14\nDD 18-60")).toEqual([
      ["AG 125-14", ""],
      ["DD 18-60", ""],
    ]);
  });

  test("whose separator is also in every number", () => {
    expect(read("AG 125-14,1,200\nDD 18-60,2,400,000")).toEqual([
      ["AG 125-14", 1200],
      ["DD 18-60", "2,400,000"], // above the maximum, which the line reports
    ]);
    expect(read("AG 125-14\t5\t128")).toEqual([["AG 125-14", 5]]);
    expect(read("AG 125-14,5,96\nDD 18-60,8,128")).toEqual([
      ["AG 125-14", 5],
      ["DD 18-60", 8],
    ]);
  });

  test("with a quote that is part of a name, or is not closed", () => {
    expect(read('"AG 125\t5\n"Pro" saw, 5"\t6\n"Saw ""XL"""\t7')).toEqual([
      ['"AG 125', 5],
      ['"Pro" saw, 5"', 6],
      ['Saw "XL"', 7],
    ]);
  });

  test("only of a heading, as in the empty CSV, are none", () => {
    expect(parseRows("Item number,Quantity\r\n", 5000)).toMatchObject({ found: 0, heading: 1 });
    expect(read("Item number\nAG 125-14")).toEqual([["AG 125-14", ""]]);
  });

  test("report the line without an item, and count those beyond the maximum", () => {
    expect(parseRows("AG 1\t5\n\t7\nAG 2\t5", 5000)?.skipped).toEqual([
      { lineNumber: 2, reason: "Line 2 has no item number." },
    ]);
    const many = parseRows(Array.from({ length: 6210 }, (_, at) => `AG ${at}\t5`).join("\n"), 5000);
    expect([many?.rows.length, many?.found]).toEqual([5000, 6210]);
  });

  test("are not read from other text", () => {
    expect(parseRows("\0\0PNG\0", 5000)).toBeNull();
  });

  test("are accepted by the store, whatever is in them", () => {
    const cell = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[\0\ufffd]/g, ""));
    const long = fc.constantFrom(
      "x".repeat(301),
      `${"5".padEnd(40)}x`,
      "😀".repeat(200),
      "Drill\ndriver",
      "\ud83d",
    );
    const form = contract.checkLines.body as z.ZodType;
    fc.assert(
      fc.property(fc.array(fc.array(fc.oneof(cell, long), { minLength: 1, maxLength: 3 })), (table) => {
        const text = table
          .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join("\t"))
          .join("\n");
        const rows = parseRows(text, 5000)?.rows ?? [];
        if (rows.length > 0)
          expect(form.safeParse({ lines: rows.map(toCheckLine) }).error?.issues).toBeUndefined();
      }),
    );
    expect(read('"Drill\ndriver"\t5\nAG 1\t6')).toEqual([
      ["Drill driver", 5],
      ["AG 1", 6],
    ]);
  });

  test("no line is lost: each is a row or is skipped with its number", () => {
    const cell = fc.string({ maxLength: 12 }).map((text) => text.replace(/[\0\ufffd"]/g, ""));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 40 }), (table) => {
        const text = table.map((cells) => cells.map((one) => `"${one}"`).join("\t")).join("\n");
        const parsed = parseRows(text, 5000);
        expect((parsed?.rows.length ?? 0) + (parsed?.skipped.length ?? 0)).toBe(parsed?.found);
      }),
    );
  });
});

test.each([
  ["AG 125-14", false],
  ["AG 125-14\n", false],
  ["AG 125-14\t20", true],
  ["AG 1\nAG 2", true],
  ["AG 125-14, 1,200", true],
  ["Drill, 18 V", false],
  ["Drill, 18", false],
])("whether %o is rows: %s", (text, rows) => expect(isTable(text)).toBe(rows));
