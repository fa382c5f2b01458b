/** Renders sheets and reads the PDF back: text, fonts, tags, pages. */
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { code128 } from "../../providers/documents/code-128.ts";
import { openFont } from "../../providers/documents/fonts.ts";
import { openRenderer } from "../../providers/documents/renderer.ts";
import { breakText } from "../../providers/documents/text.ts";
import type { Paper, Sheet, SheetRow } from "../../shop/documents/sheet.ts";

const renderer = openRenderer();
afterAll(() => renderer.close());

const row = (index: number, name = `Drill driver ${index}`): SheetRow => ({
  cells: [String(index), "DD 18-60", name, "200", "$119.00", "$23,800.00"],
});

function sheetOf(rows: SheetRow[], changed: Partial<Sheet> = {}): Sheet {
  return {
    title: "Invoice",
    note: "Paid by card.",
    number: "INV-10001",
    fileName: "stator-invoice-INV-10001.pdf",
    sender: ["Stator Electric Tool Works"],
    facts: [{ label: "PO number", value: "HFO-4471" }],
    blocks: [{ label: "Bill to", lines: ["Halloran Fit-Out", "Unit 6, Canal Yard"] }],
    columns: [
      { label: "Line", width: 11, align: "left" },
      { label: "Item number", width: 27, align: "left" },
      { label: "Tool", align: "left" },
      { label: "Quantity", width: 18, align: "right" },
      { label: "Price", width: 22, align: "right" },
      { label: "Total", width: 27, align: "right" },
    ],
    rows,
    sums: [{ label: "Freight", value: "Included" }],
    total: { label: "Total", value: "$85,338.00" },
    footer: [{ label: "Questions", text: "orders@stator.example" }],
    ...changed,
  };
}

async function open(sheet: Sheet, paper: Paper = "a4") {
  const bytes = (await renderer.render(sheet, paper)) as Uint8Array;
  return { bytes, pdf: await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise };
}

async function readPage(pdf: PDFDocumentProxy, number: number) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return {
    text: items.map((item) => ("str" in item ? item.str : "")).join(" "),
    size: page.view.slice(2),
  };
}

async function read(sheet: Sheet, paper?: Paper) {
  const { pdf } = await open(sheet, paper);
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number += 1) pages.push(await readPage(pdf, number));
  return { pages };
}

