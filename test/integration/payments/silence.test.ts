/**
 * A payment provider that accepts connections but never responds, or never completes its response: interactive
 * requests fail in time, order and money are safe, and background calls wait longer.
 */
import { describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { paymentRefusals } from "../../../shop/texts/payment-refusals.ts";
import { addProduct, disablePolling, openPaymentFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";
import { type FaultyProvider, openFaultyProvider } from "./faulty-provider.ts";
import {
  type Fixture,
  openFixture,
  PUBLISHABLE_KEY,
  payByPage,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "./fixture.ts";

/** The maximum wait of a user, with a margin for the machine. */
const MAX_MS = 17_000;

interface Silence {
  fixture: Fixture;
  faulty: FaultyProvider;
  store: TestStore;
  buyer: SignedIn;
  admin: SignedIn;
  order(): Promise<Purchase>;
  /** An order whose card was charged without the store knowing. */
  charged(): Promise<{ purchase: Purchase; settling: Settling }>;
  close(): Promise<void>;
}
type Settling = { params: { id: string }; body: { transactionId: string } };

/**
 * A store, and the proxy in front of its payment provider. Each test has its own, since they all wait at the same
 * time.
 */
async function openSilence(): Promise<Silence> {
  const fixture = await openFixture();
  const faulty = await openFaultyProvider(fixture.base);
  const store = await openStore({
    environment: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: faulty.base,
    },
  });
  await disablePolling(store);
  const admin = await adminOf(store);
  const buyer = await register(store, "Ada");
  const order = async () => placeFor(buyer, await addProduct(admin));
  return {
    fixture,
    faulty,
    store,
    buyer,
    admin,
    order,
    async charged() {
      const purchase = await order();
      const payment = await openPaymentFor(buyer, purchase);
      await payByPage(fixture, payment);
      return { purchase, settling: { params: { id: purchase._id }, body: { transactionId: payment.id } } };
    },
    async close() {
      faulty.override = null;
      // reported once a minute, not for every request
      expect(store.logs.expect(/Stripe cannot be reached/).length).toBeLessThan(4);
      await store.stop();
      await faulty.close();
      await fixture.close();
    },
  };
}

const opening = ({ _id, total }: Purchase) => ({ body: { total, purchaseId: _id } });

async function timed<Response>(response: Promise<Response>): Promise<{ response: Response; ms: number }> {
  const start = Date.now();
  return { response: await response, ms: Date.now() - start };
}

// nearly all of it is waiting
describe.concurrent("with a payment provider", () => {
  test.each(["silence", "half a response"] as const)(
    "that sends %s, a buyer gets an error within seconds",
    async (override) => {
      const { fixture, faulty, buyer, order, charged, close } = await openSilence();
      const unopened = await order();
      const { purchase, settling } = await charged();
      const open = await order();
      await openPaymentFor(buyer, open);
      faulty.requests.length = 0;
      faulty.override = override;
      const key = { "Idempotency-Key": crypto.randomUUID() };
      const waits = await Promise.all([
        timed(buyer.send("createPaymentIntent", opening(unopened), key)),
        timed(buyer.send("confirmPayment", settling)),
        timed(buyer.send("cancelPurchase", { params: { id: open._id } })),
      ]);
      for (const { response, ms } of waits) {
        expect(response).toMatchObject({
          status: 503,
          body: { detail: paymentRefusals.paymentProviderDown },
        });
        expect(ms).toBeLessThan(MAX_MS);
      }
      // without those of background jobs
      const requests = faulty.requests.filter((request) => request.includes("/payment_intents"));
      expect(requests.length, requests.join()).toBeLessThanOrEqual(2 * waits.length);
      for (const { _id } of [unopened, purchase, open])
        expect(await buyer.call("findOrder", { params: { id: _id } })).toMatchObject({ status: "unpaid" });

      faulty.override = null;
      // the same key may be retried at once, and nothing was charged, opened or paid twice
      const { clientSecret } = (await buyer.send("createPaymentIntent", opening(unopened), key)).body;
      expect(await buyer.call("createPaymentIntent", opening(unopened))).toEqual({ clientSecret });
      expect(await buyer.call("confirmPayment", settling)).toMatchObject({ modifiedCount: 1 });
      expect(await buyer.call("cancelPurchase", { params: { id: open._id } })).toEqual({ deletedCount: 1 });
      const { rows } = await fixture.pool.query(
        `SELECT (SELECT count(*)::int FROM sandbox.payment_intent WHERE metadata->>'purchaseId' = $1) AS opened,
         (SELECT count(*)::int FROM sandbox.charge WHERE payment_intent_id = $2) AS charges`,
        [unopened._id, settling.body.transactionId],
      );
      expect(rows).toEqual([{ opened: 1, charges: 1 }]);
      await close();
    },
  );

  test("that is silent, a refund is recorded and made later, once", async ({ expect }) => {
    const { fixture, faulty, store, buyer, admin, charged, close } = await openSilence();
    const { purchase, settling } = await charged();
    await buyer.call("confirmPayment", settling);
    faulty.override = "silence";
    const refund = { params: { id: purchase._id }, body: { amount: 5, reason: "One was scratched." } };
    const { response, ms } = await timed(admin.send("refundPurchase", refund));
    expect(response).toMatchObject({ status: 200, body: { state: "due" } });
    expect(ms).toBeLessThan(MAX_MS);
    faulty.override = null;
    const refundState = async () => {
      await store.pool.query("UPDATE shop.refund SET checked_at = checked_at - interval '1 minute'");
      const { rows } = await fixture.pool.query("SELECT amount_cents FROM sandbox.refund");
      const { refunded } = await buyer.call("findOrder", { params: { id: purchase._id } });
      const [recorded] = (await store.pool.query("SELECT status FROM shop.refund")).rows;
      return { rows, refunded, recorded };
    };
    await expect
      .poll(refundState, { timeout: 20_000, interval: 500 })
      .toEqual({ rows: [{ amount_cents: 500 }], refunded: 5, recorded: { status: "done" } });
    await close();
  });

  test("that responds after nine seconds, it is too late for a buyer, and in time for a job", async () => {
    const { faulty, store, buyer, charged, close } = await openSilence();
    const { settling } = await charged();
    faulty.override = { afterMs: 9000 };
    const [confirmed, found] = await Promise.all([
      timed(buyer.send("confirmPayment", settling)),
      // like poll, webhook and expiry
      timed(store.payments.findIntent(settling.body.transactionId)),
    ]);
    expect(confirmed.response).toMatchObject({
      status: 503,
      body: { detail: paymentRefusals.paymentProviderDown },
    });
    expect(confirmed.ms).toBeLessThan(MAX_MS);
    expect(found.response).toMatchObject({ status: "succeeded" });
    await close();
  });
});
