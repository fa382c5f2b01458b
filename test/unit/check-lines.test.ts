/** The problems of typed lines, and their fixes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findProblems } from "../../shop/cart/check-lines.ts";
import { type MatchedProduct, matchProducts } from "../../shop/cart/match-products.ts";
import { readQuantity } from "../../shop/cart/read-quantity.ts";
import { editDistance } from "../../shop/catalogue/index/edit-distance.ts";
import { unitPriceCents } from "../../shop/pricing/rules.ts";

const products = fc
  .record({
    multiple: fc.integer({ min: 1, max: 6 }),
    minimum: fc.integer({ min: 1, max: 5 }),
    stock: fc.integer({ min: 0, max: 120 }),
    steps: fc.array(
      fc.record({ more: fc.integer({ min: 1, max: 20 }), less: fc.integer({ min: 1, max: 30 }) }),
      {
        maxLength: 6,
      },
    ),
  })
  .map(({ multiple, minimum, stock, steps }): MatchedProduct => {
    let quantity = minimum * multiple;
    let price_cents = 300;
    const price_breaks = steps.map(({ more, less }) => {
      quantity += more;
      price_cents -= less;
      return { quantity, price_cents };
    });
    return {
      id: "0198c0de-0000-7000-8000-000000000001",
      name: "Impact wrench",
      picture: "/tools/wrench.svg",
      price_cents: 300,
      quantity: stock,
      minimum_order: minimum * multiple,
      order_multiple: multiple,
      price_breaks,
      description: "A wrench.",
      item_number: null,
      category: null,
      key_fact: null,
      power_source: null,
      technical_data: null,
      drawn_box: null,
      dimensions: null,
      version: 1,
      archived: false,
    };
  });
const quantities = fc.array(fc.integer({ min: 1, max: 140 }), { minLength: 1, maxLength: 3 });

function check(product: MatchedProduct, typed: (number | string)[]) {
  const lines = typed.map((quantity) => ({ productId: product.id, quantity }));
  return findProblems(
    lines,
    lines.map(() => ({ product, candidates: [] })),
  );
}

describe("lines of one product", () => {
  test("are valid exactly if their sum can be ordered, at its price", () => {
    fc.assert(
      fc.property(products, quantities, (product, typed) => {
        const sum = typed.reduce((all, one) => all + one, 0);
        const fits =
          sum >= product.minimum_order && sum <= product.quantity && sum % product.order_multiple === 0;
        const { lines, total, pieces } = check(product, typed);
        expect(lines.map(({ code }) => code === undefined)).toEqual(typed.map(() => fits));
        expect(pieces).toBe(fits ? sum : 0);
        expect(Math.round(total * 100)).toBe(fits ? sum * unitPriceCents(product, sum) : 0);
      }),
    );
  });

  test("are valid after any fix of one of them", () => {
    fc.assert(
      fc.property(products, quantities, (product, typed) => {
        for (const { index, fixes = [] } of check(product, typed).lines)
          for (const fix of fixes) {
            const fixed = typed.with(index, fix.quantity as number);
            expect(check(product, fixed).lines.map(({ code }) => code)).toEqual(fixed.map(() => undefined));
          }
      }),
    );
  });

  test("suggest a larger quantity exactly if one costs less, and then the cheapest", () => {
    fc.assert(
      fc.property(products, fc.integer({ min: 1, max: 140 }), (product, quantity) => {
        const { code, cheaper } = check(product, [quantity]).lines[0] ?? {};
        if (code) {
          expect(cheaper).toBeUndefined();
          return;
        }
        const costOf = (pieces: number) => pieces * unitPriceCents(product, pieces);
        const more = Array.from({ length: product.quantity - quantity }, (_, at) => quantity + 1 + at);
        const orderable = more.filter((pieces) => pieces % product.order_multiple === 0);
        const least = Math.min(...orderable.map(costOf));
        expect(cheaper && Math.round(cheaper.total * 100)).toBe(least < costOf(quantity) ? least : undefined);
        if (cheaper) expect(check(product, [cheaper.quantity]).lines[0]?.code).toBeUndefined();
      }),
    );
  });
});

describe("a typed quantity", () => {
  test.each([
    ["20", 20],
    [" 20 ", 20],
    ["1,200", 1200],
    ["1 200", 1200],
    ["1'200'000", 1_200_000],
    ["1\u202f200", 1200],
    ["-5", -5],
    ["1.5", 1.5],
    ["1.200", null],
    ["1,20", null],
    ["1,200 300", null],
    ["12abc", null],
    ["1e3", null],
    ["0x10", null],
    ["", null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])("%j is read as %j", (typed, number) => {
    expect(readQuantity(typed)).toBe(number);
  });

  test("is read with thousands separators as without", () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), (number) => {
        expect(readQuantity(number.toLocaleString("en-US"))).toBe(number);
        expect(readQuantity(String(number))).toBe(number);
      }),
    );
  });
});

test("the edit distance is symmetric, and zero only for equal texts", () => {
  const text = fc.string({ maxLength: 6 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(editDistance(one, other)).toBe(editDistance(other, one));
      expect(editDistance(one, other) === 0).toBe(one === other);
    }),
  );
});

test("a distance above the limit is only known to be above it", () => {
  const text = fc.string({ maxLength: 6 });
  fc.assert(
    fc.property(text, text, fc.nat(6), (one, other, max) => {
      const distance = editDistance(one, other);
      const limited = editDistance(one, other, max);
      if (distance <= max) expect(limited).toBe(distance);
      else expect(limited).toBeGreaterThan(max);
    }),
  );
});

test("suggestions for texts much longer than any name take no more CPU time than for short ones", async () => {
  const rows = Array.from({ length: 500 * 18 }, (_, at) => ({
    ...({ id: String(at), name: "Cordless Hammer Drill 18 V with Two Batteries" } as MatchedProduct),
    asked: Math.floor(at / 18) + 1,
    rank: 4,
  }));
  const pool = { query: async () => ({ rows }) } as never;
  const suggest = async (length: number) => {
    const texts = Array.from({ length: 500 }, (_, at) => String(at).padEnd(length, "x"));
    const before = process.cpuUsage();
    await matchProducts({ pool } as never, texts);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await suggest(45);
  expect(await suggest(300)).toBeLessThan(1.5 * (await suggest(45)));
});
