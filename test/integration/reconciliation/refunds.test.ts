/** Refunds by an admin: never more than was paid, once per click, with an email to the buyer. */

import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { PaymentUnavailable, RefundRejected } from "../../../shop/payments/provider-errors.ts";
import { handlePaymentEvent } from "../../../shop/payments/webhook.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { retryRefund } from "../../../shop/refunds/resolve-failed.ts";
import { submitRefund } from "../../../shop/refunds/submit.ts";
import { syncRefunds } from "../../../shop/refunds/sync.ts";
import { orderRefusals } from "../../../shop/texts/order-refusals.ts";
import { paymentRefusals } from "../../../shop/texts/payment-refusals.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { waitingStatements } from "../../harness/database.ts";
import {
  addProduct,
  cards,
  confirmCard,
  dropWebhooks,
  failedRefund,
  openPaymentFor,
  payFor,
  paymentOf,
  payOrder,
  placeFor,
  placeOrderFor,
  redeliverWebhooks,
} from "../../harness/orders.ts";
import { shopOf, userRow } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(async () => {
  const report = await admin.call("reconcile", {});
  expect(report.faults).toEqual([]);
  await expectConsistentStore(store.pool);
  await store.stop();
});

async function paidOrder(quantity = 10) {
  const product = await addProduct(admin);
  const purchase = await placeFor(buyer, product, quantity);
  await payFor(store, buyer, purchase);
  return { product, purchase, params: { id: purchase._id } };
}

const reason = "Two cartons arrived damaged.";

/** The provider's refunds of a purchase's payment, in cents. */
async function refundedCents(purchaseId: string): Promise<number> {
  const { rows } = await store.pool.query(
    `SELECT coalesce(sum(r.amount_cents), 0)::int AS cents FROM sandbox.refund r
     JOIN shop.purchase u ON u.transaction_id = r.payment_intent_id WHERE u.id = $1`,
    [purchaseId],
  );
  return rows[0].cents;
}

test("a part, then the rest; the buyer sees both, with the reason, and gets two emails", async () => {
  const { purchase, params } = await paidOrder();
  const part = await admin.call("refundPurchase", { params, body: { amount: 25.5, reason } });
  expect(part).toMatchObject({ amount: 25.5, state: "done" });
  const rest = await admin.call("refundPurchase", { params, body: { reason: "The rest came back." } });
  expect(rest).toMatchObject({ amount: 99.5, state: "done" });
  const order = await buyer.call("findOrder", { params });
  expect(order).toMatchObject({ status: "paid", refunded: 125 });
  expect(order.timeline.map(({ at: _, ...event }) => event)).toEqual([
    { what: "placed" },
    { what: "paid" },
    { what: "refunded", amount: 25.5, reason },
    { what: "refunded", amount: 99.5, reason: "The rest came back." },
  ]);
  expect(await refundedCents(purchase._id)).toBe(12_500);
  const emails = () =>
    store.outbox().then((all) => all.filter(({ subject }) => subject.startsWith("Refund")));
  await expect
    .poll(async () => (await emails()).map(({ subject }) => subject.split(":")[0]).sort())
    .toEqual(["Refund of $25.50", "Refund of $99.50"]);
  const { transactionId } = order;
  for (const { text } of await emails()) expect(text).toContain(transactionId);
});

test("more than the rest is refused, with the rest", async () => {
  const { purchase, params } = await paidOrder();
  await admin.call("refundPurchase", { params, body: { amount: 100, reason } });
  const more = await admin.send("refundPurchase", { params, body: { amount: 25.01, reason } });
  expect(more).toMatchObject({ status: 422, body: { fields: { amount: refusals.refundTooHigh("$25.00") } } });
  expect(await refundedCents(purchase._id)).toBe(10_000);
});

