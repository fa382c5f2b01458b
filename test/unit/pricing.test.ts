import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  breaksProblem,
  cheaperQuantity,
  mostOrderable,
  multipleProblem,
  nextBreak,
  type Orderable,
  roundUpToMultiple,
  unitPriceCents,
} from "../../shop/pricing/rules.ts";

const wrench: Orderable = {
  price_cents: 12_900,
  minimum_order: 20,
  order_multiple: 10,
  quantity: 1240,
  price_breaks: [
    { quantity: 100, price_cents: 11_900 },
    { quantity: 500, price_cents: 10_900 },
  ],
};

/** A product that the rules allow. */
const orderable = fc
  .record({
    multiple: fc.integer({ min: 1, max: 25 }),
    minimum: fc.integer({ min: 1, max: 10 }),
    price: fc.integer({ min: 50, max: 50_000 }),
    stock: fc.integer({ min: 0, max: 900 }),
    steps: fc.array(
      fc.record({ more: fc.integer({ min: 1, max: 150 }), off: fc.integer({ min: 1, max: 7 }) }),
      {
        maxLength: 6,
      },
    ),
  })
  .map(({ multiple, minimum, price, stock, steps }): Orderable => {
    const minimum_order = minimum * multiple;
    let last = { quantity: minimum_order, price_cents: price };
    const price_breaks = steps.map(({ more, off }) => {
      last = { quantity: last.quantity + more, price_cents: last.price_cents - off };
      return last;
    });
    return { price_cents: price, minimum_order, order_multiple: multiple, quantity: stock, price_breaks };
  });

/** Every quantity that can be ordered. */
function quantitiesOf({ minimum_order, order_multiple, quantity }: Orderable): number[] {
  const all = [];
  for (let one = minimum_order; one <= quantity; one += order_multiple) all.push(one);
  return all;
}

describe("the unit price", () => {
  test.each([
    [20, 12_900],
    [99, 12_900],
    [100, 11_900],
    [499, 11_900],
    [500, 10_900],
    [1240, 10_900],
  ])("of %d pieces is %d cents", (quantity, cents) => {
    expect(unitPriceCents(wrench, quantity)).toBe(cents);
  });

  test("never rises with the quantity, and falls at a break", () => {
    fc.assert(
      fc.property(orderable, fc.integer({ min: 1, max: 1000 }), (product, quantity) => {
        expect(unitPriceCents(product, quantity + 1)).toBeLessThanOrEqual(unitPriceCents(product, quantity));
        const next = nextBreak(product, quantity);
        if (next)
          expect(unitPriceCents(product, next.quantity)).toBeLessThan(unitPriceCents(product, quantity));
      }),
    );
  });
});

describe("an order multiple", () => {
  test.each([
    [450, null],
    [455, "Sold in multiples of 10. Take 450 or 460."],
    [15, "Sold in multiples of 10. Take 20."],
    [1245, "Sold in multiples of 10. Take 1,240."],
  ])("allows or refuses %d pieces", (quantity, problem) => {
    expect(multipleProblem(quantity, wrench)).toBe(problem);
  });

  test("allows exactly the quantities sold", () => {
    fc.assert(
      fc.property(orderable, (product) => {
        const sold = quantitiesOf(product);
        expect(mostOrderable(product)).toBe(sold.at(-1) ?? 0);
        for (const quantity of sold) expect(multipleProblem(quantity, product)).toBeNull();
      }),
    );
  });
});

describe("the adviser", () => {
  test("suggests a cheaper larger quantity", () => {
    // 460 at $119.00 are $54,740.00; 500 at $109.00 are $54,500.00
    expect(cheaperQuantity(wrench, 460)).toEqual({
      quantity: 500,
      totalCents: 5_450_000,
      savesCents: 24_000,
    });
    expect(cheaperQuantity(wrench, 450)).toBeNull();
    expect(cheaperQuantity({ ...wrench, quantity: 499 }, 460)).toBeNull();
  });

  test("is right for every quantity: nothing larger that is sold costs less", () => {
    fc.assert(
      fc.property(orderable, (product) => {
        const sold = quantitiesOf(product);
        const totals = sold.map((quantity) => unitPriceCents(product, quantity) * quantity);
        for (const [index, quantity] of sold.entries()) {
          const cheapest = Math.min(...totals.slice(index));
          const advice = cheaperQuantity(product, quantity);
          const total = totals[index] as number;
          expect(advice?.totalCents ?? total).toBe(cheapest);
          if (!advice) continue;
          expect(sold).toContain(advice.quantity);
          expect(advice.quantity).toBeGreaterThan(quantity);
          expect(advice.savesCents).toBe(total - cheapest);
        }
      }),
    );
  });
});

describe("breaks of a product", () => {
  const list = { price_cents: 12_900, minimum_order: 20 };
  test.each([
    [[], null],
    [wrench.price_breaks, null],
    [[{ quantity: 20, price_cents: 11_900 }], "The price from 20 pieces must start above 20."],
    [[{ quantity: 30, price_cents: 12_900 }], "The price from 30 pieces must be lower than the one before."],
    [
      [
        { quantity: 100, price_cents: 11_900 },
        { quantity: 90, price_cents: 10_900 },
      ],
      "The price from 90 pieces must start above 100.",
    ],
    [
      Array.from({ length: 7 }, (_, index) => ({ quantity: 21 + index, price_cents: 100 - index })),
      "A tool has at most 6 price breaks.",
    ],
  ])("%o", (breaks, problem) => {
    expect(breaksProblem(list, breaks)).toBe(problem);
  });
});

test("a quantity is rounded up to the multiple", () => {
  expect([1, 10, 11, 0].map((quantity) => roundUpToMultiple(quantity, 10))).toEqual([10, 10, 20, 0]);
});
