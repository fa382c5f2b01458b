/**
 * Payments through the whole store: intent, card, confirmation; also without page or webhook, or for a cancelled
 * purchase.
 */
import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import { handlePaymentEvent } from "../../../shop/payments/webhook.ts";
import type { Store } from "../../../shop/store.ts";
import { clientOf } from "../../harness/client.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import {
  addProduct,
  cards,
  confirmCard,
  dropWebhooks,
  type OpenPayment,
  openPaymentFor,
  payFor,
  placeFor,
  postSandbox,
} from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let shop: Store;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  shop = shopOf(store);
  await dropWebhooks(store);
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

const place = async (quantity = 10) => placeFor(buyer, await addProduct(admin), quantity);
const confirm = (purchase: Purchase, transactionId: string, user = buyer) =>
  user.send("confirmPayment", { params: { id: purchase._id }, body: { transactionId, buyer: user.name } });
const find = ({ _id }: Purchase, user = buyer) => user.call("findPayment", { params: { id: _id } });
const paymentRow = async ({ id }: OpenPayment) => {
  const { rows } = await store.pool.query("SELECT status, refund_id FROM shop.payment WHERE id = $1", [id]);
  return rows[0];
};
const refundedCents = async ({ id }: OpenPayment) => {
  const { rows } = await store.pool.query(
    "SELECT coalesce(sum(amount_cents), 0) AS cents FROM sandbox.refund WHERE payment_intent_id = $1",
    [id],
  );
  return rows[0].cents;
};
/** Backdates everything by a minute. */
const age = () => store.pool.query("UPDATE shop.payment SET checked_at = checked_at - interval '1 minute'");

describe("a card", () => {
  test("that works pays, and the purchase is paid with the transaction's id", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    expect(await confirmCard(store, buyer, payment)).toMatchObject({
      status: 200,
      body: { status: "succeeded", amount: 12_500, currency: "usd" },
    });
    expect(await confirm(purchase, payment.id)).toMatchObject({
      status: 200,
      body: { modifiedCount: 1, transactionId: payment.id },
    });
    expect(await find(purchase)).toMatchObject({ status: "paid", transactionId: payment.id });
  });

  test("of the sandbox marks the order permanently as a test payment", async () => {
    const purchase = await place();
    expect(await buyer.call("findOrder", { params: { id: purchase._id } })).not.toHaveProperty("testPayment");
    await payFor(store, buyer, purchase);
    expect(await buyer.call("findOrder", { params: { id: purchase._id } })).toMatchObject({
      testPayment: true,
    });
    const { orders } = await admin.call("searchPurchases", { query: { q: purchase._id } });
    expect(orders).toMatchObject([{ testPayment: true }]);
    await expect(
      store.pool.query("UPDATE shop.purchase SET paid_mode = 'live' WHERE id = $1", [purchase._id]),
    ).rejects.toThrow("never changes");
  });

  test.each([
    ["declined", "Your card was declined.", "card_declined"],
    ["insufficientFunds", "Your card has insufficient funds.", "card_declined"],
    ["expired", "Your card has expired.", "expired_card"],
    ["wrongCvc", "Your card's security code is incorrect.", "incorrect_cvc"],
    [
      "processingError",
      "An error occurred while processing your card. Try again in a little bit.",
      "processing_error",
    ],
  ] as const)(
    "that is refused (%s) leaves the purchase unpaid, and another card pays it",
    async (kind, message, code) => {
      const purchase = await place();
      const payment = await openPaymentFor(buyer, purchase);
      const refused = await confirmCard(store, buyer, payment, cards[kind]);
      expect(refused).toMatchObject({ status: 402, body: { error: { type: "card_error", message, code } } });
      expect(await confirm(purchase, payment.id)).toMatchObject({
        status: 409,
        body: { detail: "This payment has not succeeded." },
      });
      expect(await find(purchase)).toMatchObject({ status: "unpaid" });
      expect(await openPaymentFor(buyer, purchase)).toEqual(payment);
      await confirmCard(store, buyer, payment);
      expect(await confirm(purchase, payment.id)).toMatchObject({ status: 200 });
    },
  );

  test.each([
    ["succeed", 200, "paid"],
    ["fail", 409, "unpaid"],
  ])("that requires 3-D Secure waits for the response: %s", async (outcome, status, becomes) => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    const waiting = await confirmCard(store, buyer, payment, cards.challenge);
    expect(waiting.body).toMatchObject({ status: "requires_action", next_action: expect.anything() });
    expect((await confirm(purchase, payment.id)).status).toBe(409);
    await postSandbox(store, "/3ds2/authenticate", {
      source: payment.id,
      client_secret: payment.clientSecret,
      outcome,
    });
    expect((await confirm(purchase, payment.id)).status).toBe(status);
    expect(await find(purchase)).toMatchObject({ status: becomes });
  });
});