test("ten concurrent refunds never exceed the payment", async () => {
  const { purchase, params } = await paidOrder();
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => admin.send("refundPurchase", { params, body: { amount: 30, reason } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, ...Array(6).fill(422)]);
  expect(await refundedCents(purchase._id)).toBe(12_000);
});

test("of two that were entered for the same state of the order, one is made", async () => {
  const { purchase, params } = await paidOrder();
  const send = (amount: number, seenRefunded: number) =>
    admin.send("refundPurchase", { params, body: { amount, reason, seenRefunded } });
  const replies = await Promise.all([send(30, 0), send(31, 0)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refunded = (await refundedCents(purchase._id)) / 100;
  const detail = orderRefusals.refundedMeanwhile(`$${refunded}.00`, "$0.00");
  expect(await send(1, 0)).toMatchObject({ status: 409, body: { detail } });
  expect(await send(1, refunded)).toMatchObject({ status: 200 });
});

test("unpaid, cancelled or fully refunded purchases have nothing to refund", async () => {
  const product = await addProduct(admin);
  const unpaid = await placeFor(buyer, product);
  const send = (id: string) => admin.send("refundPurchase", { params: { id }, body: { reason } });
  expect(await send(unpaid._id)).toMatchObject({
    status: 409,
    body: { detail: refusals.unpaidCannotBeRefunded },
  });
  await buyer.call("cancelPurchase", { params: { id: unpaid._id } });
  expect(await send(unpaid._id)).toMatchObject({ status: 404, body: { detail: refusals.purchaseNotFound } });
  const { purchase } = await paidOrder();
  await send(purchase._id);
  expect(await send(purchase._id)).toMatchObject({ status: 409, body: { detail: refusals.alreadyRefunded } });
});

test("a refund needs a reason", async () => {
  const { params } = await paidOrder();
  const silent = await admin.send("refundPurchase", { params, body: {} });
  expect(silent).toMatchObject({ status: 422, body: { fields: { reason: refusals.reasonRequired } } });
});

test("pieces are restocked once, and no longer shipped", async () => {
  const { product, params } = await paidOrder(40);
  const body = { amount: 100, reason, returnToStock: true };
  await admin.call("refundPurchase", { params, body });
  expect(await buyer.call("findProduct", { params: { id: product._id } })).toMatchObject({ quantity: 1000 });
  const again = await admin.send("refundPurchase", { params, body });
  expect(again).toMatchObject({ status: 422, body: { fields: { returnToStock: refusals.alreadyReturned } } });
  const ship = await admin.send("shipPurchase", { params });
  expect(ship).toMatchObject({ status: 409, body: { detail: refusals.refundedCannotBeShipped } });
});

test("the pieces of an order just shipped cannot be restocked; later they can", async () => {
  const { product, params } = await paidOrder();
  await admin.call("shipPurchase", { params });
  const body = { reason, returnToStock: true };
  const stale = { params, body: { ...body, seenStatus: "paid" as const } };
  const changed = { status: 409, body: { detail: refusals.orderChanged } };
  expect(await admin.send("refundPurchase", stale)).toMatchObject(changed);
  const early = { status: 422, body: { fields: { returnToStock: refusals.restockJustShipped } } };
  expect(await admin.send("refundPurchase", { params, body })).toMatchObject(early);
  await store.pool.query(
    `UPDATE shop.purchase SET shipped_at = shipped_at - interval '11 seconds',
       paid_at = paid_at - interval '11 seconds', placed_at = placed_at - interval '11 seconds' WHERE id = $1`,
    [params.id],
  );
  await admin.call("refundPurchase", { params, body });
  expect(await buyer.call("findProduct", { params: { id: product._id } })).toMatchObject({ quantity: 1000 });
});

test("the pieces of a line of which a part was just shipped cannot be restocked; the shipment can be undone", async () => {
  const { purchase, params } = await paidOrder();
  const lines = [{ purchaseId: purchase._id, quantity: 4 }];
  const shipment = await admin.call("shipOrder", { params, body: { lines } });
  const body = { reason, returnToStock: true };
  const early = { status: 422, body: { fields: { returnToStock: refusals.restockJustShipped } } };
  expect(await admin.send("refundPurchase", { params, body })).toMatchObject(early);
  await admin.call("undoShipment", { params: { id: shipment._id } });
  expect(await admin.call("refundPurchase", { params, body })).toMatchObject({ amount: 125, state: "done" });
});

test("with an unreachable provider the refund is made later, once; until then its pieces cannot be shipped", async () => {
  const { purchase, params } = await paidOrder();
  const body = { amount: 10, reason, returnToStock: true };
  await store.pool.query("ALTER TABLE sandbox.refund RENAME TO refund_away");
  const requested = await admin.call("refundPurchase", { params, body });
  expect(requested.state).toBe("due");
  const again = await admin.send("refundPurchase", { params, body });
  expect(again).toMatchObject({ status: 422, body: { fields: { returnToStock: refusals.restockPending } } });
  const pending = { status: 409, body: { detail: refusals.restockingCannotBeShipped } };
  expect(await admin.send("shipPurchase", { params })).toMatchObject(pending);
  const { orders } = await admin.call("searchPurchases", { query: { status: "refunded", q: purchase._id } });
  expect(orders).toMatchObject([{ _id: purchase._id, status: "paid", restocking: true }]);
  const order = await buyer.call("findOrder", { params });
  expect(order.timeline.at(-1)).toMatchObject({ what: "refunding", amount: 10, reason });
  await store.pool.query("ALTER TABLE sandbox.refund_away RENAME TO refund");
  await store.pool.query(
    "UPDATE shop.refund SET checked_at = checked_at - interval '1 minute' WHERE status = 'due'",
  );
  const timeline = async () => (await buyer.call("findOrder", { params })).timeline;
  await expect
    .poll(timeline, { timeout: 15_000 })
    .toContainEqual(expect.objectContaining({ what: "refunded", amount: 10 }));
  expect(await refundedCents(purchase._id)).toBe(1000);
  store.logs.expect(/refund/);
  store.logs.expect(/card payment: Stripe fails/);
});

test("a refund of everything in the provider's dashboard is recorded, also if it is reported while a part is pending", async () => {
  const { purchase, params } = await paidOrder();
  const { transactionId = "" } = await buyer.call("findOrder", { params });
  const { payments, ...shop } = shopOf(store);
  const refund = () => Promise.reject(new PaymentUnavailable("The provider does not respond."));
  const user = await userRow(store, admin);
  const refundId = crypto.randomUUID();
  const away = { ...shop, payments: { ...payments, refund } };
  const form = { amount: 30, reason, returnToStock: false };
  const pending = await refundPurchase(away, user, purchase._id, form, refundId);
  expect(pending).toMatchObject({ state: "due" });
  const nextAttempt = (seconds: number) =>
    store.pool.query("UPDATE shop.refund SET checked_at = now() + make_interval(secs => $2) WHERE id = $1", [
      refundId,
      seconds,
    ]);
  await nextAttempt(30);
  const elsewhere = { intentId: transactionId, reason: "By hand", idempotencyKey: `desk-${purchase._id}` };
  await store.payments.refund({ ...elsewhere, amountCents: 12_500 });
  await handlePaymentEvent(shopOf(store), { type: "charge.refunded", intentId: transactionId });
  expect((await buyer.call("findOrder", { params })).refunded).toBe(30);
  await nextAttempt(-3600);
  await expect
    .poll(async () => (await buyer.call("findOrder", { params })).refunded, { timeout: 15_000 })
    .toBe(125);
  expect(await admin.send("shipPurchase", { params })).toMatchObject({ status: 409 });
});

test("a refund that is requested twice at once is made once", async () => {
  const { purchase } = await paidOrder();
  const user = await userRow(store, admin);
  const refundId = crypto.randomUUID();
  const form = { amount: 30, reason, returnToStock: false };
  const request = () => refundPurchase(shopOf(store), user, purchase._id, form, refundId);
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.purchase WHERE id = $1 FOR NO KEY UPDATE", [purchase._id]);
  const requests = [request(), request()];
  await expect.poll(() => waitingStatements(store.pool, "refunded_cents")).toBeGreaterThanOrEqual(2);
  await holder.query("COMMIT");
  holder.release();
  const made = { refundId, amount: 30, state: "done" };
  expect(await Promise.all(requests)).toEqual([made, made]);
  expect(await refundedCents(purchase._id)).toBe(3000);
});

/** The provider keeps idempotency keys for a day. */
async function expireKeys(refundId: string): Promise<void> {
  await store.pool.query("DELETE FROM sandbox.idempotency");
  await store.pool.query(
    "UPDATE shop.refund SET asked_at = now() - interval '25 hours', checked_at = now() WHERE id = $1",
    [refundId],
  );
}

test("a refund whose response was lost is not repeated after its idempotency key expired", async () => {
  const { purchase } = await paidOrder();
  const { payments, ...shop } = shopOf(store);
  const refund: typeof payments.refund = async (request) => {
    await payments.refund(request);
    throw new PaymentUnavailable("The response was lost.");
  };
  const user = await userRow(store, admin);
  const refundId = crypto.randomUUID();
  const form = { amount: 30, reason, returnToStock: false };
  await dropWebhooks(store);
  const lossy = { ...shop, payments: { ...payments, refund } };
  expect(await refundPurchase(lossy, user, purchase._id, form, refundId)).toMatchObject({
    state: "due",
  });
  await expireKeys(refundId);
  expect(await submitRefund(shopOf(store), refundId)).toBe("done");
  expect(await refundedCents(purchase._id)).toBe(3000);
  await redeliverWebhooks(store);
});

const countEmails = (subject: string) =>
  store.outbox().then((emails) => emails.filter((mail) => mail.subject.startsWith(subject)).length);

test("a refund that the bank rejects stays owed; buyer and reconciliation show it, until it is retried", async () => {
  const { purchase, refundId } = await failedRefund(store, admin, buyer, reason);
  const params = { id: purchase._id };
  const order = await buyer.call("findOrder", { params });
  expect(order).toMatchObject({ status: "paid", refunded: 125 });
  const why = paymentRefusals.refundFailures.expired_or_canceled_card;
  expect(order.timeline.at(-1)).toMatchObject({ amount: 125, reason: why });
  await expect.poll(() => countEmails("Your refund of $125.00 failed")).toBe(1);
  expect(await admin.send("shipPurchase", { params })).toMatchObject({ status: 409 });
  const { faults } = await admin.call("reconcile", { query: { since: new Date().toISOString() } });
  expect(faults).toEqual([
    expect.objectContaining({
      purchaseId: purchase._id,
      refundId,
      detail: expect.stringContaining(`failed. ${why}`),
    }),
  ]);

  const retry = { params: { id: refundId } };
  expect(await buyer.send("retryRefund", retry)).toMatchObject({ status: 403 });
  const [one, other] = await Promise.all([
    admin.call("retryRefund", retry),
    admin.call("retryRefund", retry),
  ]);
  expect([one, other]).toEqual([{ state: "done" }, { state: "done" }]);
  const events = (await buyer.call("findOrder", { params })).timeline.map(({ what }) => what);
  expect(events).toEqual(["placed", "paid", "refunded", "refundReturned", "refunded"]);
  expect(await refundedCents(purchase._id)).toBe(25_000); // of which the bank rejected one
  await rejectAndSettle(refundId);
});

/** The card's bank rejects the retried refund as well; then the admin refunds manually. */
async function rejectAndSettle(id: string): Promise<void> {
  await failRefunds(store.pool, 0);
  const settle = { params: { id }, body: { how: "Bank transfer of November 20." } };
  await expect.poll(async () => (await admin.send("recordManualRefund", settle)).status).toBe(200);
}

test("a late retry of a failed refund makes a new one, also after its idempotency key expired", async () => {
  await dropWebhooks(store);
  const { purchase, refundId } = await failedRefund(store, admin, buyer, reason);
  const { payments, ...shop } = shopOf(store);
  const refund = () => Promise.reject(new PaymentUnavailable("The provider does not respond."));
  const away = { ...shop, payments: { ...payments, refund } };
  expect(await retryRefund(away, refundId)).toEqual({ state: "due" });
  await expireKeys(refundId);
  expect(await submitRefund(shopOf(store), refundId)).toBe("done");
  expect(await refundedCents(purchase._id)).toBe(25_000);
  await redeliverWebhooks(store);
  await rejectAndSettle(refundId);
});

test("a refund that cannot go to the card is recorded manually, and its buyer sees how", async () => {
  const { purchase, refundId } = await failedRefund(store, admin, buyer, reason);
  const params = { id: purchase._id };
  const record = (how: string) =>
    admin.send("recordManualRefund", { params: { id: refundId }, body: { how } });
  expect(await record(" ")).toMatchObject({ status: 422, body: { fields: { how: refusals.howRequired } } });
  const how = "Bank transfer of November 20.";
  const presses = await Promise.all([record(how), record(how)]);
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const order = await buyer.call("findOrder", { params });
  expect(order.refunded).toBe(125);
  expect(order.timeline.at(-1)).toMatchObject({ what: "refundSettled", amount: 125, reason: how });
  await expect.poll(() => countEmails("Manual refund of $125.00")).toBeGreaterThan(0);
  const over = { status: 409, body: { detail: paymentRefusals.refundNotFailed } };
  expect(await admin.send("retryRefund", { params: { id: refundId } })).toMatchObject(over);
  const unknown = { params: { id: crypto.randomUUID() } };
  expect(await admin.send("retryRefund", unknown)).toMatchObject({ status: 404 });
});

test("a reason, and how a refund was made manually, may have several lines", async () => {
  const { refundId, purchase } = await failedRefund(
    store,
    admin,
    buyer,
    "Two cartons are damaged.\nAgreed by phone.",
  );
  const how = "Bank transfer\nof November 20";
  await admin.call("recordManualRefund", { params: { id: refundId }, body: { how } });
  const { timeline } = await buyer.call("findOrder", { params: { id: purchase._id } });
  expect(timeline.map(({ reason: shown }) => shown)).toEqual(
    expect.arrayContaining(["Two cartons are damaged.\nAgreed by phone.", how]),
  );
});

test("a refund repeated in the provider's dashboard is not submitted again", async () => {
  const { purchase, refundId } = await failedRefund(store, admin, buyer, reason);
  const params = { id: purchase._id };
  const { transactionId = "" } = await buyer.call("findOrder", { params });
  await store.payments.refund({ intentId: transactionId, reason: "Once more", idempotencyKey: purchase._id });
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  const last = async () => (await buyer.call("findOrder", { params })).timeline.at(-1)?.what;
  await expect.poll(last, { timeout: 10_000 }).toBe("refunded");
  expect(await buyer.call("findOrder", { params })).toMatchObject({ refunded: 125 });
  const { rows } = await store.pool.query("SELECT status FROM shop.refund WHERE id = $1", [refundId]);
  expect(rows).toEqual([{ status: "done" }]);
});

/** An order of two lines with one payment, to be refunded in the provider's dashboard. */
async function orderOfTwoLines(quantities: [number, number], card?: string) {
  const lines: [Product, number][] = [];
  for (const quantity of quantities) lines.push([await addProduct(admin), quantity]);
  const order = await placeOrderFor(buyer, lines);
  const paymentId = await payOrder(store, buyer, order._id, { orderId: order._id, total: order.total }, card);
  const refunds = async () => (await buyer.call("findOrderDetails", { params: { id: order._id } })).refunds;
  return {
    order,
    refund: (key: string, amountCents: number) => {
      const idempotencyKey = `${key}-${order._id}`;
      return store.payments.refund({ intentId: paymentId, reason: "By hand", amountCents, idempotencyKey });
    },
    sync: () => syncRefunds(shopOf(store), paymentId),
    amounts: async () => (await refunds()).map(({ amount }) => amount),
    states: async () => (await refunds()).map(({ state }) => state),
  };
}

test("a refund of one line in the provider's dashboard is recorded once, also if it is reported twice at once", async () => {
  const { order, refund, sync, amounts } = await orderOfTwoLines([10, 20]);
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.purchase WHERE order_id = $1 FOR NO KEY UPDATE", [order._id]);
  await refund("desk", 12_500);
  const reports = [sync(), sync()];
  await expect.poll(() => waitingStatements(store.pool)).toBeGreaterThanOrEqual(2);
  await holder.query("COMMIT");
  holder.release();
  await Promise.all(reports);
  await expect.poll(amounts).toEqual([125]);
});

test("a refund of several lines in the provider's dashboard agrees with the provider", async () => {
  const { refund, amounts } = await orderOfTwoLines([10, 20]);
  await refund("desk", 30_000);
  await expect.poll(amounts).toEqual([125, 175]);
  const { faults } = await admin.call("reconcile", { query: { since: new Date().toISOString() } });
  expect(faults).toEqual([]);
});

test("a refund of several lines that the bank rejects can be repeated in the provider's dashboard", async () => {
  await dropWebhooks(store);
  const { refund, sync, states } = await orderOfTwoLines([10, 20], cards.failingRefund);
  await refund("desk", 37_500);
  await sync();
  expect(await states()).toEqual(["done", "done"]);
  await failRefunds(store.pool, 0);
  expect(await sync()).toBe(1);
  expect(await states()).toEqual(["failed", "failed"]);
  await refund("again", 37_500);
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  await sync();
  expect(await states()).toEqual(["done", "done"]);
  await redeliverWebhooks(store);
});

test("a refund of everything in the provider's dashboard includes one that failed before", async () => {
  await dropWebhooks(store);
  const { order, refund, sync, amounts, states } = await orderOfTwoLines([10, 20], cards.failingRefund);
  for (const amount of [3_000, 20_000]) await refund(`desk-${amount}`, amount);
  await sync();
  await failRefunds(store.pool, 0);
  await sync();
  expect(await states()).toEqual(["failed", "failed", "failed"]);
  await refund("all", 37_500);
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  expect(await Promise.all([sync(), sync()])).toContain(1);
  expect(await sync()).toBe(0);
  expect(await states()).toEqual(["done", "done", "done", "done"]);
  expect(await amounts()).toEqual([125, 75, 30, 145]);
  const lines = order.lines.map(({ _id, purchaseQuantity }) => ({
    purchaseId: _id,
    quantity: purchaseQuantity,
  }));
  const parts = { params: { id: order._id }, body: { lines } };
  expect(await admin.send("shipOrder", parts)).toMatchObject({ status: 409 });
  await redeliverWebhooks(store);
});

test("a refund of several lines that is repeated while one of them is recorded manually is no deadlock", async () => {
  await dropWebhooks(store);
  const { order, refund, sync, states } = await orderOfTwoLines([10, 20], cards.failingRefund);
  await refund("desk", 37_500);
  await sync();
  await failRefunds(store.pool, 0);
  await sync();
  await refund("again", 37_500);
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  const { rows: ids } = await store.pool.query<{ id: string }>(
    `SELECT refund.id FROM shop.refund JOIN shop.purchase ON purchase.id = purchase_id
     WHERE order_id = $1 ORDER BY refund.id`,
    [order._id],
  );
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.document_number WHERE kind = 'credit note' FOR NO KEY UPDATE");
  const repeated = sync();
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  const recorded = admin.send("recordManualRefund", {
    params: { id: ids[1]?.id ?? "" },
    body: { how: "By bank transfer." },
  });
  await expect.poll(() => waitingStatements(store.pool)).toBe(2);
  await holder.query("COMMIT");
  holder.release();
  expect(await repeated).toBe(1);
  expect(await recorded).toMatchObject({ status: 409 });
  expect(await states()).toEqual(["done", "done"]);
  await redeliverWebhooks(store);
});

test("a refund of several lines that is repeated while more of one of them is refunded is no deadlock", async () => {
  await dropWebhooks(store);
  const { order, refund, sync, states } = await orderOfTwoLines([10, 20], cards.failingRefund);
  await refund("desk", 30_000);
  await sync();
  await failRefunds(store.pool, 0);
  await sync();
  await refund("again", 30_000);
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.document_number WHERE kind = 'credit note' FOR NO KEY UPDATE");
  const repeated = sync();
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  const more = admin.send("refundPurchase", {
    params: { id: order.lines[1]?._id ?? "" },
    body: { amount: 10, reason },
  });
  await expect.poll(() => waitingStatements(store.pool)).toBe(2);
  await holder.query("COMMIT");
  holder.release();
  expect(await repeated).toBe(1);
  expect(await more).toMatchObject({ status: 200, body: { state: "done" } });
  await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
  expect(await states()).toEqual(["done", "done", "done"]);
  await redeliverWebhooks(store);
});

test("of two refunds that the bank rejects, one that is repeated completes one", async () => {
  await dropWebhooks(store);
  const { refund, sync, states } = await orderOfTwoLines([10, 10], cards.failingRefund);
  for (const key of ["first", "second"]) {
    await refund(key, 12_500);
    await sync();
  }
  expect(await states()).toEqual(["done", "done"]);
  await failRefunds(store.pool, 0);
  await sync();
  expect(await states()).toEqual(["failed", "failed"]);
  for (const [key, after] of [
    ["again", ["done", "failed"]],
    ["once more", ["done", "done"]],
  ] as const) {
    await refund(key, 12_500);
    await store.pool.query("UPDATE sandbox.refund SET comes_back = false WHERE failed_at IS NULL");
    await sync();
    expect((await states()).sort()).toEqual(after);
  }
  await redeliverWebhooks(store);
});

test("the share of a cancelled line that could not be refunded, made in the provider's dashboard, is not one of the other line", async () => {
  await dropWebhooks(store);
  const product = await addProduct(admin);
  const order = await placeOrderFor(buyer, [
    [product, 10],
    [await addProduct(admin), 20],
  ]);
  const { clientSecret } = await buyer.call("createPaymentIntent", {
    body: { total: order.total, orderId: order._id },
  });
  const payment = paymentOf(clientSecret);
  await confirmCard(store, buyer, payment);
  // as if the line had been cancelled between the charge and its confirmation
  await store.pool.query(
    `WITH gone AS (
       UPDATE shop.purchase SET cancelled_at = now(), cancelled_because = 'expired' WHERE order_id = $1 AND line_number = 1
       RETURNING *
     ), back AS (
       UPDATE shop.product SET quantity = product.quantity + gone.quantity FROM gone WHERE product.id = gone.product_id
     )
     INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
     SELECT product_id, quantity, 'cancelled', id FROM gone`,
    [order._id],
  );
  const { payments, ...shop } = shopOf(store);
  const refund = () => Promise.reject(new RefundRejected("Insufficient balance.", "noBalance"));
  const succeeded = { type: "payment_intent.succeeded", intentId: payment.id };
  await handlePaymentEvent({ ...shop, payments: { ...payments, refund } }, succeeded);
  const states = async () =>
    (
      await store.pool.query("SELECT status, origin, amount_cents FROM shop.refund WHERE payment_id = $1", [
        payment.id,
      ])
    ).rows;
  const late = { origin: "late", amount_cents: 12_500 };
  expect(await states()).toEqual([{ ...late, status: "due" }]);
  const elsewhere = { intentId: payment.id, reason: "By hand", idempotencyKey: `desk-${order._id}` };
  await store.payments.refund({ ...elsewhere, amountCents: 12_500 });
  expect(await syncRefunds(shopOf(store), payment.id)).toBe(1);
  expect(await states()).toEqual([{ ...late, status: "done" }]);
  const paid = await buyer.call("findOrder", { params: { id: order.lines[1]?._id ?? "" } });
  expect(paid).toMatchObject({ status: "paid", total: 250 });
  expect(paid).not.toHaveProperty("refunded");
  await redeliverWebhooks(store);
});

test("a refund that is reported before its payment is recorded with the payment", async () => {
  await dropWebhooks(store);
  const purchase = await placeFor(buyer, await addProduct(admin));
  const payment = await openPaymentFor(buyer, purchase);
  // recently, so that it is not polled
  await store.pool.query("UPDATE shop.payment SET checked_at = now() + interval '30 seconds' WHERE id = $1", [
    payment.id,
  ]);
  await confirmCard(store, buyer, payment);
  const elsewhere = { intentId: payment.id, reason: "By hand", idempotencyKey: `desk-${purchase._id}` };
  await store.payments.refund({ ...elsewhere, amountCents: 12_500 });
  const shop = shopOf(store);
  await handlePaymentEvent(shop, { type: "charge.refunded", intentId: payment.id });
  await handlePaymentEvent(shop, { type: "payment_intent.succeeded", intentId: payment.id });
  expect(await buyer.call("findOrder", { params: { id: purchase._id } })).toMatchObject({
    status: "paid",
    refunded: 125,
  });
  await redeliverWebhooks(store);
});

test("the provider's reason is shown to the admin, and kept on the order, but not shown to the buyer", async () => {
  const { purchase, params } = await paidOrder();
  const { transactionId = "" } = await buyer.call("findOrder", { params });
  await dropWebhooks(store);
  // in the provider's dashboard, without a webhook
  const elsewhere = { intentId: transactionId, reason: "By hand", idempotencyKey: `desk-${purchase._id}` };
  await store.payments.refund({ ...elsewhere, amountCents: 12_000 });
  const send = (amount: number, key: string) =>
    admin.send(
      "refundPurchase",
      { params, body: { amount, reason, returnToStock: true } },
      { "idempotency-key": key },
    );
  const tooMuch = paymentRefusals.refundRefused(paymentRefusals.refundAboveRest);
  expect(await send(10, "first-press")).toMatchObject({ status: 409, body: { detail: tooMuch } });
  expect(await send(10, "first-press")).toMatchObject({ status: 409, body: { detail: tooMuch } });
  await store.payments.refund({ ...elsewhere, amountCents: 500, idempotencyKey: `rest-${purchase._id}` });
  const nothing = paymentRefusals.refundRefused(paymentRefusals.refundOfNothing);
  expect(await send(5, "second-press")).toMatchObject({ status: 409, body: { detail: nothing } });

  const order = await admin.call("findOrder", { params });
  expect(order.refunded).toBeUndefined();
  expect(order.timeline.slice(2).map(({ at: _, ...event }) => event)).toEqual([
    { what: "refundRefused", amount: 10, reason: paymentRefusals.refundAboveRest },
    { what: "refundRefused", amount: 5, reason: paymentRefusals.refundOfNothing },
  ]);
  const found = await buyer.call("findOrder", { params });
  expect(found.timeline.map(({ what }) => what)).toEqual(["placed", "paid"]);
  // a refused refund restocks nothing
  expect(await admin.call("shipPurchase", { params })).toEqual({ modifiedCount: 1 });
  await redeliverWebhooks(store);
  await expect.poll(async () => (await buyer.call("findOrder", { params })).refunded).toBe(125);
});
