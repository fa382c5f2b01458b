/** Disputes whose webhook was lost: found by polling, and recorded like others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { syncDisputes } from "../../../shop/payments/find-disputes.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import type { Store } from "../../../shop/store.ts";
import {
  addProduct,
  cards,
  confirmCard,
  dropWebhooks,
  openPaymentFor,
  payFor,
  placeFor,
} from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let shop: Store;
let admin: SignedIn;
let ada: SignedIn;
beforeAll(async () => {
  store = await openStore();
  shop = shopOf(store);
  admin = await adminOf(store);
  ada = await register(store, "Ada");
  await dropWebhooks(store);
});
afterAll(() => store.stop());

/** An order paid with a card that is disputed at once, without a webhook. */
async function payDisputed({ confirmed = true } = {}) {
  const purchase = await placeFor(ada, await addProduct(admin));
  const payment = await openPaymentFor(ada, purchase);
  await confirmCard(store, ada, payment, cards.disputed);
  const parts = { params: { id: purchase._id }, body: { transactionId: payment.id } };
  if (confirmed) await ada.call("confirmPayment", parts);
  const orderState = async () => {
    const { status, disputed, timeline } = await admin.call("findOrder", { params: { id: purchase._id } });
    return { status, disputed: disputed ?? false, what: timeline.map(({ what }) => what) };
  };
  return { payment, orderState };
}

const decide = (paymentId: string, status: "won" | "lost") =>
  store.pool.query("UPDATE sandbox.dispute SET status = $2 WHERE payment_intent_id = $1", [
    paymentId,
    status,
  ]);
const backdate = (paymentId: string) =>
  store.pool.query(
    "UPDATE sandbox.dispute SET created_at = created_at - interval '60 days' WHERE payment_intent_id = $1",
    [paymentId],
  );
const discrepancies = async () => (await admin.call("reconcile", {})).faults.map(({ detail }) => detail);

test("the store finds them by itself, shortly after it has started", async () => {
  const { orderState } = await payDisputed();
  await expect
    .poll(orderState, { timeout: 45_000, interval: 1000 })
    .toEqual({ status: "paid", disputed: true, what: ["placed", "paid", "disputed"] });
  expect(await discrepancies()).toEqual([]);
});

test("the reconciliation lists missing ones; then they are recorded once", async () => {
  const { payment, orderState } = await payDisputed();
  expect(await discrepancies()).toEqual([
    expect.stringMatching(`disputes \\$125\\.00 of ${payment.id} .*, open\\); this is not recorded`),
  ]);
  expect(await syncDisputes(shop)).toBe(1);
  expect(await syncDisputes(shop)).toBe(0);
  expect(await discrepancies()).toEqual([]);
  await decide(payment.id, "lost");
  expect(await discrepancies()).toHaveLength(1);
  await Promise.all([syncDisputes(shop), syncDisputes(shop)]);
  expect(await orderState()).toEqual({
    status: "paid",
    disputed: false,
    what: ["placed", "paid", "disputed", "disputeLost"],
  });
  expect(await discrepancies()).toEqual([]);
});

test("a decision is found however old the dispute is", async () => {
  const { payment, orderState } = await payDisputed();
  await syncDisputes(shop);
  await backdate(payment.id);
  expect(await syncDisputes(shop)).toBe(0);
  expect((await orderState()).disputed).toBe(true);
  await decide(payment.id, "won");
  expect(await syncDisputes(shop)).toBe(1);
  expect(await orderState()).toMatchObject({
    disputed: false,
    what: ["placed", "paid", "disputed", "disputeWon"],
  });
});

test("one older than the period is not requested repeatedly", async () => {
  const { payment, orderState } = await payDisputed();
  await backdate(payment.id);
  expect(await syncDisputes(shop)).toBe(0);
  expect((await orderState()).disputed).toBe(false);
  expect(await syncDisputes(shop, 90)).toBe(1);
  expect((await orderState()).disputed).toBe(true);
});

test("an unrecorded payment is confirmed first", async () => {
  const { orderState } = await payDisputed({ confirmed: false });
  await syncDisputes(shop);
  expect(await orderState()).toEqual({
    status: "paid",
    disputed: true,
    what: ["placed", "paid", "disputed"],
  });
});

test("the refund of a late payment waits for its dispute; once lost, an admin resolves it", async () => {
  const purchase = await placeFor(ada, await addProduct(admin));
  const late = await openPaymentFor(ada, purchase);
  await confirmCard(store, ada, late, cards.disputed);
  // as if the provider had reported it as cancelled
  await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE id = $1", [late.id]);
  await payFor(store, ada, purchase);
  const parts = { params: { id: purchase._id }, body: { transactionId: late.id } };
  expect((await ada.send("confirmPayment", parts)).status).toBe(503);
  await syncDisputes(shop);
  const refundAfterPoll = async () => {
    const { rows } = await store.pool.query(
      `UPDATE shop.refund SET asked_at = now() - interval '40 days', checked_at = now() - interval '1 hour'
       WHERE payment_id = $1 RETURNING id`,
      [late.id],
    );
    await pollOpenPayments(shop);
    const { status } = (await store.pool.query("SELECT status FROM shop.refund WHERE id = $1", [rows[0].id]))
      .rows[0];
    return { id: rows[0].id, status };
  };
  expect(await refundAfterPoll()).toMatchObject({ status: "due" });
  await decide(late.id, "lost");
  await syncDisputes(shop);
  const { id, status } = await refundAfterPoll();
  expect(status).toBe("failed");
  expect((await admin.call("reconcile", {})).faults).toEqual([
    expect.objectContaining({ refundId: id, detail: expect.stringContaining("record a manual refund") }),
  ]);
  const body = { how: "The bank returned it after the dispute." };
  await admin.call("recordManualRefund", { params: { id }, body });
  expect(await discrepancies()).toEqual([]);
  // the invoice is of the other payment
  expect((await store.pool.query("SELECT FROM shop.credit_note WHERE refund_id = $1", [id])).rowCount).toBe(
    0,
  );
});

test("the provider's list can be read from a time on, page by page", async () => {
  const since = async (time: Date) => (await Array.fromAsync(store.payments.disputesSince(time))).length;
  const before = await since(new Date(0));
  await store.pool.query(
    `WITH charge AS (
       INSERT INTO sandbox.charge
       SELECT (jsonb_populate_record(NULL::sandbox.charge, to_jsonb(one) || jsonb_build_object(
         'id', 'ch_' || n, 'status', 'failed', 'failure_code', 'card_declined'))).*
       FROM (SELECT * FROM sandbox.charge LIMIT 1) AS one, generate_series(1, 250) AS n RETURNING *
     )
     INSERT INTO sandbox.dispute (id, payment_intent_id, charge_id, amount_cents, currency, reason, status, created_at)
     SELECT 'dp_' || id, payment_intent_id, id, 100, currency, 'general', 'lost',
       now() + make_interval(days => row_number() OVER (ORDER BY id)::integer) FROM charge`,
  );
  expect(await since(new Date(0))).toBe(before + 250);
  expect(await since(new Date(Date.now() + 150.5 * 86_400_000))).toBe(100);
});