describe("a payment", () => {
  test("of another amount than the purchase's is not opened", async () => {
    const purchase = await place();
    const reply = await buyer.send("createPaymentIntent", { body: { total: 1, purchaseId: purchase._id } });
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: "The amount $1.00 is not the total of this order, $125.00." },
    });
  });

  test("by total alone is not opened if no unpaid purchase has this total", async () => {
    const reply = await buyer.send("createPaymentIntent", { body: { total: 77_777.77 } });
    expect(reply).toMatchObject({ status: 422, body: { fields: { total: expect.any(String) } } });
  });

  test("by total alone needs a purchaseId while several unpaid orders have this total", async () => {
    const someone = await register(store, "Tom Total");
    const product = await addProduct(admin);
    const [first, second] = [await placeFor(someone, product), await placeFor(someone, product)];
    const byTotal = { body: { total: 125 } };
    expect(await someone.send("createPaymentIntent", byTotal)).toMatchObject({
      status: 422,
      body: { fields: { purchaseId: expect.stringContaining("Send purchaseId") } },
    });
    await payFor(store, someone, first);
    const cancelled = await placeFor(someone, product);
    await someone.call("cancelPurchase", { params: { id: cancelled._id } });
    const { clientSecret } = await someone.call("createPaymentIntent", byTotal);
    expect(await openPaymentFor(someone, second)).toMatchObject({ clientSecret });
  });

  test("is not opened for a paid purchase", async () => {
    const purchase = await place();
    await payFor(store, buyer, purchase);
    const body = { total: purchase.total, purchaseId: purchase._id };
    expect(await buyer.send("createPaymentIntent", { body })).toMatchObject({
      status: 409,
      body: { detail: "This order is already paid." },
    });
  });

  test("a second one that cannot be refunded yet reports the order as paid, not as cancelled", async () => {
    const purchase = await place();
    const first = await openPaymentFor(buyer, purchase);
    // a disputed payment cannot be refunded
    await confirmCard(store, buyer, first, cards.disputed);
    // as if the provider had reported it as cancelled
    await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE id = $1", [first.id]);
    await payFor(store, buyer, purchase);
    for (let times = 0; times < 2; times += 1) {
      expect(await confirm(purchase, first.id)).toMatchObject({
        status: 503,
        body: { detail: "This order is already paid." },
      });
    }
    expect(await paymentRow(first)).toMatchObject({ status: "refund_due" });
  });

  test("pays one purchase and no other of the same total", async () => {
    const [paid, other] = [await place(), await place()];
    const transactionId = await payFor(store, buyer, paid);
    expect(await confirm(other, transactionId)).toMatchObject({
      status: 409,
      body: { detail: "This transaction paid for another order." },
    });
    expect(await find(other)).toMatchObject({ status: "unpaid" });
  });

  test("of another user pays nothing of mine", async () => {
    const attacker = await register(store, "Theo Thief");
    const victims = await place();
    const payment = await openPaymentFor(buyer, victims);
    await confirmCard(store, buyer, payment);
    const own = await placeFor(attacker, await addProduct(admin));
    expect((await confirm(own, payment.id, attacker)).status).toBe(409);
    expect((await confirm(victims, payment.id, attacker)).status).toBe(403);
    expect((await confirm(victims, payment.id)).status).toBe(200);
  });

  test.each(["pi_doesnotexist000000000000", "pi_1", `pi_${"x".repeat(100)}`])(
    "unknown to the provider pays nothing (%s)",
    async (transactionId) => {
      const purchase = await place();
      expect(await confirm(purchase, transactionId)).toMatchObject({
        status: 422,
        body: { detail: "The payment provider does not know this transaction." },
      });
    },
  );

  test.each(["", "1", "ch_123", "pi_../../refunds", "pi_a b", "pi_"])(
    "id that is invalid is refused as such (%j)",
    async (transactionId) => {
      const purchase = await place();
      expect(await confirm(purchase, transactionId)).toMatchObject({
        status: 422,
        body: { fields: { transactionId: "This transaction id is not valid." } },
      });
    },
  );
});

