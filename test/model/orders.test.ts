/**
 * Random sequences of orders with many lines, on real PostgreSQL and the sandbox: after any steps in any order, refused
 * or not, one after the other or several at once, stock, money, invoices and shipments add up. Meanwhile admins change
 * the products, banks reject refunds, cardholders dispute payments and buyers delete their accounts. RUNS=500 for more;
 * SEED= repeats one.
 */
import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { deleteAccount } from "../../shop/accounts/delete-account.ts";
import { cancelOrder, cancelPurchase } from "../../shop/orders/cancel.ts";
import { correctTracking } from "../../shop/orders/correct-tracking.ts";
import { expireUnpaidPurchases } from "../../shop/orders/expire.ts";
import { placeOrder } from "../../shop/orders/place.ts";
import { shipOrder, undoShipment } from "../../shop/orders/ship.ts";
import { confirmPayment } from "../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../shop/payments/create-intent.ts";
import { syncDisputes } from "../../shop/payments/find-disputes.ts";
import type { PaymentForm } from "../../shop/payments/payable.ts";
import { pollOpenPayments } from "../../shop/payments/poll.ts";
import { RefundRejected } from "../../shop/payments/provider-errors.ts";
import { handlePaymentEvent } from "../../shop/payments/webhook.ts";
import { addProduct } from "../../shop/products/add.ts";
import { reconcile } from "../../shop/reconciliation/check.ts";
import { refundPurchase } from "../../shop/refunds/request.ts";
import { recordManualRefund, retryRefund } from "../../shop/refunds/resolve-failed.ts";
import { isRefusal } from "../../shop/refusal.ts";
import type { Store, User } from "../../shop/store.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { cards } from "../harness/orders.ts";
import { type Fixture, openFixture, payByPage } from "../integration/payments/fixture.ts";
import { catalogueSteps } from "./catalogue-steps.ts";
import { newUser, startStore, succeedAfterCancel } from "./real.ts";

const RUNS = Number(process.env.RUNS ?? 30);
const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const STEPS = 40;

let fixture: Fixture;
let store: Store;
let buyer: User;
let admin: User;
let products: string[];
beforeAll(async () => {
  fixture = await openFixture();
  store = startStore(fixture);
  buyer = await newUser(store, "user");
  admin = await newUser(store, "admin");
  const form = { name: "Drill", picture: "/tools/x.svg", description: "A drill." };
  const added = await Promise.all(
    [1.01, 2.5, 19.99].map((price, at) =>
      addProduct(store, {
        ...form,
        itemNumber: `N-${at}`,
        price,
        quantity: 10_000,
        minimum_order: at + 1,
        order_multiple: at + 1,
        price_breaks: [{ quantity: 12, price: price - 0.5 }],
      }),
    ),
  );
  products = added.map((one) => (one as { insertedId: string }).insertedId);
});
afterAll(() => fixture.close());

/** The state of a sequence; steps choose from it by number. */
interface State {
  orders: { id: string; lines: { id: string; cents: number; pieces: number }[] }[];
  payments: { id: string; clientSecret: string; purchaseId: string }[];
  shipments: string[];
  imports: string[];
}

interface Step {
  name: keyof typeof steps;
  /** chooses the order, payment or shipment */
  which: number;
  /** chooses its line, and amounts */
  how: number;
}

const at = <Item>(items: Item[], index: number): Item | undefined =>
  items.length > 0 ? items[index % items.length] : undefined;
const dollars = (cents: number) => cents / 100;

async function open(state: State, form: PaymentForm, purchaseId: string): Promise<unknown> {
  const opened = await createPaymentIntent(store, buyer, form);
  if (isRefusal(opened)) return opened;
  const { clientSecret } = opened;
  state.payments.push({ id: clientSecret.split("_secret_")[0] ?? "", clientSecret, purchaseId });
  return opened;
}

const dollarsOf = (lines: { cents: number }[]) => dollars(lines.reduce((sum, { cents }) => sum + cents, 0));

