/** The doctor detects every kind of damage, repairs only unambiguous ones, and leaves consistent data alone. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import { readDoctorOptions } from "../../../server/doctor-options.ts";
import { syncDisputes } from "../../../shop/payments/find-disputes.ts";
import type { Intent, PaymentProvider } from "../../../shop/payments/provider.ts";
import { PaymentUnavailable } from "../../../shop/payments/provider-errors.ts";
import { reconcile } from "../../../shop/reconciliation/check.ts";
import { providerClaims } from "../../../shop/reconciliation/compare-provider.ts";
import { invariants, RECOUNT_CUSTOMERS } from "../../../shop/reconciliation/invariants.ts";
import { repairDiscrepancies } from "../../../shop/reconciliation/repair.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { compileCache } from "../../harness/compile-cache.ts";
import { dropOrderHistories, type OrderHistory, openOrderHistory } from "./order-history.ts";

let history: OrderHistory;
beforeEach(async () => {
  history = await openOrderHistory();
});
afterEach(() => history.close());
afterAll(dropOrderHistories);

const check = () => reconcile(history.store, { days: 1, recheckAfterMs: 0 });

/** Writes to the tables bypassing triggers and constraints, as a manual change may. */
async function damage(statements: string): Promise<void> {
  const filled = statements.replace(/:(\w+)/g, (whole, name: string) =>
    name in history.ids ? `'${history.ids[name as keyof OrderHistory["ids"]]}'` : whole,
  );
  await history.fixture.pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${filled}; COMMIT`);
}

test("consistent data has no discrepancies, and a repair reports and changes nothing", async () => {
  const report = await check();
  expect(report.faults).toEqual([]);
  expect(report.claims).toHaveLength(Object.keys(invariants).length + providerClaims.length);
  const lines: string[] = [];
  await repairDiscrepancies(history.store, 1, (line) => lines.push(line));
  expect(lines).toEqual([]);
});

const DISPUTE = `
  INSERT INTO sandbox.dispute (id, payment_intent_id, charge_id, amount_cents, currency, reason, status)
  SELECT 'dp_1', payment_intent_id, id, amount_cents, currency, 'fraudulent', 'needs_response' FROM sandbox.charge
  WHERE payment_intent_id = :payment`;

interface Damage {
  /** the failed check, and its message */
  claim: string;
  message: RegExp;
  by: string | (() => Promise<unknown>);
  /** whether the repair is unambiguous */
  repaired?: true;
  /** what remains after the repair */
  leaves?: string;
  /** it breaks no other check */
  alone?: true;
}

const stock = "The stock of each tool is what came in less what was sold.";
const onePayment = "Each paid order has exactly one succeeded payment, of its amount and buyer.";
const atProvider = "Every recorded payment succeeded at the payment provider, with the same amount.";
const known = "The payment provider knows every recorded payment.";
const recorded = "Every payment that succeeded at the payment provider is recorded with its order.";
const refunds = "Every recorded refund exists at the payment provider, and no other.";
const returned = "No failed refund is left unresolved.";
const disputes = "Every dispute at the payment provider is recorded with its current outcome.";
const jobs = "No job and no email is pending longer than fifteen minutes, and none failed for good.";
const logged = "The audit log records how each order was placed, paid, shipped or cancelled.";
const older = "Older recorded payments succeeded at the payment provider (a sample each time).";
const structure =
  "Every trigger, constraint, index, function and column of the migrations is in place and works.";
const ordered = "Each order is of the product, quantity and price that were ordered.";
const delivered = "Each order is delivered to the name, address and phone that were ordered.";
const dates = "Events are in a possible order, and none is in the future.";
const roles = "Each user has the role that the audit log says.";
const complete = "The audit log has each payment, refund and tool.";
/** A payment unknown to the provider, with complete records of ours. */
const FORGED = `
  UPDATE shop.purchase SET status = 'paid', transaction_id = 'pi_forged', placed_at = now() - interval '3 years',
    paid_at = now() - interval '2 years' WHERE id = :unpaid;
  UPDATE shop.payment SET status = 'cancelled' WHERE id = :opened;
  UPDATE shop.payment_purchase SET is_open = false WHERE payment_id = :opened;
  INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, status, mode, opened_at, settled_at)
  SELECT 'pi_forged', u.user_id, u.id, total_cents, 'succeeded', known.mode, paid_at, paid_at
  FROM shop.purchase u, shop.payment known WHERE u.id = :unpaid AND known.id = :payment;
  INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents, is_open)
  SELECT 'pi_forged', id, total_cents, false FROM shop.purchase WHERE id = :unpaid;
  SELECT shop.issue_invoices(ARRAY[:unpaid]::uuid[]);
  ${RECOUNT_CUSTOMERS}`;
const FORGED_LOG = `
  INSERT INTO shop.event (role, what, subject, subject_id, purchase_id)
  VALUES ('system', 'paid', 'purchase', :unpaid, :unpaid), ('system', 'opened', 'payment', 'pi_forged', :unpaid),
    ('system', 'succeeded', 'payment', 'pi_forged', :unpaid), ('system', 'cancelled', 'payment', :opened, :unpaid)`;
const counted = "The audit log has each delivery, count and correction of stock.";
const listed = "The catalogue index has each tool on sale in its current state, and no other.";

const damages: Damage[] = [
  {
    claim: "The next number that the database gives is a new one.",
    message: /next number of order_number_seq is 10001, and order has \d+ already/,
    by: "ALTER SEQUENCE shop.order_number_seq RESTART",
    alone: true,
  },
  {
    claim: "The next number that the database gives is a new one.",
    message: /next number of catalogue_change is 1, and catalogue_place has \d+ already/,
    by: "SELECT setval('shop.catalogue_change', 1, false)",
    alone: true,
  },
  {
    claim: stock,
    message: /is 486, its ledger says 485/,
    by: "UPDATE shop.product SET quantity = quantity + 1 WHERE id = :product",
  },
  {
    claim: "No stock is below zero.",
    message: /is -3/,
    by: "ALTER TABLE shop.product DROP CONSTRAINT product_quantity_check; UPDATE shop.product SET quantity = -3 WHERE id = :product",
  },
  {
    claim: "Each order took its pieces from stock once.",
    message: /is of 5 pieces, the ledger has 0 sold/,
    by: "DELETE FROM shop.stock_movement WHERE purchase_id = :paid",
  },
  {
    claim: "Each cancelled order, and no other, returned its pieces once.",
    message: /is cancelled, the ledger has 0 pieces returned/,
    by: "DELETE FROM shop.stock_movement WHERE purchase_id = :cancelled AND reason = 'cancelled'",
  },
  {
    claim: "Each cancelled order, and no other, returned its pieces once.",
    message: /is paid, the ledger has 5 pieces returned/,
    by: "INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id) VALUES (:product, 5, 'cancelled', :paid)",
  },
  {
    claim: "Pieces restocked with a refund are in the ledger once.",
    message: /was restocked, the ledger has 0 pieces returned/,
    by: "DELETE FROM shop.stock_movement WHERE purchase_id = :returned AND reason = 'returned'",
  },
  {
    claim: "No order was shipped after a refund that restocks its pieces.",
    message: /was shipped at .*, but its 5 pieces were to be restocked since/,
    by: `ALTER TABLE shop.purchase DROP CONSTRAINT purchase_shipped_or_restocked_check;
         UPDATE shop.purchase SET status = 'shipped', shipped_at = now(), shipped_pieces = quantity WHERE id = :returned`,
  },
  { claim: onePayment, message: /has 0 such payments/, by: "DELETE FROM shop.payment WHERE id = :payment" },
  {
    claim: onePayment,
    message: /has 0 such payments/,
    by: "UPDATE shop.payment SET user_id = :admin WHERE id = :payment",
  },
  {
    claim: onePayment,
    message: /has 0 such payments/,
    by: `UPDATE shop.payment SET amount_cents = 4900 WHERE id = :payment;
         UPDATE shop.payment_purchase SET amount_cents = 4900 WHERE payment_id = :payment`,
  },
  {
    claim: "Each succeeded payment has paid its orders, or refunds their share.",
    message: /\(\$50\.00\) succeeded, but order .* is unpaid with transaction none/,
    by: "UPDATE shop.purchase SET status = 'unpaid', transaction_id = NULL, paid_at = NULL, paid_mode = NULL WHERE id = :paid",
  },
  {
    claim: "No payment is open for an order that needs none.",
    message: /is open since .*, which is cancelled/,
    by: `UPDATE shop.purchase SET cancelled_at = now() - interval '2 hours', placed_at = now() - interval '3 hours'
         WHERE id = :cancelled;
         UPDATE shop.payment SET status = 'open', asked_at = now() - interval '2 hours' WHERE id = :withdrawn;
         UPDATE shop.payment_purchase SET is_open = true WHERE payment_id = :withdrawn`,
    repaired: true,
  },
  {
    claim: "Each payment is of the sum of what it covers.",
    message: /is of \$50\.00, what it covers adds up to \$0\.00/,
    by: "DELETE FROM shop.payment_purchase WHERE payment_id = :opened",
    alone: true,
  },
  {
    claim: "Each order has lines, numbered from 1.",
    message: /has 1 lines, the last with number 2/,
    by: "UPDATE shop.purchase SET line_number = 2 WHERE id = :paid",
    alone: true,
  },
  {
    claim: "The pieces shipped of each order are in its shipments.",
    message: /has 2 pieces shipped, its shipments have 0/,
    by: "UPDATE shop.purchase SET shipped_pieces = 2 WHERE id = :paid",
    alone: true,
  },
  {
    claim: "What an order says was refunded is the sum of its refunds.",
    message: /says \$1\.00 was refunded, its refunds add up to \$20\.00/,
    by: "UPDATE shop.purchase SET refunded_cents = 100 WHERE id = :refunded",
  },
  {
    claim: "The numbers of invoices and credit notes have no gaps.",
    message: /^There are \d+ invoices from 10002 to/,
    by: "DELETE FROM shop.invoice WHERE number = 10001",
  },
  {
    claim: "Each paid order, and no other, is on one invoice, of its payment and total.",
    message: /\(\$50\.00\) is paid, and invoiced with \$0\.00/,
    by: "DELETE FROM shop.invoice_line WHERE purchase_id = :paid",
  },
  {
    claim: "Each invoice is of the sum of its lines, as printed and as charged.",
    message: /is of \$50\.01; its lines add up to \$50\.00, printed are \$50\.00, charged were \$50\.00/,
    by: "UPDATE shop.invoice SET total_cents = total_cents + 1 WHERE payment_id = :payment",
    alone: true,
  },
  {
    claim: "Each completed refund of an invoice has a credit note of its amount.",
    message: /of \$20\.00 for order .* has a credit note of \$0\.00/,
    by: "DELETE FROM shop.credit_note WHERE refund_id = :refund",
  },
  {
    claim: "No more was refunded than was paid.",
    message: /was of \$50\.00, its refunds add up to \$99\.99/,
    by: "UPDATE shop.refund SET amount_cents = 9999 WHERE id = :refund",
  },
  {
    claim: "Late payments are refunded, or their refund is pending.",
    message: /\(\$50\.00\) is refunded, with 0 refunds of that state/,
    by: "UPDATE shop.payment SET status = 'refunded', settled_at = now(), refund_id = 're_1' WHERE id = :withdrawn",
  },
  {
    claim: returned,
    message: /of \$20\.00 for order .* failed\. The bank returned it\. Retry it/,
    by: "UPDATE shop.refund SET status = 'failed', done_at = NULL, problem = 'The bank returned it.' WHERE id = :refund",
  },
  {
    claim: "No refund is pending longer than an hour.",
    message: /of \$7\.00 for order .* waits since/,
    by: `UPDATE shop.purchase SET refunded_cents = 700 WHERE id = :paid;
         INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin, asked_by, asked_at)
         VALUES (:payment, :paid, 700, 'As agreed.', 'admin', :admin, now() - interval '2 hours');
         ${RECOUNT_CUSTOMERS}`,
    repaired: true,
  },
  {
    claim: "No unpaid order is kept beyond its time.",
    message: /is unpaid since .* and should have expired/,
    by: "UPDATE shop.purchase SET placed_at = now() - interval '60 hours' WHERE id = :unpaid",
    repaired: true,
  },
  {
    claim: jobs,
    message: /\(send-mail purchasePlaced\) was given up after 25 tries: no such mailbox/,
    by: `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'no such mailbox'
         WHERE payload->>'purchaseId' = :unpaid`,
    repaired: true,
  },
  {
    claim: jobs,
    message: /waits since/,
    by: "UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 hour' WHERE payload->>'purchaseId' = :unpaid",
  },
  {
    claim: logged,
    message: /does not record that order .* was paid/,
    by: "DELETE FROM shop.event WHERE purchase_id = :paid AND subject = 'purchase' AND what = 'paid'",
  },
  {
    claim: listed,
    message: /at \$0\.01, minimum 1; the tool costs \$10\.00/,
    by: "UPDATE shop.catalogue_entry SET price_cents = 1 WHERE product_id = :product",
    repaired: true,
  },
  {
    claim: listed,
    message: /minimum none; the tool costs/,
    by: "DELETE FROM shop.catalogue_entry WHERE product_id = :product",
    repaired: true,
  },
  {
    claim: "The figures of each customer are what their orders add up to.",
    message: /^Customer .+ \(\S+\): recorded orders 17 and revenue \$0\.00, counted \d and \$\d+\.00\.$/,
    by: "UPDATE shop.customer SET orders = 17, revenue_cents = 0 WHERE revenue_cents > 0",
    repaired: true,
  },
  {
    claim: recorded,
    message: /this payment is recorded as open/,
    by: () => history.payUnrecorded(),
    repaired: true,
  },
  {
    claim: recorded,
    message: /received \$50\.00 .* this payment is not recorded/,
    by: () => history.payUnrecorded().then(() => damage("DELETE FROM shop.payment WHERE id = :opened")),
  },
  {
    claim: atProvider,
    message: /is recorded as succeeded; at the payment provider it is canceled/,
    by: `UPDATE sandbox.payment_intent SET status = 'canceled', amount_received_cents = 0, canceled_at = now()
         WHERE id = :payment`,
  },
  {
    claim: known,
    message: /is recorded as succeeded; the payment provider does not know it/,
    by: "UPDATE sandbox.payment_intent SET id = 'pi_gone' WHERE id = :payment",
  },
  {
    claim: atProvider,
    message: /received \$50\.00 .*; the recorded amount is \$49\.00/,
    by: `UPDATE shop.payment SET amount_cents = 4900 WHERE id = :payment;
         UPDATE shop.payment_purchase SET amount_cents = 4900 WHERE payment_id = :payment`,
  },
  {
    claim: refunds,
    message: /refunded \$7\.00 .*; it is not recorded/,
    by: () =>
      history.fixture.payments.refund({
        intentId: history.ids.payment,
        amountCents: 700,
        reason: "at the desk",
        idempotencyKey: crypto.randomUUID(),
      }),
    repaired: true,
  },
  {
    claim: refunds,
    message: /of \$20\.00 failed at the payment provider; it is recorded as succeeded/,
    by: "UPDATE sandbox.refund SET comes_back = true, failed_at = now() WHERE metadata->>'reference' = :refund",
    repaired: true,
    leaves: returned,
  },
  {
    claim: refunds,
    message: /re_none of \$20\.00 is recorded as succeeded; the payment provider does not know it/,
    by: "UPDATE shop.refund SET provider_id = 're_none' WHERE id = :refund",
  },
  {
    claim: disputes,
    message: /disputes \$50\.00 of .* \(dp_1, open\); this is not recorded/,
    by: DISPUTE,
    repaired: true,
  },
  {
    claim: disputes,
    message: /\(dp_1, lost\); this is not recorded/,
    by: () =>
      damage(DISPUTE)
        .then(() => syncDisputes(history.store))
        .then(() =>
          damage("UPDATE sandbox.dispute SET status = 'lost', created_at = now() - interval '1 year'"),
        ),
    repaired: true,
  },
  {
    claim: older,
    message: /pi_forged is recorded as paid, \$50\.00; at the payment provider it is unknown/,
    by: `${FORGED}; ${FORGED_LOG}`,
    alone: true,
  },
  { claim: complete, message: /does not record that payment pi_forged was opened/, by: FORGED },
  {
    claim: counted,
    message: /has 1 movements by admins, the audit log 0/,
    by: `INSERT INTO shop.stock_movement (product_id, pieces, reason, user_id) VALUES (:product, 0, 'counted', :admin);
         DELETE FROM shop.event WHERE what = 'stock counted'`,
  },
  {
    claim: complete,
    message: /does not record that payment pi_\w+ was succeeded/,
    by: "DELETE FROM shop.event WHERE subject_id = :payment AND what = 'succeeded'",
    alone: true,
  },
  {
    claim: complete,
    message: /does not record that the refund .* is done/,
    by: "DELETE FROM shop.event WHERE subject_id = :refund AND what = 'done'",
    alone: true,
  },
  {
    claim: complete,
    message: /does not record that the tool Drill \(.*\) was added/,
    by: "DELETE FROM shop.event WHERE subject_id = :product",
    alone: true,
  },
  {
    claim: "Each order belongs to the buyer who placed it.",
    message: /belongs to user .*; the audit log says that user .* placed it/,
    by: `UPDATE shop.purchase SET user_id = :admin WHERE id = :paid;
         UPDATE shop.payment SET user_id = :admin WHERE id = :payment;
         ${RECOUNT_CUSTOMERS}`,
    alone: true,
  },
  {
    claim: ordered,
    message: /is of 5 × Chisel .*; the audit log says 5 × Drill/,
    by: "UPDATE shop.purchase SET product_name = 'Chisel' WHERE id = :paid",
    alone: true,
  },
  {
    claim: delivered,
    message: /are not those that it was placed with/,
    by: "UPDATE shop.purchase SET address = 'Elsewhere' WHERE id = :paid",
    alone: true,
  },
  {
    claim: delivered,
    message: /are not those that it was placed with/,
    by: "UPDATE shop.purchase SET address = 'Elsewhere', ship_to_salt = NULL WHERE id = :paid",
    alone: true,
  },
  {
    claim: dates,
    message: /was placed .* and paid/,
    by: "UPDATE shop.purchase SET paid_at = placed_at - interval '1 day' WHERE id = :paid",
    alone: true,
  },
  {
    claim: dates,
    message: /was placed .*, which is in the future/,
    by: "UPDATE shop.purchase SET placed_at = now() + interval '1 day' WHERE id = :unpaid",
    alone: true,
  },
  {
    claim: dates,
    message: /^The refund .* was requested .* and made/,
    by: "UPDATE shop.refund SET done_at = asked_at - interval '1 day' WHERE id = :refund",
    alone: true,
  },
  {
    claim: "Each user has the email address of the account that logs in.",
    message: /has the email .*; the account that logs in has other@people\.example/,
    by: "INSERT INTO identity.\"user\" (id, name, email) VALUES (:admin, 'Ada', 'other@people.example')",
    alone: true,
  },
  {
    claim: roles,
    message: /has the role user; the audit log says admin/,
    by: "UPDATE shop.user SET role = 'user' WHERE id = :admin",
    alone: true,
  },
  {
    claim: structure,
    message: /^The trigger remember on shop\.purchase is disabled\.$/,
    by: "ALTER TABLE shop.purchase DISABLE TRIGGER remember",
    alone: true,
  },
  {
    claim: structure,
    message: /^The constraint purchase_user_id_fkey on shop\.purchase is disabled\.$/,
    by: "ALTER TABLE shop.purchase DISABLE TRIGGER ALL",
  },
  {
    claim: structure,
    message: /^The constraint product_quantity_check on shop\.product is missing\.$/,
    by: "ALTER TABLE shop.product DROP CONSTRAINT product_quantity_check",
    alone: true,
  },
  {
    claim: structure,
    message: /^The constraint product_quantity_check on shop\.product is not as its migration made it\.$/,
    by: `ALTER TABLE shop.product DROP CONSTRAINT product_quantity_check,
           ADD CONSTRAINT product_quantity_check CHECK (quantity > -100)`,
    alone: true,
  },
  {
    claim: structure,
    message: /^The index shop\.refund_return_idx is missing\.$/,
    by: "DROP INDEX shop.refund_return_idx",
    alone: true,
  },
  {
    claim: structure,
    message: /^The function shop\.refuse_change\(\) is not as its migration made it\.$/,
    by: `CREATE OR REPLACE FUNCTION shop.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
           $do$ BEGIN RETURN NULL; END $do$`,
    alone: true,
  },
  {
    claim: structure,
    message: /^The column written_at of shop\.review is not as its migration made it\.$/,
    by: "ALTER TABLE shop.review ALTER written_at DROP DEFAULT",
    alone: true,
  },
  {
    claim: "Each row that another one names is there.",
    message:
      /^A row of shop\.saved_list_line names one of shop\.product that is missing: \{"list_id": ".*"product_id": ".*"\}\.$/,
    by: `INSERT INTO shop.saved_list (id, user_id, name, position) SELECT gen_random_uuid(), user_id, 'Weekly', 1 FROM shop.purchase LIMIT 1;
         INSERT INTO shop.saved_list_line (list_id, product_id, position, quantity)
         SELECT id, gen_random_uuid(), 1, 1 FROM shop.saved_list`,
    alone: true,
  },
];

test.each(damages.map((one) => [one.claim, one.message, one] as const))(
  "%s %s",
  async (claim, message, { by, repaired, leaves, alone }) => {
    await (typeof by === "string" ? damage(by) : by());
    const { faults } = await check();
    if (alone) expect(faults).toHaveLength(1);
    expect(faults).toContainEqual(expect.objectContaining({ claim, detail: expect.stringMatching(message) }));
    const lines: string[] = [];
    await repairDiscrepancies(history.store, 1, (line) => lines.push(line));
    const after = (await check()).faults.map((fault) => fault.claim);
    if (repaired) expect([after, lines.length]).toEqual([leaves ? [leaves] : [], 1]);
    else expect(after).toContain(claim);
  },
);

test("every check has a damage that it finds", () => {
  const shown = new Set(damages.map(({ claim }) => claim));
  const unreachableClaim = "The payment provider can be reached.";
  expect([...Object.keys(invariants), ...providerClaims].filter((claim) => !shown.has(claim))).toEqual([
    unreachableClaim,
  ]);
});

test("an unreachable provider is reported, and everything else is still checked", async () => {
  await damage("UPDATE shop.product SET quantity = quantity + 1 WHERE id = :product");
  const payments = connectStripe({
    secretKey: "sk_test_0",
    webhookSecret: "whsec_0",
    apiBase: "http://127.0.0.1:9",
  });
  const { faults } = await reconcile({ ...history.store, payments }, { days: 1, recheckAfterMs: 0 });
  expect(faults.map(({ claim }) => claim)).toEqual([stock, "The payment provider can be reached."]);
});

test("a provider that fails while discrepancies are checked again hides none of them", async () => {
  const [listed] = await Array.fromAsync(history.store.payments.intentsSince(new Date(0)));
  const lost = [1, 2, 3, 4, 5].map((number) => ({ ...(listed as Intent), id: `pi_lost${number}` }));
  const payments: PaymentProvider = {
    ...history.store.payments,
    async *intentsSince() {
      yield* lost;
    },
    findIntent: () => Promise.reject(new PaymentUnavailable("Stripe fails: try later.")),
  };
  const { faults } = await reconcile({ ...history.store, payments }, { days: 1, recheckAfterMs: 0 });
  const found = faults.filter(({ claim }) => claim === recorded).map(({ detail }) => detail);
  expect(found).toEqual(lost.map(({ id }) => expect.stringContaining(`with ${id} for order`)));
});

test("a refund that is made while refunds are compared is no discrepancy", async () => {
  const { store, ids } = history;
  const admin = { id: ids.admin, email: "", name: "", role: "admin" } as const;
  let isMade = false;
  const payments = {
    ...store.payments,
    async *refundsOf(paymentId: string) {
      const form = { reason: "As agreed.", returnToStock: false };
      if (!isMade) await refundPurchase(store, admin, ids.paid, form, crypto.randomUUID());
      isMade = true;
      yield* store.payments.refundsOf(paymentId);
    },
  };
  const { faults } = await reconcile({ ...store, payments }, { days: 1, recheckAfterMs: 0 });
  expect([isMade, faults]).toEqual([true, []]);
});

test("a provider that fails while refunds are checked again hides no discrepancy", async () => {
  await damage("UPDATE shop.refund SET provider_id = 're_none' WHERE id = :refund");
  const { store, ids } = history;
  const reads = new Map<string, number>();
  const payments = {
    ...store.payments,
    async *refundsOf(paymentId: string) {
      reads.set(paymentId, (reads.get(paymentId) ?? 0) + 1);
      if (reads.get(paymentId) === 2) throw new PaymentUnavailable("It does not respond.");
      yield* store.payments.refundsOf(paymentId);
    },
  };
  const { faults } = await reconcile({ ...store, payments }, { days: 1, recheckAfterMs: 0 });
  const found = faults.map(({ claim, purchaseId }) => [claim, purchaseId]);
  expect(found).toContainEqual([refunds, ids.refunded]);
  expect(found).toContainEqual(["The payment provider can be reached.", ids.refunded]);
});

test("a payment unknown to the provider hides no other discrepancy, and stops no repair", async () => {
  await damage(`
    UPDATE sandbox.payment_intent SET id = 'pi_gone' WHERE id = :payment;
    UPDATE shop.payment SET opened_at = opened_at + interval '1 minute' WHERE id = :payment`);
  await history.payUnrecorded();
  await damage(
    "UPDATE sandbox.refund SET comes_back = true, failed_at = now() WHERE metadata->>'reference' = :refund",
  );
  const found = (await check()).faults.map(({ claim }) => claim);
  expect(found).toEqual(expect.arrayContaining([known, recorded, refunds]));
  const lines: string[] = [];
  await repairDiscrepancies(history.store, 1, (line) => lines.push(line));
  expect(lines).toEqual([
    expect.stringMatching(/had succeeded unrecorded for order .*\. Its order is paid now\./),
    expect.stringMatching(/^The refunds of payment .* could not be repaired\. .*No such payment_intent/),
    expect.stringMatching(/^1 refunds of .* succeeded or failed/),
  ]);
});

test("payments of another mode or account of the provider are not compared, and not refunded", async () => {
  await damage(`
    DELETE FROM sandbox.payment_intent;
    DELETE FROM sandbox.refund;
    UPDATE shop.payment SET mode = 'live'`);
  expect((await check()).faults).toEqual([]);
  await damage("UPDATE shop.payment SET mode = 'test', account = 'acct_1'");
  const elsewhere = {
    ...history.store.payments,
    account: async () => ({ mode: "test" as const, id: "acct_2" }),
  };
  const store = { ...history.store, payments: elsewhere };
  expect((await reconcile(store, { days: 1, recheckAfterMs: 0 })).faults).toEqual([]);
  const refund = await refundPurchase(
    store,
    { id: history.ids.admin, email: "", name: "", role: "admin" },
    history.ids.paid,
    { reason: "As agreed.", returnToStock: false },
    crypto.randomUUID(),
  );
  expect(refund).toMatchObject({
    refused: "conflict",
    detail: expect.stringContaining("another mode or account"),
  });
  expect((await reconcile(store, { days: 1, recheckAfterMs: 0 })).faults).toEqual([]);
});

test("many payments at the provider are looked up a hundred at a time", async () => {
  const listed = await Array.fromAsync(history.store.payments.intentsSince(new Date(0)));
  const intents = Array.from({ length: 60 }, () => listed).flat();
  const payments = {
    ...history.store.payments,
    async *intentsSince() {
      yield* intents;
    },
  };
  const query = vi.spyOn(history.fixture.pool, "query");
  const { faults } = await reconcile({ ...history.store, payments }, { days: 1, recheckAfterMs: 0 });
  await repairDiscrepancies({ ...history.store, payments }, 1, () => undefined);
  const lookedUp = query.mock.calls.filter(([text]) => /FROM shop\.payment WHERE id =/.test(String(text)));
  expect(faults).toEqual([]);
  expect(intents.length).toBeGreaterThan(250);
  expect(lookedUp).toHaveLength(2 * Math.ceil(intents.length / 100));
});

test("npm run doctor prints discrepancies, exits with 1, and repairs with --repair", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stator-doctor-"));
  try {
    await damage("UPDATE shop.catalogue_entry SET price_cents = 1 WHERE product_id = :product");
    const wrong = await runDoctor(dataDir);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain(`Failed: ${listed}`);
    expect(wrong.out).toContain("1 discrepancy");
    const repaired = await runDoctor(dataDir, "--repair");
    expect(repaired.out).toContain("The catalogue index has 1 tools updated.");
    expect(repaired.code).toBe(0);
    expect((await runDoctor(dataDir)).out).toMatch(/^All \d+ checks passed\.\n$/);
    expect(await runDoctorWith({ DATA_DIR: dataDir, SMTP_URL: "smtp://127.0.0.1:1" })).toEqual({
      code: 1,
      out: expect.stringMatching(/^All \d+ checks passed\.\nEmail: SMTP_URL does not work, .*\n$/),
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("npm run doctor refuses invalid days and unknown options, in one line, with 2", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stator-doctor-"));
  try {
    const line = "--days must be a whole number from 1 to 9999.";
    for (const days of ["-5", "0", "abc", "10000"])
      expect(() => readDoctorOptions([`--days=${days}`]), days).toThrow(line);
    expect(await runDoctor(dataDir, "--days=1.5")).toEqual({ code: 2, out: `${line}\n` });
    const unknown = await runDoctor(dataDir, "--dyas=5");
    expect(unknown).toEqual({ code: 2, out: expect.stringMatching(/^Unknown option '--dyas'.*\n$/) });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

const runDoctor = (dataDir: string, ...args: string[]) => runDoctorWith({ DATA_DIR: dataDir }, ...args);

function runDoctorWith(
  variables: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string }> {
  const { user, password, host, port, database } = history.fixture.pool.options;
  const DATABASE_URL = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(`${host}`)}&port=${port}`;
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    DATABASE_URL,
    UNPAID_HOLD_HOURS: "48",
    ...variables,
  };
  return new Promise((done) => {
    execFile(process.execPath, ["server/doctor.ts", ...args], { env }, (error, stdout, stderr) => {
      done({ code: Number(error?.code ?? 0), out: stdout + stderr });
    });
  });
}