describe("a page closed after the charge", () => {
  test("is not needed: polling finds the payment", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    await age();
    await pollOpenPayments(shop);
    await expect.poll(() => find(purchase)).toMatchObject({ status: "paid", transactionId: payment.id });
  });

  test("is not polled for under the keys of another account", async () => {
    const payment = await openPaymentFor(buyer, await place());
    await age();
    const account = async () => ({ mode: "test" as const, id: "acct_2" });
    await pollOpenPayments({
      ...shop,
      payments: { ...shop.payments, account, findIntent: async () => null },
    });
    expect((await paymentRow(payment)).status).toBe("open");
  });

  test("is not needed: polling finds the payment after the clock was set back", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    await store.pool.query("UPDATE shop.payment SET checked_at = now() + interval '1 hour'");
    await pollOpenPayments(shop);
    await expect.poll(() => find(purchase)).toMatchObject({ status: "paid", transactionId: payment.id });
  });

  test("is not needed: the store polls by itself, within 30 seconds", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    await expect
      .poll(() => find(purchase), { timeout: 30_000, interval: 500 })
      .toMatchObject({ status: "paid", transactionId: payment.id });
  });

  test("may return later and shows the paid order", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    await age();
    await pollOpenPayments(shop);
    await expect.poll(async () => (await find(purchase)).status).toBe("paid");
    expect(await confirm(purchase, payment.id)).toMatchObject({ status: 200, body: { modifiedCount: 0 } });
  });
});

describe("a payment that was changed at the provider", () => {
  const changed: [string, string, RegExp][] = [
    [
      "to another amount",
      `WITH charge AS (UPDATE sandbox.charge SET amount_cents = 9900 WHERE payment_intent_id = $1)
       UPDATE sandbox.payment_intent SET amount_cents = 9900, amount_received_cents = 9900 WHERE id = $1`,
      /received \$99\.00 with pi_\w+; it was to be \$125\.00 for order/,
    ],
    [
      "to no order",
      "UPDATE sandbox.payment_intent SET metadata = metadata - 'purchaseId' WHERE id = $1",
      /received \$125\.00 with pi_\w+, named for order none; it was to be \$125\.00 for order/,
    ],
  ];
  test.each(changed)(
    "%s pays nothing and is reported; returned, it frees the order",
    async (_, sql, said) => {
      const purchase = await place();
      const payment = await openPaymentFor(buyer, purchase);
      await confirmCard(store, buyer, payment);
      await store.pool.query(sql, [payment.id]);
      await store.pool.query("DELETE FROM graphile_worker._private_jobs");
      for (let poll = 0; poll < 2; poll += 1) {
        await age();
        await pollOpenPayments(shop);
      }
      const detail = expect.stringMatching(said);
      expect(await confirm(purchase, payment.id)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining("the order is not paid") },
      });
      const queued = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'check-books'";
      expect((await store.pool.query(queued)).rowCount).toBe(1);
      const faults = async () => {
        const report = await admin.call("reconcile", {});
        return report.faults.filter(({ purchaseId }) => purchaseId === purchase._id);
      };
      expect(await faults()).toMatchObject([{ detail }]);
      const { events } = await admin.call("listHistory", { query: { q: payment.id } });
      expect(events.filter(({ what }) => what === "unmatched")).toHaveLength(1);
      expect(await buyer.send("cancelPurchase", { params: { id: purchase._id } })).toMatchObject({
        status: 409,
      });
      const returnMoney = async (idempotencyKey: string) => {
        await store.payments.refund({ intentId: payment.id, reason: "By hand", idempotencyKey });
      };
      const reported = { type: "charge.refunded", intentId: payment.id };
      await returnMoney(`rejected-${payment.id}`);
      await store.pool.query("UPDATE sandbox.refund SET comes_back = true WHERE payment_intent_id = $1", [
        payment.id,
      ]);
      await failRefunds(store.pool, 0);
      await handlePaymentEvent(shop, reported);
      expect(await faults()).toHaveLength(1);
      await returnMoney(payment.id);
      await handlePaymentEvent(shop, reported);
      expect(await faults()).toEqual([]);
      expect((await paymentRow(payment)).status).toBe("cancelled");
      const transactionId = await payFor(store, buyer, purchase);
      expect(await find(purchase)).toMatchObject({ status: "paid", transactionId });
    },
  );
});