/** Each payment has one of the two: a refund in the dashboard may include one that failed, which no record tells apart. */
function paymentAt({ payments }: State, which: number, has: "failing refunds" | "refunds in the dashboard") {
  // opened twice, a payment is in the list twice
  const ids = [...new Set(payments.map(({ id }) => id))];
  return at(
    ids.filter((_, index) => (index % 2 === 0) === (has === "failing refunds")),
    which,
  );
}

async function failedRefund({ payments }: State): Promise<string | undefined> {
  const { rows } = await fixture.pool.query<{ id: string }>(
    "SELECT id FROM shop.refund WHERE payment_id = ANY ($1) AND status = 'failed' ORDER BY id LIMIT 1",
    [payments.map(({ id }) => id)],
  );
  return rows[0]?.id;
}

/** The result of a step is a refusal or something else; null if it could not be taken. */
const steps = {
  ...catalogueSteps(() => ({ store, admin, products })),
  async place(state: State, { which, how }: Step) {
    const lines = products.slice(0, 1 + (which % 3)).map((productId, index) => ({
      productId,
      quantity: (index + 1) * (1 + (how % 7)),
    }));
    const form = { lines, address: "Unit 6", phone: "", contact: "", poNumber: "", note: "" };
    const order = await placeOrder(store, buyer, form);
    if (isRefusal(order)) return order;
    state.orders.push({
      id: order._id,
      lines: order.lines.map(({ _id, total, purchaseQuantity }) => ({
        id: _id,
        cents: Math.round(total * 100),
        pieces: purchaseQuantity,
      })),
    });
    return order;
  },
  async openOrder(state: State, { which }: Step): Promise<unknown> {
    const order = at(state.orders, which);
    if (!order) return null;
    const { rows } = await fixture.pool.query(
      "SELECT total_cents AS cents FROM shop.purchase WHERE order_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL",
      [order.id],
    );
    return open(state, { total: dollarsOf(rows), orderId: order.id }, order.lines[0]?.id ?? "");
  },
  async pay(state: State, step: Step) {
    const opened = await steps.openOrder(state, step);
    const payment = state.payments.at(-1);
    if (!opened || isRefusal(opened) || !payment) return null;
    await payByPage(fixture, payment, cards.good);
    return confirmPayment(store, buyer, payment.purchaseId, payment.id);
  },
  async openLine(state: State, { which, how }: Step) {
    const line = at(at(state.orders, which)?.lines ?? [], how);
    return line ? open(state, { total: dollarsOf([line]), purchaseId: line.id }, line.id) : null;
  },
  async openSeveral(state: State, { which }: Step) {
    const lines = [which, which + 1].flatMap((index) => at(state.orders, index)?.lines ?? []);
    const several = [...new Set(lines)];
    if (!several[0]) return null;
    const purchaseIds = several.map(({ id }) => id);
    return open(state, { total: dollarsOf(several), purchaseIds }, several[0].id);
  },
  async charge(state: State, { which, how }: Step) {
    const payment = at(state.payments, -1 - which + 1000 * state.payments.length);
    if (!payment) return null;
    return payByPage(fixture, payment, how % 5 === 0 ? cards.declined : cards.good);
  },
  async confirm(state: State, { which }: Step) {
    const payment = at(state.payments, which);
    return payment && confirmPayment(store, buyer, payment.purchaseId, payment.id);
  },
  async deliverEvent(state: State, { which }: Step) {
    const payment = at(state.payments, which);
    if (!payment) return null;
    await handlePaymentEvent(store, { type: "payment_intent.succeeded", intentId: payment.id });
    return payment;
  },
  /** A payment that the provider had cancelled succeeds. */
  async succeedLate(state: State, { which }: Step) {
    const { rows } = await fixture.pool.query<{ id: string }>(
      "SELECT id FROM sandbox.payment_intent WHERE id = ANY ($1) AND status = 'canceled' ORDER BY id",
      [state.payments.map(({ id }) => id)],
    );
    const late = at(rows, which);
    // of two such steps at once, one does nothing
    if (late) await succeedAfterCancel({ fixture, store }, late.id).catch(ignoreDuplicate);
    return late;
  },
  async cancelLine(state: State, { which, how }: Step) {
    const line = at(at(state.orders, which)?.lines ?? [], how);
    return line && cancelPurchase(store, how % 2 ? buyer : admin, line.id);
  },
  async cancelOrder(state: State, { which }: Step) {
    const order = at(state.orders, which);
    return order && cancelOrder(store, buyer, order.id);
  },
  async ship(state: State, { which, how }: Step) {
    const order = at(state.orders, which);
    if (!order) return null;
    const lines = order.lines
      .filter((_, index) => (how >> index) % 2 === 0)
      .map(({ id, pieces }) => ({ purchaseId: id, quantity: 1 + (how % pieces) }));
    if (lines.length === 0) return null;
    const form = { lines, carrier: "", trackingNumber: "", trackingUrl: "" };
    const shipment = await shipOrder(store, order.id, form);
    if (!isRefusal(shipment)) state.shipments.push(shipment._id);
    return shipment;
  },
  async undo(state: State, { which }: Step) {
    const shipment = at(state.shipments, which);
    return shipment && undoShipment(store, shipment);
  },
  async refund(state: State, { which, how }: Step) {
    const line = at(at(state.orders, which)?.lines ?? [], how);
    if (!line) return null;
    const amount = how % 3 === 0 ? {} : { amount: dollars(1 + (how % line.cents)) };
    const form = { ...amount, reason: "Not needed.", returnToStock: how % 4 === 0 };
    return refundPurchase(store, admin, line.id, form, crypto.randomUUID());
  },
  async refundInDashboard(state: State, { which, how }: Step) {
    const id = paymentAt(state, which, "refunds in the dashboard");
    // not of a payment with a late share: the refund could include it
    const { rowCount } = await fixture.pool.query(
      `SELECT FROM shop.payment WHERE id = $1 AND status = 'succeeded' AND NOT EXISTS (
         SELECT FROM shop.payment_purchase share JOIN shop.purchase ON purchase.id = share.purchase_id
         WHERE share.payment_id = $1 AND transaction_id IS DISTINCT FROM $1)`,
      [id],
    );
    if (!id || !rowCount) return null;
    const refund = { reason: "By hand", idempotencyKey: crypto.randomUUID() };
    const amount = how % 2 ? { amountCents: 1 + (how % 300) } : {};
    await store.payments.refund({ intentId: id, ...amount, ...refund }).catch(ignoreRejection);
    // one event of three is lost
    if (how % 3) await handlePaymentEvent(store, { type: "charge.refunded", intentId: id });
    return id;
  },
  /** The bank rejects a refund that was made. */
  async rejectRefund(state: State, { which }: Step) {
    const paymentId = paymentAt(state, which, "failing refunds");
    const { rows } = await fixture.pool.query(
      `UPDATE sandbox.refund SET comes_back = true
       WHERE id = (SELECT min(provider_id) FROM shop.refund WHERE payment_id = $1 AND status = 'done') RETURNING id`,
      [paymentId],
    );
    if (!paymentId || !rows[0]) return null;
    await failRefunds(fixture.pool, 0);
    await handlePaymentEvent(store, { type: "refund.failed", intentId: paymentId });
    return paymentId;
  },
  async retryRefund(state: State) {
    const id = await failedRefund(state);
    return id && retryRefund(store, id);
  },
  async recordManualRefund(state: State) {
    const id = await failedRefund(state);
    return id && ((await recordManualRefund(store, id, "Bank transfer.")) ?? id);
  },
  async payDisputed(state: State, step: Step) {
    const opened = await steps.openOrder(state, step);
    const payment = state.payments.at(-1);
    if (!opened || isRefusal(opened) || !payment) return null;
    return payByPage(fixture, payment, cards.disputed);
  },
  async decideDispute(state: State, { how }: Step) {
    const { rowCount } = await fixture.pool.query(
      "UPDATE sandbox.dispute SET status = $2 WHERE payment_intent_id = ANY ($1) AND status = 'needs_response'",
      [state.payments.map(({ id }) => id), how % 2 ? "won" : "lost"],
    );
    await syncDisputes(store);
    return rowCount || null;
  },
  async correctTracking(state: State, { which, how }: Step) {
    const shipment = at(state.shipments, which);
    const tracking = { carrier: "Brightway", trackingNumber: `B${how}`, trackingUrl: "" };
    return shipment && correctTracking(store, shipment, tracking);
  },
  async deleteAccount() {
    const result = await deleteAccount(store, buyer);
    if (!isRefusal(result)) buyer = await newUser(store, "user");
    return result;
  },
  async expire(state: State, { which }: Step) {
    await fixture.pool.query(
      `WITH locked AS (
         SELECT id FROM shop.purchase WHERE order_id = $1 AND status = 'unpaid' ORDER BY id FOR NO KEY UPDATE
       ) UPDATE shop.purchase SET placed_at = placed_at - interval '3 days' FROM locked WHERE purchase.id = locked.id`,
      [at(state.orders, which)?.id],
    );
    return expireUnpaidPurchases(store);
  },
  async poll(state: State, { which }: Step) {
    await fixture.pool.query(
      "UPDATE shop.payment SET checked_at = checked_at - interval '1 minute' WHERE id = $1",
      [at(state.payments, which)?.id],
    );
    return pollOpenPayments(store);
  },
};

