/** The first rows of a file, as the page of imports shows them before it is sent. */
import { expect, test } from "vitest";
import { readFirstRows } from "../../app/pages/admin/import/read-first-rows.ts";

const latin = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));

test.each<[string, BlobPart, string[][]]>([
  [
    "commas",
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "semicolons with decimal commas",
    "a;b\r\n1,5;2\r\n",
    [
      ["a", "b"],
      ["1,5", "2"],
    ],
  ],
  [
    "tabs",
    "a\tb\r1\t2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["Excel's row of the delimiter", "sep=;\r\na;b,c\r\n", [["a", "b,c"]]],
  ["lines that end with CR", "sep=;\ra;b,c\r", [["a", "b,c"]]],
  [
    "quotes",
    '"a; ""x""";b\n"1\n2";3" pipe',
    [
      ['a; "x"', "b"],
      ["1\n2", '3" pipe'],
    ],
  ],
  [
    "a quote inside of a heading",
    'Length 10";a\n1;2, 3" or 4, or more\n',
    [
      ['Length 10"', "a"],
      ["1", '2, 3" or 4, or more'],
    ],
  ],
  ["a heading in quotes", '"a, ""b"", c";d;"e, f"\n', [['a, "b", c', "d", "e, f"]]],
  [
    "empty rows",
    "\n\na,b\n,\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["a byte order mark", "\uFEFFa,b\n", [["a", "b"]]],
  ["Windows-1252", latin("S\xE4ge;b\n"), [["Säge", "b"]]],
  ["UTF-16", utf16("a\tÖl\n"), [["a", "Öl"]]],
  ["four rows at most", "a\n1\n2\n3\n4\n", [["a"], ["1"], ["2"], ["3"]]],
  ["a workbook", "PK\u0003\u0004", []],
  ["zero bytes", "a\u0000", []],
  ["nothing", "", []],
])("%s", async (_, content, rows) => {
  expect(await readFirstRows(new Blob([content]))).toEqual(rows);
});

test("a character that the end of the slice cuts does not change the encoding", async () => {
  const content = `a,ö\n${"ö".repeat(40_000)}`;
  expect((await readFirstRows(new Blob([content])))[0]).toEqual(["a", "ö"]);
  expect((await readFirstRows(new Blob([`x${content}`])))[0]).toEqual(["xa", "ö"]);
});
