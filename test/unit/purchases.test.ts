import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cancelProblem, MAX_TOTAL, MIN_TOTAL, quantityProblem } from "../../shop/orders/rules.ts";

const pieces = fc.integer({ min: 1, max: 1_000_000 });
const product = fc.record({ minimum_order: pieces, quantity: fc.integer({ min: 0, max: 1_000_000 }) });

describe("a quantity", () => {
  test.each([
    [9, "You have to purchase at least 10 products"],
    [10, null],
    [40, null],
    [41, "Purchase qauntity is maximum 40"],
    [0, "You have to purchase at least 10 products"],
    [-10, "You have to purchase at least 10 products"],
    [12.5, "Enter a whole number."],
    [Number.NaN, "Enter a whole number."],
    [Number.POSITIVE_INFINITY, "Enter a whole number."],
  ])("of %d from a minimum of 10 and a stock of 40: %s", (quantity, problem) => {
    expect(quantityProblem(quantity, { minimum_order: 10, quantity: 40 })).toBe(problem);
  });

  test("is valid exactly if it is whole and between minimum and stock", () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.double()), product, (quantity, of) => {
        const good = Number.isInteger(quantity) && quantity >= of.minimum_order && quantity <= of.quantity;
        expect(quantityProblem(quantity, of) === null).toBe(good);
      }),
    );
  });

  test("that was valid stays valid when the stock grows", () => {
    fc.assert(
      fc.property(pieces, product, pieces, (quantity, of, more) => {
        fc.pre(quantityProblem(quantity, of) === null);
        expect(quantityProblem(quantity, { ...of, quantity: of.quantity + more })).toBeNull();
      }),
    );
  });

  test("is never valid if the stock is below the minimum", () => {
    fc.assert(
      fc.property(pieces, product, (quantity, of) => {
        fc.pre(of.quantity < of.minimum_order);
        expect(quantityProblem(quantity, of)).not.toBeNull();
      }),
    );
  });
});

test("only an unpaid purchase can be cancelled", () => {
  expect(cancelProblem("unpaid")).toBeNull();
  expect(cancelProblem("paid")).toMatch(/already paid/);
  expect(cancelProblem("shipped")).toMatch(/already shipped/);
});

test("a card payment is between 50 cents and $999,999.99", () => {
  expect([MIN_TOTAL, MAX_TOTAL]).toEqual([50, 99_999_999]);
});
