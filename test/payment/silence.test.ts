/**
 * A card provider that takes the call and never answers, or never ends its answer: whoever looks at the page is told
 * so in time, the order and the money are safe, and what nobody waits for has more patience.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Purchase } from "../../api/entities.ts";
import { refusals } from "../../shop/refusals.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer, openPaymentFor, placeFor, stopSweeping } from "../harness/trade.ts";
import { type Door, openDoor } from "./door.ts";
import { openWorld, PUBLISHABLE_KEY, payByPage, SECRET_KEY, WEBHOOK_SECRET, type World } from "./world.ts";

/** What a person is kept waiting at most, with what the machine needs besides. */
const LONGEST_MS = 17_000;

let world: World;
let door: Door;
let store: TestStore;
let buyer: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  world = await openWorld();
  door = await openDoor(world.base);
  store = await openStore({
    environment: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: door.base,
    },
  });
  await stopSweeping(store);
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
});
afterEach(() => {
  door.instead = null;
});
afterAll(async () => {
  // said once a minute, not at every question
  const said = store.logs.expect(/Stripe cannot be reached/).length;
  expect(said).toBeLessThan(8);
  await store.stop();
  await door.close();
  await world.close();
});

const order = async () => placeFor(buyer, await offer(admin));

/** An order whose card was charged, of which the store has not heard. */
async function charged() {
  const purchase = await order();
  const payment = await openPaymentFor(buyer, purchase);
  await payByPage(world, payment, "4242424242424242");
  return { purchase, settling: { params: { id: purchase._id }, body: { transactionId: payment.id } } };
}

const opening = ({ _id, total }: Purchase) => ({ body: { total, purchaseId: _id } });

async function timed<Answer>(ask: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const begun = Date.now();
  return { answer: await ask, ms: Date.now() - begun };
}

test.each(["silence", "half an answer"] as const)("with %s, a buyer is told within seconds", async (how) => {
  const unopened = await order();
  const { purchase, settling } = await charged();
  const open = await order();
  await openPaymentFor(buyer, open);
  door.asked.length = 0;
  door.instead = how;
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const waits = await Promise.all([
    timed(buyer.ask("createPaymentIntent", opening(unopened), key)),
    timed(buyer.ask("settlePayment", settling)),
    timed(buyer.ask("cancelPurchase", { params: { id: open._id } })),
  ]);
  for (const { answer, ms } of waits) {
    expect(answer).toMatchObject({ status: 503, body: { detail: refusals.paymentProviderDown } });
    expect(ms).toBeLessThan(LONGEST_MS);
  }
  expect(door.asked.length).toBeLessThanOrEqual(2 * waits.length);
  for (const { _id } of [unopened, purchase, open])
    expect(await buyer.call("findOrder", { params: { id: _id } })).toMatchObject({ status: "unpaid" });

  door.instead = null;
  // the same key may try again at once, and nothing was charged, opened or paid twice
  const { clientSecret } = (await buyer.ask("createPaymentIntent", opening(unopened), key)).body;
  expect(await buyer.call("createPaymentIntent", opening(unopened))).toEqual({ clientSecret });
  expect(await buyer.call("settlePayment", settling)).toMatchObject({ modifiedCount: 1 });
  expect(await buyer.call("cancelPurchase", { params: { id: open._id } })).toEqual({ deletedCount: 1 });
  const { rows } = await world.pool.query(
    `SELECT (SELECT count(*)::int FROM sandbox.payment_intent WHERE metadata->>'purchaseId' = $1) AS opened,
       (SELECT count(*)::int FROM sandbox.charge WHERE payment_intent_id = $2) AS charges`,
    [unopened._id, settling.body.transactionId],
  );
  expect(rows).toEqual([{ opened: 1, charges: 1 }]);
});

test("a refund is written down and made later, once", async () => {
  const { purchase, settling } = await charged();
  await buyer.call("settlePayment", settling);
  door.instead = "silence";
  const refund = { params: { id: purchase._id }, body: { amount: 5, reason: "One was scratched." } };
  const { answer, ms } = await timed(admin.ask("refundPurchase", refund));
  expect(answer).toMatchObject({ status: 200, body: { state: "due" } });
  expect(ms).toBeLessThan(LONGEST_MS);
  door.instead = null;
  const given = async () => {
    await store.pool.query("UPDATE shop.refund SET checked_at = checked_at - interval '1 minute'");
    const { rows } = await world.pool.query("SELECT amount_cents FROM sandbox.refund");
    const { refunded } = await buyer.call("findOrder", { params: { id: purchase._id } });
    const [kept] = (await store.pool.query("SELECT status FROM shop.refund")).rows;
    return { rows, refunded, kept };
  };
  await expect
    .poll(given, { timeout: 20_000, interval: 500 })
    .toEqual({ rows: [{ amount_cents: 500 }], refunded: 5, kept: { status: "done" } });
});

test("an answer after nine seconds is too late for a buyer, and in time for a job", async () => {
  const { settling } = await charged();
  door.instead = { afterMs: 9000 };
  const [told, found] = await Promise.all([
    timed(buyer.ask("settlePayment", settling)),
    // as sweep, webhook and expiry ask
    timed(store.payments.findIntent(settling.body.transactionId)),
  ]);
  expect(told.answer).toMatchObject({ status: 503, body: { detail: refusals.paymentProviderDown } });
  expect(told.ms).toBeLessThan(LONGEST_MS);
  expect(found.answer).toMatchObject({ status: "succeeded" });
});