function ignoreDuplicate(error: unknown): void {
  if (!isUniqueViolation(error, "payment_method_pkey")) throw error;
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof RefundRejected)) throw error;
}

const sequences = fc.array(
  fc.record({
    name: fc.constantFrom<Step["name"]>(
      ...(Object.keys(steps) as Step["name"][]),
      "place",
      "pay",
      "pay",
      "charge",
      "charge",
      "confirm",
      "ship",
      "ship",
      "undo",
      "refund",
      "rejectRefund",
      "restore",
      "restore",
    ),
    which: fc.nat(5),
    how: fc.nat(1000),
  }),
  { minLength: STEPS, maxLength: STEPS },
);

/** Accepts every step, one after the other: random sequences may leave out a rare one. */
const EVERY_STEP: Step[] = (
  [
    ["pay", 0, 0],
    ["refund", 0, 1],
    ["rejectRefund", 0, 0],
    ["retryRefund", 0, 0],
    ["rejectRefund", 0, 0],
    ["recordManualRefund", 0, 0],
    ["ship", 0, 0],
    ["correctTracking", 0, 0],
    ["undo", 0, 0],
    ["place", 2, 0],
    ["pay", 1, 0],
    ["refundInDashboard", 0, 1],
    ["place", 0, 0],
    ["payDisputed", 2, 0],
    ["confirm", 2, 0],
    ["decideDispute", 0, 0],
    ["place", 0, 0],
    ["openLine", 3, 0],
    ["poll", 3, 0],
    ["cancelLine", 3, 1],
    ["succeedLate", 0, 0],
    ["place", 0, 0],
    ["openOrder", 4, 0],
    ["charge", 0, 1],
    ["deliverEvent", 4, 0],
    ["place", 0, 0],
    ["cancelOrder", 5, 0],
    ["place", 0, 0],
    ["place", 0, 0],
    ["openSeveral", 6, 0],
    ["expire", 6, 0],
    ["edit", 0, 0],
    ["archive", 0, 0],
    ["restore", 0, 0],
    ["changeSeveral", 0, 1],
    ["applyImport", 0, 0],
    ["undoImport", 0, 0],
    ["importFile", 0, 1],
    ["changeStock", 0, 1],
    ["deleteAccount", 0, 0],
  ] as const
).map(([name, which, how]) => ({ name, which, how }));

