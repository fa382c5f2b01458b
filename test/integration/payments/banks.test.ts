/** Slow decisions and disputes of banks, through the real store. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { paymentRefusals } from "../../../shop/texts/payment-refusals.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import {
  addProduct,
  cards,
  confirmCard,
  openPaymentFor,
  paymentOf,
  payOrder,
  placeFor,
  placeOrderFor,
} from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada");
});
afterEach(async () => {
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
});
afterAll(() => store.stop());

const orderOf = (purchase: Purchase, who = ada) => who.call("findOrder", { params: { id: purchase._id } });
const emailsAbout = async (subject: RegExp) =>
  (await store.outbox(ada.email)).filter((mail) => subject.test(mail.subject));

async function payWith(card: string) {
  const purchase = await placeFor(ada, await addProduct(admin));
  const payment = await openPaymentFor(ada, purchase);
  const confirmed = await confirmCard(store, ada, payment, card);
  const confirm = () =>
    ada.send("confirmPayment", { params: { id: purchase._id }, body: { transactionId: payment.id } });
  return { purchase, payment, confirmed, confirm };
}

/** The bank has decided. */
const finishProcessing = () =>
  store.pool.query(
    "UPDATE sandbox.payment_intent SET processing_at = now() - interval '1 hour' WHERE status = 'processing'",
  );

describe("a slow bank", () => {
  test("shows the buyer to wait, not to pay again; a later success pays the order", async () => {
    const { purchase, payment, confirmed, confirm } = await payWith(cards.processing);
    expect(confirmed.body).toMatchObject({ status: "processing", amount: 12_500 });
    expect(await confirm()).toMatchObject({
      status: 409,
      body: { code: "payment_processing", detail: refusals.paymentProcessing },
    });
    // reopening the page gives the same payment, and a second card is not charged
    expect(await openPaymentFor(ada, purchase)).toEqual(payment);
    expect((await confirmCard(store, ada, payment)).status).toBe(400);
    // nor can the order be cancelled while the bank is processing it
    expect(await ada.send("cancelPurchase", { params: { id: purchase._id } })).toMatchObject({
      status: 409,
      body: { detail: paymentRefusals.paymentUnderWay },
    });
    await finishProcessing();
    await expect.poll(async () => (await orderOf(purchase)).status, { timeout: 20_000 }).toBe("paid");
    expect(await confirm()).toMatchObject({ status: 200, body: { modifiedCount: 0 } });
    expect(await emailsAbout(/^Payment declined/)).toEqual([]);
  });

  test("sends the buyer one email when it declines in the end; another card pays", async () => {
    const { purchase, payment, confirm } = await payWith(cards.processingDeclined);
    expect((await confirm()).status).toBe(409);
    await finishProcessing();
    await expect.poll(() => emailsAbout(/^Payment declined/), { timeout: 20_000 }).toHaveLength(1);
    expect((await orderOf(purchase)).status).toBe("unpaid");
    expect(await confirm()).toMatchObject({
      status: 409,
      body: { code: "payment_not_succeeded", detail: refusals.transactionNotSucceeded },
    });
    expect((await confirmCard(store, ada, payment)).body.status).toBe("succeeded");
    expect(await confirm()).toMatchObject({ status: 200 });
    expect(await emailsAbout(/^Payment declined/)).toHaveLength(1);
  });
});

test("a declined payment of several orders is one email for each, with a button that pays it", async () => {
  const [saw, plane] = [
    await addProduct(admin, { name: "Table saw" }),
    await addProduct(admin, { name: "Planer" }),
  ];
  const several = await placeOrderFor(ada, [
    [saw, 10],
    [plane, 10],
  ]);
  const single = await placeFor(ada, saw);
  const purchaseIds = [...several.lines.map(({ _id }) => _id), single._id];
  const body = { total: several.total + single.total, purchaseIds };
  const { clientSecret } = await ada.call("createPaymentIntent", { body });
  const payment = paymentOf(clientSecret);
  await confirmCard(store, ada, payment, cards.processingDeclined);
  const confirm = () =>
    ada.send("confirmPayment", { params: { id: single._id }, body: { transactionId: payment.id } });
  expect((await confirm()).status).toBe(409);
  await finishProcessing();
  const aboutOrder = new RegExp(`^Payment declined: 2 lines of order ${several.number}, \\$250\\.00`);
  await expect.poll(() => emailsAbout(aboutOrder), { timeout: 20_000 }).toHaveLength(1);
  await expect
    .poll(() => emailsAbout(/^Payment declined: 10 × Table saw/), { timeout: 20_000 })
    .toHaveLength(1);
  const [mail] = await emailsAbout(aboutOrder);
  expect(mail?.text).toContain(`/dashboard/payment/${several._id}`);
  expect((await confirmCard(store, ada, payment)).body.status).toBe("succeeded");
  expect((await confirm()).status).toBe(200);
});