describe("a cancelled purchase", () => {
  test("closes its open payment: the card can no longer be charged", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await buyer.call("cancelPurchase", { params: { id: purchase._id } });
    expect((await confirmCard(store, buyer, payment)).status).toBe(400);
    expect(await paymentRow(payment)).toMatchObject({ status: "cancelled" });
  });

  test("whose card was charged becomes paid instead, and the cancellation is refused", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    expect(await buyer.send("cancelPurchase", { params: { id: purchase._id } })).toMatchObject({
      status: 409,
      body: { detail: "This order is already paid and can no longer be cancelled." },
    });
    expect(await find(purchase)).toMatchObject({ status: "paid", transactionId: payment.id });
  });

  test.each([
    ["", 0],
    [", also after a refund of a part in the provider's dashboard", 500],
  ])("that is charged nevertheless is refunded in full, once, with an email%s", async (_, amountCents) => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    const elsewhere = { intentId: payment.id, reason: "By hand", idempotencyKey: `desk-${purchase._id}` };
    if (amountCents > 0) await store.payments.refund({ ...elsewhere, amountCents });
    // as if the purchase had been cancelled between the charge and its confirmation
    await store.pool.query(
      `WITH gone AS (
         UPDATE shop.purchase SET cancelled_at = now(), cancelled_because = 'expired' WHERE id = $1 RETURNING *
       ), back AS (
         UPDATE shop.product SET quantity = product.quantity + gone.quantity FROM gone WHERE product.id = gone.product_id
       )
       INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
       SELECT product_id, quantity, 'cancelled', id FROM gone`,
      [purchase._id],
    );
    await age();
    await Promise.all([pollOpenPayments(shop), pollOpenPayments(shop)]);
    await expect
      .poll(() => paymentRow(payment))
      .toMatchObject({ status: "refunded", refund_id: expect.any(String) });
    await age();
    await pollOpenPayments(shop);
    expect(await refundedCents(payment)).toBe(12_500);
    const emails = async () =>
      (await store.outbox()).filter(
        ({ subject, text }) => /refund/i.test(subject) && text.includes(payment.id),
      ).length;
    await expect.poll(emails, { timeout: 10_000 }).toBe(1);
    const { faults } = await admin.call("reconcile", {});
    expect(faults.filter(({ purchaseId }) => purchaseId === purchase._id)).toEqual([]);
  });
});

describe("the webhook", () => {
  const post = (body: string, signature: string) =>
    fetch(`${store.url}/webhook/stripe`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body,
    });

  test.each([
    "",
    "t=1,v1=00",
    "t=1,v1=",
    "t=1,v1",
    `t=1,v1=${"0".repeat(63)}\u00e9`,
    `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`,
  ])("refuses an event that is not signed by the provider (%j)", async (signature) => {
    const response = await post(JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded" }), signature);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: "The signature of this event is not valid." });
  });

  test("that is signed with another secret is in the log", async () => {
    await post("{}", `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`);
    store.logs.expect(/a webhook was refused: its signature is not made with STRIPE_WEBHOOK_SECRET/);
  });

  test("confirms a purchase whose page is gone; a repeated event has no effect", async () => {
    const purchase = await place();
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    const sendAgain = () =>
      store.pool.query(
        "UPDATE sandbox.event SET next_attempt_at = now(), delivered_at = NULL WHERE snapshot->>'id' = $1",
        [payment.id],
      );
    const undelivered = async () => {
      const { rows } = await store.pool.query(
        "SELECT count(*) AS waiting FROM sandbox.event WHERE snapshot->>'id' = $1 AND delivered_at IS NULL",
        [payment.id],
      );
      return rows[0].waiting;
    };
    for (let times = 0; times < 2; times += 1) {
      await sendAgain();
      await expect.poll(undelivered, { timeout: 10_000 }).toBe(0);
      expect(await find(purchase)).toMatchObject({ status: "paid", transactionId: payment.id });
    }
  });
});

test("payments cannot be read or confirmed without their client secret", async () => {
  const purchase = await place();
  const payment = await openPaymentFor(buyer, purchase);
  const visitor = clientOf(store);
  expect((await visitor.fetch(`/sandbox/stripe/v1/payment_intents/${payment.id}`)).status).toBe(401);
  const confirmed = await postSandbox(store, `/payment_intents/${payment.id}/confirm`, {
    payment_method: "pm_card_visa",
  });
  expect(confirmed.status).toBe(401);
});
