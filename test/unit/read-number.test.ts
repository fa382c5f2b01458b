/** Typed numbers: a figure that can mean two numbers is never read. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { count } from "../../app/components/format.ts";
import { setPageLocale } from "../../app/components/locale.ts";
import { toBulkChange } from "../../app/pages/admin/products/bulk-change.ts";
import { textOf, withText } from "../../app/pages/admin/products/grid-cells.ts";
import { blankDraft, checkDraft } from "../../app/pages/admin/products/product-draft.ts";
import { piecesProblem, readNumber } from "../../app/pages/admin/read-number.ts";

afterEach(() => setPageLocale());

test.each([
  ["1,240", 1240],
  ["1,240.50", 1240.5],
  ["1.240,50", 1240.5],
  ["1 240,50", 1240.5],
  ["1\u202f240\u202f000", 1_240_000],
  ["1'240.5", 1240.5],
  ["1.240.000", 1_240_000],
  ["$76.50", 76.5],
  ["76,50 $", 76.5],
  ["76,5", 76.5],
  [" 12 ", 12],
  ["12.", 12],
  [".5", 0.5],
  ["0.125", 0.125],
  ["-3", -3],
  ["\u22123", -3],
  ["+3", 3],
  ["", undefined],
  ["$", undefined],
])("%j is read as %s", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  "1.240",
  "twelve",
  "1e3",
  "1,24,0",
  "1 49",
  "1,240,50",
  "1.240.50",
  "1,240 000",
  "-",
  ".",
  "--1",
  "1 2",
])("%j is not read", (text) => {
  expect(readNumber(text)).toBeNaN();
});

test.each([
  ["1,240", undefined],
  ["0", undefined],
  ["", "A value is required."],
  ["1.240", "Enter a whole number without separators, such as 1490."],
  ["many", "Enter a whole number without separators, such as 1490."],
  ["12.5", "Enter a whole number."],
  ["-1", "Enter 0 or more."],
  ["1000001", "Enter 1000000 or less."],
])("%j as a number of pieces: %s", (text, problem) => {
  expect(piecesProblem(text)).toBe(problem);
});

test.each([
  ["up", "5", { how: "percent", value: 5 }],
  ["down", "5 %", { how: "percent", value: -5 }],
  ["subtract", "5", { how: "amount", value: -5 }],
  ["set", "5", { how: "set", value: 5 }],
  ["down", "-5", "Enter 0 or more."],
  ["subtract", "-5", "Enter 0 or more."],
  ["up", "\u22125", "Enter 0 or more."],
  ["add", "5%", "Enter a number without separators, such as 1490 or 12.50."],
  ["set", "5%", "Enter a number without separators, such as 1490 or 12.50."],
  ["up", "5%%", "Enter a number without separators, such as 1490 or 12.50."],
  ["set", "", "Enter a number."],
] as const)("a change of prices %s %j", (method, typed, change) => {
  expect(toBulkChange(method, typed, "price")).toEqual(change);
});

test.each([
  ["yes", "yes", false],
  ["No", "", false],
  ["", "", false],
  ["abc", "abc", true],
  ["ja", "ja", true],
])("%j pasted as archived is %j", (pasted, archived, isProblem) => {
  const draft = withText(blankDraft, "archived", pasted);
  expect(draft.archived).toBe(archived);
  const problems = checkDraft(draft) as { name: string }[];
  expect(problems.some(({ name }) => name === "archived")).toBe(isProblem);
});

test("a price break with more than a quantity and a price is not cut off", () => {
  expect(withText(blankDraft, "price_breaks", "100=11:90").price_breaks).toEqual([
    { quantity: "100", price: "11=90" },
  ]);
});

describe("in a locale with decimal commas", () => {
  test.each(["1.240", "1,240"])("%j is not read", (text) => {
    setPageLocale("de-DE");
    expect(readNumber(text)).toBeNaN();
  });
});

test("what the page prints is read as that number or not at all, as are the plain figures of the editors", () => {
  const locales = fc.constantFrom("en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "es-ES", "pt-BR");
  fc.assert(
    fc.property(locales, fc.integer({ min: 0, max: 999_999_999 }), (locale, cents) => {
      setPageLocale(locale);
      const read = readNumber(count(cents)) ?? 0;
      expect(read === cents || Number.isNaN(read)).toBe(true);
      expect(readNumber((cents / 100).toFixed(2))).toBe(cents / 100);
      expect(readNumber((cents / 100).toFixed(2).replace(".", ","))).toBe(cents / 100);
      expect(readNumber(String(cents))).toBe(cents);
    }),
  );
});

test("a price of the grid is the same text however it is typed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), (cents) => {
      const price = (cents / 100).toFixed(2);
      for (const typed of [price, String(cents / 100), `$${price}`, price.replace(".", ",")])
        expect(textOf(withText(blankDraft, "price", typed), "price")).toBe(price);
    }),
  );
});
