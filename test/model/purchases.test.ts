/**
 * Random sequences of steps against a model, on real PostgreSQL and the sandbox. RUNS=5000 for the long run; a
 * failure prints the shortest failing sequence, and its seed (SEED=).
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addProduct } from "../../shop/products/add.ts";
import { reconcile } from "../../shop/reconciliation/check.ts";
import { recordManualRefund } from "../../shop/refunds/resolve-failed.ts";
import type { User } from "../../shop/store.ts";
import { type Fixture, openFixture } from "../integration/payments/fixture.ts";
import type { Model } from "./model.ts";
import { expectEmails, newUser, type Real, startStore } from "./real.ts";
import { placeOrder } from "./steps/buying.ts";
import { taken } from "./steps/step.ts";
import { steps } from "./steps.ts";

const RUNS = Number(process.env.RUNS ?? 25);
const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const STEPS = 60;
/** On a busy machine; a quiet one takes a tenth of it. */
const MAX_SEQUENCE_MS = 5000;

let fixture: Fixture;
let users: { buyers: User[]; admin: User };
beforeAll(async () => {
  fixture = await openFixture();
  const store = startStore(fixture);
  users = {
    buyers: [await newUser(store, "user"), await newUser(store, "user")],
    admin: await newUser(store, "admin"),
  };
});
afterAll(() => fixture.close());

async function newModel(real: Real): Promise<Model> {
  const product = async (cents: number, stock: number, minimum: number) => {
    const form = {
      name: "Impact drill",
      picture: "/tools/x.svg",
      description: "A drill.",
      minimum_order: minimum,
    };
    const added = await addProduct(real.store, { ...form, price: cents / 100, quantity: stock });
    return { id: (added as { insertedId: string }).insertedId, cents, stock, minimum, archived: false };
  };
  const model: Model = {
    ...users,
    products: [await product(250, 30, 2), await product(1999, 12, 1)],
    purchases: [],
  };
  // every sequence begins with two orders, otherwise most steps could not be taken
  for (const which of [0, 1])
    await placeOrder(model, real, { which, who: which, quantity: 5, offByCents: 0 });
  return model;
}

test(`after any steps in any order, the shop matches the model (${RUNS} sequences)`, {
  timeout: 120_000 + RUNS * MAX_SEQUENCE_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps(STEPS), async (sequence) => {
      const real: Real = { fixture, store: startStore(fixture) };
      const model = await newModel(real);
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      await expectEmails(model, real);
    }),
    // out of time, it ends between two sequences, reports their number, and leaves nothing running
    {
      numRuns: RUNS,
      ...SEED,
      endOnFailure: false,
      interruptAfterTimeLimit: RUNS * MAX_SEQUENCE_MS,
      markInterruptAsFailure: true,
    },
  );
  if (process.env.RUNS) console.log(taken);
  // an ineffective test would take few steps, or always the same
  expect([...taken.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(RUNS * 10);
  expect(taken.size).toBeGreaterThan(17);
});

test("afterwards the doctor finds nothing", { timeout: 300_000 }, async () => {
  // late decisions of the bank arrive as webhook events
  const { handlePaymentEvent } = await import("../../shop/payments/webhook.ts");
  const store = startStore(fixture);
  const { rows } = await fixture.pool.query<{ id: string }>(
    `SELECT i.id FROM sandbox.payment_intent i JOIN shop.payment y ON y.id = i.id
     WHERE i.status = 'succeeded' AND y.status IN ('open', 'cancelled')`,
  );
  for (const { id } of rows) {
    await handlePaymentEvent(store, { type: "payment_intent.succeeded", intentId: id });
  }
  // and refunds that the bank rejected are paid another way
  const returned = await fixture.pool.query<{ id: string }>(
    "SELECT id FROM shop.refund WHERE status = 'failed'",
  );
  for (const { id } of returned.rows) expect(await recordManualRefund(store, id, "At the end.")).toBeNull();
  // the emails are only queued here, and holds were moved by hand
  await fixture.pool.query("DELETE FROM graphile_worker._private_jobs");
  await fixture.pool.query(
    "UPDATE shop.purchase SET placed_at = now() WHERE status = 'unpaid' AND cancelled_at IS NULL",
  );
  const { faults } = await reconcile(store, { days: 1, recheckAfterMs: 0 });
  expect(faults).toEqual([]);
});