/** the steps that were accepted at least once */
const accepted = new Set<string>();

test.each([
  ["one after the other", 1],
  ["four at once", 4],
])(
  `stock, money, invoices and shipments add up after any steps, %s (${RUNS} sequences)`,
  { timeout: 300_000 },
  async (_, together) => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const state: State = { orders: [], payments: [], shipments: [], imports: [] };
        await steps.place(state, { name: "place", which: 2, how: 3 });
        for (let first = 0; first < sequence.length; first += together) {
          const taken = sequence.slice(first, first + together).map(async (step) => {
            const result = await steps[step.name](state, step);
            if (result && !isRefusal(result)) accepted.add(step.name);
          });
          await Promise.all(taken);
        }
        // the provider delivers its events in the end, whatever was lost before
        for (const { id } of state.payments)
          for (const type of ["payment_intent.succeeded", "charge.refunded", "charge.dispute.created"])
            await handlePaymentEvent(store, { type, intentId: id });
        await expectSums();
      }),
      { numRuns: RUNS, ...SEED, examples: [[EVERY_STEP]], endOnFailure: true },
    );
  },
);

test("afterwards every step was taken, and the doctor finds nothing", async () => {
  // sequences with only refusals would prove nothing
  expect([...accepted].sort()).toEqual(Object.keys(steps).sort());
  await fixture.pool.query("DELETE FROM graphile_worker._private_jobs");
  const { rows } = await fixture.pool.query("SELECT id FROM shop.refund WHERE status = 'failed'");
  for (const { id } of rows) await recordManualRefund(store, id, "Bank transfer.");
  expect((await reconcile(store, { days: 1, recheckAfterMs: 0 })).faults).toEqual([]);
});