describe("a dispute", () => {
  const timelineOf = async (purchase: Purchase) =>
    (await orderOf(purchase)).timeline.map(({ what, amount, reason }) => [what, amount, reason]);

  async function disputed() {
    const { purchase, payment, confirm } = await payWith(cards.disputed);
    await confirm();
    await expect.poll(async () => (await orderOf(purchase, admin)).disputed, { timeout: 20_000 }).toBe(true);
    const { rows } = await store.pool.query<{ id: string }>(
      "SELECT id FROM sandbox.dispute WHERE payment_intent_id = $1",
      [payment.id],
    );
    return { purchase, payment, dispute: rows[0]?.id ?? "" };
  }

  /** An operator responds to a dispute with the store's own key. */
  async function decide(dispute: string, evidence: string) {
    const { rowCount } = await store.pool.query(
      `WITH changed AS (UPDATE sandbox.dispute SET status = $2 WHERE id = $1 RETURNING *)
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT 'evt_' || $1, 'charge.dispute.closed', to_jsonb(changed) FROM changed`,
      [dispute, evidence],
    );
    expect(rowCount).toBe(1);
  }

  test("keeps the order, and is shown to the admin and in the audit log; the bank's decision ends it", async () => {
    const { purchase, payment, dispute } = await disputed();
    expect(await timelineOf(purchase)).toEqual([
      ["placed", undefined, undefined],
      ["paid", undefined, undefined],
      ["disputed", 125, "fraudulent"],
    ]);
    const { orders } = await admin.call("searchPurchases", { query: { q: purchase._id } });
    expect(orders).toMatchObject([{ status: "paid", disputed: true }]);
    // a disputed payment is not refunded as well, and stays refundable
    const refund = { params: { id: purchase._id }, body: { reason: "As agreed." } };
    expect(await admin.send("refundPurchase", refund)).toMatchObject({ status: 409 });
    expect((await orderOf(purchase)).refunded).toBeUndefined();
    await decide(dispute, "won");
    await expect.poll(async () => (await orderOf(purchase)).disputed, { timeout: 20_000 }).toBeUndefined();
    expect((await timelineOf(purchase)).at(-1)).toEqual(["disputeWon", 125, "fraudulent"]);
    const { events } = await admin.call("listHistory", { query: { purchaseId: purchase._id } });
    expect(events.filter(({ subjectId }) => subjectId === payment.id).map(({ what }) => what)).toEqual([
      "dispute won",
      "disputed",
      "succeeded",
      "opened",
    ]);
    await admin.call("shipPurchase", { params: { id: purchase._id } });
  });

  test("of a payment of several orders is shown on each, and not as one of its first line", async () => {
    const tool = await addProduct(admin, { name: "Bench grinder" });
    const first = await placeOrderFor(ada, [
      [tool, 10],
      [await addProduct(admin), 10],
    ]);
    const second = await placeFor(ada, tool);
    const total = first.total + second.total;
    const purchaseIds = [...first.lines.map(({ _id }) => _id), second._id];
    await payOrder(store, ada, second._id, { total, purchaseIds }, cards.disputed);
    await expect.poll(async () => (await orderOf(second)).disputed, { timeout: 20_000 }).toBe(true);
    const disputeOf = async (id: string) => {
      const { timeline } = await ada.call("findOrderDetails", { params: { id } });
      return timeline.find(({ what }) => what === "disputed");
    };
    const shown = { what: "disputed", amount: total, reason: "fraudulent", at: expect.any(String) };
    expect(await disputeOf(first._id)).toEqual(shown);
    expect(await disputeOf(second.orderId)).toEqual(shown);
    expect((await timelineOf(second)).at(-1)).toEqual(["disputed", total, "fraudulent"]);
  });

  test("that arrives twice, late and out of order is recorded once", async () => {
    const { purchase, dispute } = await disputed();
    await decide(dispute, "lost");
    await store.pool.query(
      `UPDATE sandbox.event SET next_attempt_at = now(), delivered_at = NULL
       WHERE type LIKE 'charge.dispute.%' AND snapshot->>'id' = $1`,
      [dispute],
    );
    await expect.poll(async () => (await orderOf(purchase)).disputed, { timeout: 20_000 }).toBeUndefined();
    await expect
      .poll(
        async () => {
          const left = "SELECT FROM sandbox.event WHERE next_attempt_at IS NOT NULL";
          return (await store.pool.query(left)).rowCount;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    expect((await timelineOf(purchase)).map(([what]) => what)).toEqual([
      "placed",
      "paid",
      "disputed",
      "disputeLost",
    ]);
    expect((await orderOf(purchase)).status).toBe("paid");
  });
});
