import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { amount, email, id, line, note, numeral, picture, pieces, prose } from "../../api/fields.ts";

const firstMessage = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message ?? null;
const anything = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue(), fc.constant(undefined));

describe("an email", () => {
  test.each([
    ["a@b.c", null],
    ["Ada.Buyer+1@Stator.Example", null],
    [" a@b.c ", null],
    [undefined, "Email is required"],
    ["", "Email is required"],
    ["  ", "Email is required"],
    ["a", "Provide a valid email"],
    ["a@b", "Provide a valid email"],
    ["@b.c", "Provide a valid email"],
    ["a@.c", "Provide a valid email"],
    ["a@b.", "Provide a valid email"],
    ["a b@c.d", "Provide a valid email"],
    ["a@@b.c", "Provide a valid email"],
  ])("%j: %s", (value, message) => {
    expect(firstMessage(email, value)).toBe(message);
  });

  test("is lower-cased, and stable when parsed again", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (typed) => {
        const once = email.parse(typed);
        expect(once).toBe(typed.toLowerCase());
        expect(email.parse(once)).toBe(once);
      }),
    );
  });
});

test.each([
  ["12", 12],
  ["-0.5", -0.5],
  ["1e3", 1000],
  [12, 12],
  ["", null],
  [" ", null],
  [" 5 ", null],
  ["12abc", null],
  ["0x10", null],
  ["1,000", null],
  ["5,5", null],
  ["１２", null],
  ["NaN", null],
  ["Infinity", null],
  ["9".repeat(400), null],
  [null, null],
  [true, null],
  [[], null],
  [["5"], null],
])("the number %j is read as %s", (given, number) => {
  expect(numeral(z.number()).safeParse(given).data ?? null).toBe(number);
});

describe("a text", () => {
  const unreadable =
    "The text contains a character that cannot be stored, such as a tab. Delete it, or type the text again.";
  const schemas = [
    ["line", line(50, "Required")],
    ["prose", prose(50, "Required")],
  ] as const;
  test.each(schemas)(
    "(%s) that is accepted can be stored: trimmed, well-formed, without control characters",
    (kind, schema) => {
      fc.assert(
        fc.property(anything, (value) => {
          const taken = schema.safeParse(value);
          if (!taken.success) return;
          expect(taken.data).toBe(taken.data.trim());
          expect(taken.data.length).toBeGreaterThan(0);
          expect(taken.data.length).toBeLessThanOrEqual(50);
          expect(taken.data.isWellFormed()).toBe(true);
          expect(taken.data).not.toMatch(kind === "line" ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u);
        }),
      );
    },
  );

  test.each<[unknown, string | null, string | null]>([
    ["a\nb", unreadable, null],
    ["a\u0000b", unreadable, unreadable],
    ["a\ud800b", unreadable, unreadable],
    ["😀 é 日本", null, null],
    ["x".repeat(51), "Use at most 50 characters.", "Use at most 50 characters."],
    [" \t\n", "Required", "Required"],
    [5, "Required", "Required"],
  ])("%j: as a line %s, as prose %s", (value, asLine, asProse) => {
    expect([firstMessage(schemas[0][1], value), firstMessage(schemas[1][1], value)]).toEqual([
      asLine,
      asProse,
    ]);
  });

  test("that may be blank must still be readable", () => {
    expect(firstMessage(note(5), "")).toBeNull();
    expect(firstMessage(note(5), "\u0000")).toBe(
      "The text contains a character that cannot be stored, such as a tab. Delete it, or type the text again.",
    );
    expect(firstMessage(note(5), "123456")).toBe("Use at most 5 characters.");
  });
});

describe("an amount", () => {
  const price = amount(
    "Price is required",
    "Price must be at least $0.01.",
    "Price must be at most $999,999.99.",
  );

  test("is accepted exactly if it is whole cents from $0.01 to $999,999.99", () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 100_000_100 }), (cents) => {
        expect(price.safeParse(cents / 100).success).toBe(cents >= 1 && cents <= 99_999_999);
      }),
    );
  });

  test.each([
    [undefined, "Price is required"],
    [null, "Price is required"],
    ["5", "Price is required"],
    [Number.NaN, "Price is required"],
    [Number.POSITIVE_INFINITY, "Price is required"],
    [0, "Price must be at least $0.01."],
    [-1, "Price must be at least $0.01."],
    [0.015, "Use at most two decimals."],
  ])("%j: %s", (value, message) => {
    expect(firstMessage(price, value)).toBe(message);
  });
});

describe("a number of pieces", () => {
  test("is accepted exactly if it is whole, from its minimum to a million", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), anything), (value) => {
        const good = Number.isInteger(value) && Number(value) >= 10 && Number(value) <= 1_000_000;
        expect(pieces(10, "Required").safeParse(value).success).toBe(good);
      }),
    );
  });
});

describe("a picture", () => {
  test.each([
    "/tools/drill.svg",
    "https://pictures.example/a%20b.png?size=2#x",
    "http://pictures.example/",
    "HTTPS://pictures.example/",
  ])("may be %s", (url) => {
    expect(firstMessage(picture, url)).toBeNull();
  });

  test.each([
    "drill.svg",
    "/",
    "http:pictures.example/drill.svg",
    "//elsewhere.example/x.png",
    "/\\elsewhere.example/x.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    '/a"onerror="x',
    "/a b",
    "http://",
  ])("may not be %s", (url) => {
    expect(firstMessage(picture, url)).toBe("Enter a web address or a path on this site.");
  });
});

test("an id is a UUID and nothing else", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(id.safeParse(uuid).success).toBe(true);
    }),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const isUuid = typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
      fc.pre(!isUuid);
      expect(firstMessage(id, value)).toBe("This id is not valid.");
    }),
  );
});
