import { describe, expect, test } from "vitest";
import {
  brandOf,
  cardProblem,
  expiryOf,
  formatExpiry,
  groupNumber,
} from "../../app/pages/payment/card-details.ts";

const today = new Date(2026, 10, 20);

describe("a card number", () => {
  test.each([
    ["4242424242424242", "4242 4242 4242 4242", "Visa"],
    ["4242-4242-42", "4242 4242 42", "Visa"],
    ["378282246310005", "3782 822463 10005", "American Express"],
    ["5555555555554444", "5555 5555 5555 4444", "Mastercard"],
    ["2223003122003222", "2223 0031 2200 3222", "Mastercard"],
    ["6011111111111117", "6011 1111 1111 1117", "Discover"],
    ["3056930009020004", "3056 9300 0902 0004", "Diners Club"],
    ["36227206271667", "3622 7206 2716 67", "Diners Club"],
    ["6011981111111113", "6011 9811 1111 1113", "Discover"],
    ["6205500000000000004", "6205 5000 0000 0000 004", "UnionPay"],
    ["3566002020360505", "3566 0020 2036 0505", "JCB"],
    ["6200000000000005", "6200 0000 0000 0005", "UnionPay"],
    ["42424242424242429999", "4242 4242 4242 4242", "Visa"],
    ["", "", ""],
  ])("%s is shown as %s, %s", (typed, shown, brand) => {
    expect(groupNumber(typed)).toBe(shown);
    expect(brandOf(typed).name).toBe(brand);
  });
});

describe("an expiry date", () => {
  test.each([
    ["1", "", "1"],
    ["12", "1", "12 / "],
    ["8", "", "08 / "],
    ["1/", "1", "01 / "],
    ["12 / 2", "12 / ", "12 / 2"],
    ["1229", "", "12 / 29"],
    ["12/2029", "", "12 / 29"],
    ["12 /", "12 / ", "12"],
    ["12 / 2", "12 / 29", "12 / 2"],
  ])("%j after %j is %j", (typed, before, shown) => {
    expect(formatExpiry(typed, before)).toBe(shown);
  });

  test("is read only when it is complete", () => {
    expect(expiryOf("12 / 29")).toEqual({ month: 12, year: 2029 });
    expect(expiryOf("12 / 2")).toBeNull();
  });
});

describe("the problem of a card", () => {
  const good = { number: "4242 4242 4242 4242", expiry: "12 / 29", cvc: "123" };
  test.each([
    [{}, null],
    [{ number: "4242 4242" }, "number"],
    [{ number: "4242 4242 4242 4241" }, "number"],
    [{ expiry: "" }, "expiry"],
    [{ expiry: "13 / 29" }, "expiry"],
    [{ expiry: "10 / 26" }, "expiry"],
    [{ expiry: "11 / 26" }, null],
    [{ cvc: "12" }, "cvc"],
    [{ number: "3622 7206 2716 67" }, null],
    [{ number: "6011 9811 1111 1113" }, null],
    [{ number: "6200 0000 0000 0047" }, null],
    [{ number: "6205 5000 0000 0000 004" }, null],
    [{ number: "4000 0000 0000 6975" }, null],
    [{ number: "3782 822463 10005" }, "cvc"],
    [{ number: "3782 822463 10005", cvc: "1234" }, null],
  ])("%j: %j", (change, part) => {
    expect(cardProblem({ ...good, ...change }, today)?.part ?? null).toBe(part);
  });
});