const CLAIMS: Record<string, string> = {
  "what the provider keeps is what the lines cost less their refunds, and the refunds that it did not make": `
    SELECT due, kept FROM (SELECT
        (SELECT coalesce(sum(total_cents - refunded_cents), 0) FROM shop.purchase
         WHERE status <> 'unpaid' AND cancelled_at IS NULL)
        + (SELECT coalesce(sum(amount_cents), 0) FROM shop.refund WHERE status IN ('due', 'failed', 'settled')) AS due) AS lines,
      (SELECT coalesce(sum(i.amount_received_cents - coalesce(c.amount_refunded_cents, 0)), 0) AS kept
        FROM sandbox.payment_intent i
        LEFT JOIN sandbox.charge c ON c.payment_intent_id = i.id AND c.status = 'succeeded') AS provider
    WHERE due <> kept`,
  "each paid line is on one invoice with its total, and no other line is": `
    SELECT p.id FROM shop.purchase p LEFT JOIN shop.invoice_line line ON line.purchase_id = p.id
    WHERE (p.status = 'unpaid') <> (line.purchase_id IS NULL) OR line.amount_cents <> p.total_cents`,
  "an invoice is the sum of its lines": `
    SELECT number FROM shop.invoice JOIN shop.invoice_line ON invoice_number = number
    GROUP BY number HAVING total_cents <> sum(amount_cents)`,
  "invoice numbers have no gaps": `
    SELECT count(*) FROM shop.invoice HAVING count(*) <> coalesce(max(number) - min(number) + 1, 0)`,
  "the shares of a payment are its amount": `
    SELECT y.id FROM shop.payment y JOIN shop.payment_purchase share ON share.payment_id = y.id
    GROUP BY y.id HAVING y.amount_cents <> sum(share.amount_cents)`,
  "the shipments of a line are its shipped pieces": `
    SELECT p.id FROM shop.purchase p LEFT JOIN shop.shipment_line line ON line.purchase_id = p.id
    GROUP BY p.id HAVING p.shipped_pieces <> coalesce(sum(line.pieces), 0)`,
  "credit notes are at most what was invoiced": `
    SELECT invoice.number FROM shop.invoice JOIN shop.credit_note note ON note.invoice_number = invoice.number
    GROUP BY invoice.number HAVING sum(note.amount_cents) > invoice.total_cents`,
};

async function expectSums(): Promise<void> {
  await expectConsistentStore(fixture.pool);
  const wrong: Record<string, unknown[]> = {};
  for (const [claim, query] of Object.entries(CLAIMS)) {
    const { rows } = await fixture.pool.query(query);
    if (rows.length > 0) wrong[claim] = rows;
  }
  expect(wrong).toEqual({});
}
