/** The database enforces price breaks and order multiples itself, and computes the same prices as the rules. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breaksProblem, type PriceBreak, unitPriceCents } from "../../../shop/pricing/rules.ts";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const breaks = fc.array(
  fc.record({ quantity: fc.integer({ min: 1, max: 60 }), price_cents: fc.integer({ min: 0, max: 60 }) }),
  { maxLength: 7 },
);
/** Arrays as a form sends them: random ones are rarely sorted. */
const sortedBreaks = breaks.map((all) => {
  const quantities = all.map(({ quantity }) => quantity).toSorted((one, other) => one - other);
  const prices = all.map(({ price_cents }) => price_cents).toSorted((one, other) => other - one);
  return quantities.map((quantity, at) => ({ quantity, price_cents: prices[at] as number }));
});

async function areValid(given: unknown, minimum = 10, cents = 50): Promise<boolean> {
  const { rows } = await database.pool.query<{ valid: boolean }>(
    "SELECT shop.are_price_breaks($1, $2, $3) AS valid",
    [JSON.stringify(given), minimum, cents],
  );
  return rows[0]?.valid ?? false;
}

describe("the database", () => {
  test("accepts the same price breaks as the rules", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(breaks, sortedBreaks), async (given) => {
        const problem =
          breaksProblem({ price_cents: 50, minimum_order: 10 }, given) ??
          (given.some(({ price_cents }) => price_cents < 1) ? "free" : null);
        expect(await areValid(given)).toBe(problem === null);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [{}],
    ["none"],
    [[1]],
    [[{}]],
    [[{ quantity: 20 }]],
    [[{ price_cents: 20 }]],
    [[{ quantity: null, price_cents: null }]],
  ])("refuses %o", async (given) => {
    const valid = await areValid(given).catch((error: Error) => error.message);
    expect(valid === false || typeof valid === "string").toBe(true);
  });

  test("computes the same unit price as the rules", async () => {
    const valid = sortedBreaks.filter(
      (given) => breaksProblem({ price_cents: 50, minimum_order: 10 }, given) === null,
    );
    await fc.assert(
      fc.asyncProperty(valid, fc.integer({ min: 1, max: 80 }), async (given: PriceBreak[], pieces) => {
        const { rows } = await database.pool.query<{ cents: number }>(
          "SELECT shop.unit_price_cents(50, $1, $2) AS cents",
          [JSON.stringify(given), pieces],
        );
        expect(Number(rows[0]?.cents)).toBe(unitPriceCents({ price_cents: 50, price_breaks: given }, pieces));
      }),
      { numRuns: 200 },
    );
  });

  test("has no product whose minimum order is not a multiple", async () => {
    const add = (minimum: number, multiple: number) =>
      database.pool.query(
        `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, order_multiple, description)
         VALUES ('Wrench', '/tools/wrench.svg', 100, 0, $1, $2, 'A wrench.')`,
        [minimum, multiple],
      );
    await expect(add(20, 10)).resolves.toBeTruthy();
    await expect(add(25, 10)).rejects.toThrow(/product_minimum_is_multiple/);
    await expect(add(20, 0)).rejects.toThrow(/order_multiple/);
  });
});
