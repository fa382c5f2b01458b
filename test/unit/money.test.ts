import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineCents } from "../../app/pages/orders/sum-cents.ts";
import { formatMoney, fromCents, MAX_CENTS, roundFloatError, toCents } from "../../shop/money.ts";

const cents = fc.integer({ min: 0, max: MAX_CENTS });

describe("dollars to cents", () => {
  test.each([
    [0, 0],
    [0.01, 1],
    [0.07, 7],
    [0.29, 29],
    [1.005, null],
    [76.5, 7650],
    [128, 12800],
    [1554, 155400],
    [4.35, 435],
    [9_999_999_999.99, MAX_CENTS],
    [10_000_000_000, null],
    [0.001, null],
    [0.1 + 0.2, null],
    [-0.01, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.MAX_VALUE, null],
  ])("%d is %o", (amount, expected) => {
    expect(toCents(amount)).toBe(expected);
  });

  test("minus zero is plain zero", () => {
    expect(Object.is(toCents(-0), 0)).toBe(true);
  });

  test("every amount with two decimals survives JSON", () => {
    fc.assert(
      fc.property(cents, (whole) => {
        const overTheWire = JSON.parse(JSON.stringify(fromCents(whole))) as number;
        expect(toCents(overTheWire)).toBe(whole);
      }),
    );
  });

  test("typed amounts with two decimals are parsed exactly", () => {
    fc.assert(
      fc.property(cents, (whole) => {
        const typed = `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
        expect(toCents(Number(typed))).toBe(whole);
      }),
    );
  });

  test("a third decimal is refused, never rounded", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 1, max: 9 }), (whole, third) => {
        const digits = String(whole).padStart(3, "0");
        expect(toCents(Number(`${digits.slice(0, -2)}.${digits.slice(-2)}${third}`))).toBeNull();
      }),
    );
  });

  test("any number is refused or exact", () => {
    fc.assert(
      fc.property(fc.double(), (amount) => {
        const whole = toCents(amount);
        if (whole === null) return;
        expect(Number.isSafeInteger(whole) && whole >= 0).toBe(true);
        expect(fromCents(whole)).toBe(amount === 0 ? 0 : amount);
      }),
    );
  });
});

describe("dollars computed by a client", () => {
  test.each([
    [1.1 * 3, 3.3],
    [0.1 + 0.2, 0.3],
    [3.3, 3.3],
    [3.300_002, 3.300_002],
    [1.005, 1.005],
    [Number.MAX_VALUE, Number.MAX_VALUE],
    [Number.NaN, Number.NaN],
  ])("%d is rounded to %d", (sent, meant) => {
    expect(roundFloatError(sent)).toBe(meant);
  });

  test("are the store's own total for every price and quantity that a card can carry", () => {
    const price = fc.integer({ min: 1, max: 99_999_999 });
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 1_000_000 }), (each, pieces) => {
        fc.pre(each * pieces <= 99_999_999);
        expect(toCents(roundFloatError(fromCents(each) * pieces))).toBe(each * pieces);
      }),
    );
  });
});

describe("cents to dollars", () => {
  test("fractions of a cent throw", () => {
    expect(() => fromCents(0.5)).toThrow(RangeError);
    expect(() => formatMoney(Number.NaN)).toThrow(RangeError);
  });
});

describe("formatted", () => {
  test.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [7650, "$76.50"],
    [99_999, "$999.99"],
    [155_400, "$1,554.00"],
    [123_456_789, "$1,234,567.89"],
    [-1250, "-$12.50"],
  ])("%d cents is %s", (whole, text) => {
    expect(formatMoney(whole)).toBe(text);
  });

  test("agrees with the platform's own currency format", () => {
    const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
    fc.assert(
      fc.property(cents, (whole) => {
        expect(formatMoney(whole)).toBe(dollars.format(fromCents(whole)));
      }),
    );
  });
});

test("a line of a cart or list beyond all amounts does not count", () => {
  expect([lineCents(80, 12.5), lineCents(9999, 999_999.99), lineCents(1_000_000, 999_999.99)]).toEqual([
    100_000, 999_899_990_001, 0,
  ]);
});