describe("a sheet", () => {
  test("is tagged and has a title, a language and embedded subsets of its fonts", async () => {
    const { pdf, bytes } = await open(sheetOf([row(1)]));
    const { info } = await pdf.getMetadata();
    const tags = JSON.stringify(await (await pdf.getPage(1)).getStructTree());
    const raw = Buffer.from(bytes).toString("latin1");
    expect(info).toMatchObject({ Title: "Invoice INV-10001", Language: "en-US" });
    expect((await pdf.getMarkInfo())?.Marked).toBe(true);
    for (const tag of ["H1", "Table", "TH", "TR", "TD", "Figure"]) expect(tags).toContain(`"${tag}"`);
    const fonts = [...raw.matchAll(/\/FontName \/(\S+)/g)].map(([, name]) => name);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.every((name) => /^[A-Z]{6}\+Archivo/.test(name ?? ""))).toBe(true);
    expect([...raw.matchAll(/\/FontFile2 /g)]).toHaveLength(fonts.length);
  });

  test.each([
    ["a4", [595.28, 841.89]],
    ["letter", [612, 792]],
  ] as const)("is set on %s", async (paper, [width, height]) => {
    const { pages } = await read(sheetOf([row(1)]), paper);
    expect(pages[0]?.size[0]).toBeCloseTo(width, 1);
    expect(pages[0]?.size[1]).toBeCloseTo(height, 1);
  });

  test("repeats number and headings, and keeps two rows with the total, whatever the number of rows", async () => {
    for (const count of [1, 2, 15, 16, 17, 18, 19, 20, 45, 46, 47, 48, 49]) {
      const { pages } = await read(sheetOf(Array.from({ length: count }, (_, index) => row(index + 1))));
      const names = pages.map(({ text }) =>
        [...text.matchAll(/Drill driver (\d+)/g)].map(([, n]) => Number(n)),
      );
      expect(names.flat(), `${count}`).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(names.at(-1)?.length, `${count}`).toBeGreaterThanOrEqual(Math.min(2, count));
      expect(pages.at(-1)?.text).toContain("$85,338.00");
      pages.forEach(({ text }, index) => {
        expect(text).toContain("Item number");
        expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
        expect(text).toContain("INV-10001");
      });
    }
  });

  test("sets a name of several lines in bold, and no other line", async () => {
    const name = "Maximiliane-Theodora von Hohenlohe-Langenburg and Company";
    const { pdf } = await open(
      sheetOf([row(1)], { blocks: [{ label: "Ship to", lines: [name, "Unit 6"] }] }),
    );
    const { items } = await (await pdf.getPage(1)).getTextContent();
    const fontOf = (text: string) =>
      items.map((item) => ("str" in item && item.str.includes(text) ? item.fontName : "")).find(Boolean);
    expect(fontOf("Company")).toBe(fontOf("Maximiliane"));
    expect(fontOf("Unit 6")).not.toBe(fontOf("Maximiliane"));
  });

  test("shows names in every script, and a box for what no font has", async () => {
    const words = ["Łódź", "Дрель", "Ελλάδα", "电钻", "드릴", "Đà", "حفار", "מקדחה"];
    const { pages } = await read(sheetOf(words.map((word, index) => row(index + 1, `${word} 18`))));
    const text = pages[0]?.text.normalize("NFKC") ?? "";
    for (const word of words) {
      // the extraction reorders the letters of right-to-left words
      for (const letter of word) expect(text, word).toContain(letter);
    }
    const odd = await read(sheetOf([row(1, "ไทย \ud800 \u0007 😀 (18 V) \u202ex")]));
    expect(odd.pages[0]?.text).toContain("□");
    expect(odd.pages[0]?.text).toContain("😀");
  });

  test.each(["شارع ١٢٣", "پلاک ۴۵۶۷", "Unit ۱۲", "١٢٣ AG"])(
    "shows the digits of %s from left to right",
    (address) => {
      const style = { size: 9, weight: 400 } as const;
      const glyphsOf = (text: string) =>
        breakText(text, style, 1000, 1)
          .flatMap(({ runs }) => runs)
          .flatMap(({ text, subset }) => openFont(subset, 400).layout(text).glyphs)
          .map(({ id }) => id);
      const digits = [...address.replace(/\P{Nd}/gu, "")].flatMap(glyphsOf);
      expect(glyphsOf(address).join(" ")).toContain(digits.join(" "));
    },
  );

  test("cuts a name of 5,000 characters at the end of its row", async () => {
    for (const name of ["x".repeat(5000), "word ".repeat(1000), "电".repeat(5000), "مرحبا ".repeat(800)]) {
      const { pages } = await read(sheetOf([row(1, name), row(2)]));
      const text = pages.map((page) => page.text).join(" ");
      expect(text).toContain("…");
      expect(text).toContain("Drill driver 2");
    }
  });

  test.each(["420412079405511899560000000123456789", "HFO-WILHELMINAKADE-0000044712345678-0019"])(
    "shows all of a long tracking or PO number: %s",
    async (value) => {
      const { pages } = await read(sheetOf([row(1)], { facts: [{ label: "Tracking number", value }] }));
      expect(pages[0]?.text.replaceAll(" ", "")).toContain(value);
    },
  );

  test("shows the email below a long address, and both lines around a cut", async () => {
    const address = "Unit 6, Canal Yard, Wilhelminakade ".repeat(14).trim();
    const note = Array.from({ length: 30 }, (_, index) => `Dock${index + 1}`).join("\n");
    const blocks = [
      {
        label: "Bill to",
        lines: ["Halloran Fit-Out of Rotterdam, purchasing", address, "buyer@example.com"],
      },
      { label: "Note to the warehouse", lines: [`${note}\n${"long ".repeat(40)}`] },
      { label: "Payment", lines: ["电".repeat(200), "电".repeat(500), "+1 555 0100"] },
    ];
    const { pages } = await read(sheetOf([row(1)], { blocks }));
    expect(pages[0]?.text.match(/Wilhelminakade/g)).toHaveLength(14);
    expect(pages[0]?.text).toContain("buyer@example.com");
    expect(pages[0]?.text).toContain("+1 555 0100");
    expect(pages[0]?.text).toMatch(/Dock23 +Dock24…/);
    expect(pages[0]?.text).not.toContain("long");
  });

  test("sets the total on a page of its own if the only row leaves no room for it", async () => {
    const blocks = [{ label: "Bill to", lines: ["Halloran Fit-Out", "Canal Yard ".repeat(60)] }];
    const tall = {
      ...row(1, "Drill driver ".repeat(15)),
      detail: "Returned because of a fault. ".repeat(20),
    };
    const sums = ["Invoice", "Credited before", "This credit", "Left to pay"].map((label) => ({
      label,
      value: "$1.00",
    }));
    const { pages } = await read(sheetOf([tall], { blocks, sums }), "letter");
    expect(pages).toHaveLength(2);
    expect(pages[0]?.text).not.toContain("Left to pay");
    expect(pages[1]?.text).toContain("$85,338.00");
  });

  test("has 2,000 lines", async () => {
    const sheet = sheetOf(Array.from({ length: 2000 }, (_, index) => row(index + 1)));
    const { pdf } = await open(sheet);
    expect((await readPage(pdf, pdf.numPages)).text).toContain("Drill driver 2000");
  });
});

describe("sheets that wait for others", () => {
  const many = sheetOf(Array.from({ length: 500 }, (_, index) => row(index + 1)));
  const pdf = expect.any(Uint8Array);
  afterEach(() => vi.useRealTimers());

  test("have a minute each, from when they are rendered", async () => {
    await renderer.render(sheetOf([row(1)]), "a4");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [first, second] = [renderer.render(many, "a4"), renderer.render(many, "a4")];
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await first).toEqual(pdf);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await second).toEqual(pdf);
  });

  test("are rendered after one that takes more than a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = expect(renderer.render(many, "a4")).rejects.toThrow("took more than a minute");
    const second = renderer.render(sheetOf([row(1)]), "a4");
    await vi.advanceTimersByTimeAsync(61_000);
    await first;
    expect(await second).toEqual(pdf);
  });

  test("are at most a hundred", async () => {
    const rendered = await Promise.all(
      Array.from({ length: 102 }, () => renderer.render(sheetOf([row(1)]), "a4")),
    );
    expect(rendered).toEqual([...Array(100).fill(pdf), null, null]);
    expect(await renderer.render(sheetOf([row(1)]), "a4")).toEqual(pdf);
  });

  test("are rejected when the renderer is closed", async () => {
    const closing = openRenderer();
    const rendered = Promise.allSettled([closing.render(many, "a4"), closing.render(many, "a4")]);
    await closing.close();
    expect((await rendered).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("Code 128", () => {
  test("has a start, a check symbol and a stop", () => {
    // "5001": 104 + 21 + 2 * 16 + 3 * 16 + 4 * 17 = 273, modulo 103 is 67
    const widths = code128("5001").join("");
    expect(widths).toBe("2112142132121231221231221232211411222331112");
  });

  test("refuses what it cannot encode", () => expect(() => code128("é")).toThrow(RangeError));
});
