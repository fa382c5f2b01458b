/** Constraints prevent most violations; these find what bypassed them, such as a restored backup. */

import { auditLogInvariants } from "./audit-log-invariants.ts";
import { documentInvariants } from "./document-invariants.ts";
import { schemaInvariants } from "./schema-invariants.ts";

/** By claim, the SQL of what contradicts it: `detail`, `purchase_id` and optionally `refund_id`. $1 is the hold in hours. */
export type Invariants = Record<string, string>;

const stockClaims: Invariants = {
  "The stock of each tool is what came in less what was sold.": `
    SELECT format('The stock of %s (%s) is %s, its ledger says %s.', p.name, p.id, p.quantity,
      coalesce(sum(m.pieces), 0)) AS detail, NULL::uuid AS purchase_id
    FROM shop.product p LEFT JOIN shop.stock_movement m ON m.product_id = p.id
    GROUP BY p.id HAVING p.quantity <> coalesce(sum(m.pieces), 0)`,
  "No stock is below zero.": `
    SELECT format('The stock of %s (%s) is %s.', name, id, quantity) AS detail, NULL::uuid AS purchase_id
    FROM shop.product WHERE quantity < 0`,
  "Each order took its pieces from stock once.": `
    SELECT format('Order %s is of %s pieces, the ledger has %s sold.', purchase.id, purchase.quantity,
      -coalesce(sum(m.pieces), 0)) AS detail, purchase.id AS purchase_id
    FROM shop.purchase
    LEFT JOIN shop.stock_movement m ON m.purchase_id = purchase.id AND m.product_id = purchase.product_id AND m.reason = 'sold'
    GROUP BY purchase.id HAVING coalesce(sum(m.pieces), 0) <> -purchase.quantity`,
  "Each cancelled order, and no other, returned its pieces once.": `
    SELECT format('Order %s is %s, the ledger has %s pieces returned.', purchase.id,
      CASE WHEN purchase.cancelled_at IS NULL THEN purchase.status ELSE 'cancelled' END, coalesce(sum(m.pieces), 0)) AS detail,
      purchase.id AS purchase_id
    FROM shop.purchase LEFT JOIN shop.stock_movement m ON m.purchase_id = purchase.id AND m.reason = 'cancelled'
    GROUP BY purchase.id
    HAVING coalesce(sum(m.pieces), 0) <> CASE WHEN purchase.cancelled_at IS NULL THEN 0 ELSE purchase.quantity END`,
  "Pieces restocked with a refund are in the ledger once.": `
    SELECT format('Order %s %s, the ledger has %s pieces returned.', purchase.id,
      CASE WHEN purchase.returned_at IS NULL THEN 'was not restocked' ELSE 'was restocked' END, coalesce(sum(m.pieces), 0))
      AS detail, purchase.id AS purchase_id
    FROM shop.purchase LEFT JOIN shop.stock_movement m ON m.purchase_id = purchase.id AND m.reason = 'returned'
    GROUP BY purchase.id
    HAVING coalesce(sum(m.pieces), 0) <> CASE WHEN purchase.returned_at IS NULL THEN 0 ELSE purchase.quantity END`,
  "No order was shipped after a refund that restocks its pieces.": `
    SELECT format('Order %s was shipped at %s, but its %s pieces were to be restocked since %s.', purchase.id,
      to_char(purchase.shipped_at, 'YYYY-MM-DD HH24:MI'), purchase.quantity, to_char(r.asked_at, 'YYYY-MM-DD HH24:MI')) AS detail,
      purchase.id AS purchase_id
    FROM shop.purchase JOIN shop.refund r ON r.purchase_id = purchase.id AND r.return_to_stock AND r.status <> 'refused'
    WHERE r.asked_at <= purchase.shipped_at OR purchase.returned_at <= purchase.shipped_at`,
};

const orderClaims: Invariants = {
  "Each order has lines, numbered from 1.": `
    SELECT format('Order %s has %s lines, the last with number %s.', o.number, count(purchase.id),
      coalesce(max(purchase.line_number)::text, 'none')) AS detail, NULL::uuid AS purchase_id
    FROM shop.order o LEFT JOIN shop.purchase ON purchase.order_id = o.id
    GROUP BY o.id HAVING count(purchase.id) = 0 OR max(purchase.line_number) <> count(purchase.id)`,
  "The pieces shipped of each order are in its shipments.": `
    SELECT format('Order %s has %s pieces shipped, its shipments have %s.', purchase.id, purchase.shipped_pieces,
      coalesce(sum(line.pieces), 0)) AS detail, purchase.id AS purchase_id
    FROM shop.purchase
    LEFT JOIN (shop.shipment_line line JOIN shop.shipment s ON s.id = line.shipment_id)
      ON line.purchase_id = purchase.id AND s.order_id = purchase.order_id
    GROUP BY purchase.id HAVING coalesce(sum(line.pieces), 0) <> purchase.shipped_pieces`,
};

const paymentClaims: Invariants = {
  "Each paid order has exactly one succeeded payment, of its amount and buyer.": `
    SELECT format('Order %s (%s) is %s with transaction %s, and has %s such payments.', purchase.id,
      shop.dollars(purchase.total_cents), purchase.status, coalesce(purchase.transaction_id, 'none'), count(payment.id)) AS detail,
      purchase.id AS purchase_id
    FROM shop.purchase
    LEFT JOIN shop.payment_purchase share ON share.purchase_id = purchase.id AND share.payment_id = purchase.transaction_id
      AND share.amount_cents = purchase.total_cents
    LEFT JOIN shop.payment ON payment.id = share.payment_id AND payment.status = 'succeeded' AND payment.user_id = purchase.user_id
    WHERE purchase.status <> 'unpaid' GROUP BY purchase.id HAVING count(payment.id) <> 1`,
  "Each succeeded payment has paid its orders, or refunds their share.": `
    SELECT format('Payment %s (%s) succeeded, but order %s is %s with transaction %s.', payment.id,
      shop.dollars(share.amount_cents), purchase.id, CASE WHEN purchase.cancelled_at IS NULL THEN purchase.status ELSE 'cancelled' END,
      coalesce(purchase.transaction_id, 'none')) AS detail, purchase.id AS purchase_id
    FROM shop.payment JOIN shop.payment_purchase share ON share.payment_id = payment.id
    JOIN shop.purchase ON purchase.id = share.purchase_id
    WHERE payment.status = 'succeeded' AND (purchase.transaction_id IS DISTINCT FROM payment.id OR purchase.cancelled_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM shop.refund r WHERE r.payment_id = payment.id AND r.purchase_id = purchase.id
        AND r.origin = 'late' AND r.status <> 'refused' AND r.amount_cents = share.amount_cents)`,
  "Each payment is of the sum of what it covers.": `
    SELECT format('Payment %s is of %s, what it covers adds up to %s.', payment.id, shop.dollars(payment.amount_cents),
      shop.dollars(coalesce(sum(share.amount_cents), 0)::bigint)) AS detail, payment.purchase_id
    FROM shop.payment LEFT JOIN shop.payment_purchase share ON share.payment_id = payment.id
      AND share.is_open = (payment.status = 'open')
    GROUP BY payment.id HAVING coalesce(sum(share.amount_cents), 0) <> payment.amount_cents`,
  "No payment is open for an order that needs none.": `
    SELECT format('Payment %s is open since %s for order %s, which is %s.', payment.id,
      to_char(payment.opened_at, 'YYYY-MM-DD HH24:MI'), purchase.id,
      CASE WHEN purchase.cancelled_at IS NULL THEN purchase.status ELSE 'cancelled' END) AS detail, purchase.id AS purchase_id
    FROM shop.payment JOIN shop.payment_purchase share ON share.payment_id = payment.id
    JOIN shop.purchase ON purchase.id = share.purchase_id
    WHERE payment.status = 'open' AND payment.asked_at < now() - interval '30 minutes'
      AND coalesce(purchase.cancelled_at, purchase.paid_at) < now() - interval '30 minutes'`,
};

const refundClaims: Invariants = {
  "What an order says was refunded is the sum of its refunds.": `
    SELECT format('Order %s says %s was refunded, its refunds add up to %s.', purchase.id,
      shop.dollars(purchase.refunded_cents), shop.dollars(coalesce(sum(r.amount_cents), 0)::bigint)) AS detail,
      purchase.id AS purchase_id
    FROM shop.purchase
    LEFT JOIN shop.refund r ON r.purchase_id = purchase.id AND r.origin <> 'late' AND r.status <> 'refused'
    GROUP BY purchase.id HAVING purchase.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  "No more was refunded than was paid.": `
    SELECT format('Payment %s was of %s, its refunds add up to %s.', payment.id, shop.dollars(payment.amount_cents),
      shop.dollars(sum(r.amount_cents)::bigint)) AS detail, payment.purchase_id
    FROM shop.payment JOIN shop.refund r ON r.payment_id = payment.id AND r.status <> 'refused'
    GROUP BY payment.id HAVING sum(r.amount_cents) > payment.amount_cents`,
  "Late payments are refunded, or their refund is pending.": `
    SELECT format('Payment %s (%s) is %s, with %s refunds of that state.', payment.id, shop.dollars(payment.amount_cents),
      payment.status, count(r.id)) AS detail, payment.purchase_id
    FROM shop.payment LEFT JOIN shop.refund r ON r.payment_id = payment.id AND r.origin = 'late'
      AND r.amount_cents = payment.amount_cents
      AND r.status = ANY (CASE payment.status WHEN 'refunded' THEN ARRAY['done', 'settled']
        WHEN 'refund_due' THEN ARRAY['due', 'failed'] END)
    WHERE payment.status IN ('refunded', 'refund_due')
      OR (payment.status <> 'succeeded'
        AND EXISTS (SELECT FROM shop.refund late WHERE late.payment_id = payment.id AND late.origin = 'late'))
    GROUP BY payment.id HAVING count(r.id) <> 1`,
  "No failed refund is left unresolved.": `
    SELECT format('The refund of %s for order %s failed. %s Retry it, or record a manual refund.',
      shop.dollars(amount_cents), purchase_id, problem) AS detail, purchase_id, id AS refund_id
    FROM shop.refund WHERE status = 'failed'`,
  "No refund is pending longer than an hour.": `
    SELECT format('The refund %s of %s for order %s waits since %s%s.', id, shop.dollars(amount_cents), purchase_id,
      to_char(asked_at, 'YYYY-MM-DD HH24:MI'), coalesce(': ' || problem, '')) AS detail, purchase_id
    FROM shop.refund WHERE status = 'due' AND asked_at < now() - interval '1 hour'`,
};

/** Products and catalogue entries that differ; the caller adds the selected columns. */
export const MISINDEXED = `
  FROM shop.product FULL JOIN shop.catalogue_entry entry ON entry.product_id = product.id
  LEFT JOIN shop.catalogue_cell c ON c.id = entry.cell
  WHERE (product.archived_at IS NULL AND product.id IS NOT NULL) <> (entry.product_id IS NOT NULL)
    OR (product.archived_at IS NULL AND (entry.price_cents <> product.price_cents OR entry.minimum_order <> product.minimum_order
      OR c.stock_band <> shop.stock_band(product.quantity, product.minimum_order)))`;

const timeClaims: Invariants = {
  "No unpaid order is kept beyond its time.": `
    SELECT format('Order %s is unpaid since %s and should have expired.', id,
      to_char(placed_at, 'YYYY-MM-DD HH24:MI')) AS detail, id AS purchase_id
    FROM shop.purchase WHERE status = 'unpaid' AND cancelled_at IS NULL AND $1::integer > 0
      AND placed_at < now() - make_interval(hours => $1) - interval '1 hour'`,
  "No job and no email is pending longer than fifteen minutes, and none failed for good.": `
    SELECT format('The job %s (%s) %s%s.', job.id, task.identifier || coalesce(' ' || (job.payload->>'mail'), ''),
      CASE WHEN job.attempts >= job.max_attempts THEN 'was given up after ' || job.attempts || ' tries'
        ELSE 'waits since ' || to_char(job.run_at, 'YYYY-MM-DD HH24:MI') END,
      coalesce(': ' || left(job.last_error, 200), '')) AS detail,
      coalesce((job.payload->>'purchaseId')::uuid,
        (SELECT id FROM shop.purchase WHERE order_id = (job.payload->>'orderId')::uuid LIMIT 1)) AS purchase_id
    FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
    WHERE job.attempts >= job.max_attempts
      OR coalesce(job.locked_at, job.run_at) < now() - interval '15 minutes'`,
  "The audit log records how each order was placed, paid, shipped or cancelled.": `
    SELECT format('The audit log does not record that order %s was %s.', purchase.id, recorded.what) AS detail, purchase.id AS purchase_id
    FROM shop.purchase, LATERAL (VALUES ('placed', purchase.placed_at), ('paid', purchase.paid_at), ('shipped', purchase.shipped_at),
      (CASE purchase.cancelled_because WHEN 'expired' THEN 'expired' ELSE 'cancelled' END, purchase.cancelled_at)) AS recorded (what, at)
    WHERE recorded.at IS NOT NULL AND NOT EXISTS (SELECT FROM shop.event e
      WHERE e.purchase_id = purchase.id AND e.subject = 'purchase' AND e.what = recorded.what)`,
  "The catalogue index has each tool on sale in its current state, and no other.": `
    SELECT format('The catalogue lists %s at %s, minimum %s; the tool %s.', coalesce(product.id, entry.product_id),
      shop.dollars(entry.price_cents), coalesce(entry.minimum_order::text, 'none'),
      CASE WHEN product.id IS NULL THEN 'is not on sale'
        ELSE format('costs %s, minimum %s', shop.dollars(product.price_cents), product.minimum_order) END) AS detail,
      NULL::uuid AS purchase_id
    ${MISINDEXED}`,
};

/** Customers (`c`) whose figures differ from their orders (`p`). */
const MISCOUNTED = `
  FROM shop.user u LEFT JOIN shop.customer c ON c.user_id = u.id
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT order_id) AS orders,
      coalesce(sum(total_cents - refunded_cents) FILTER (WHERE status <> 'unpaid'), 0)::bigint AS revenue_cents,
      coalesce((array_agg(order_id ORDER BY order_id DESC))[1], '00000000-0000-0000-0000-000000000000') AS last_order_id
    FROM shop.purchase WHERE user_id = u.id AND cancelled_at IS NULL
  ) AS p
  WHERE (c.orders, c.revenue_cents, c.last_order_id) IS DISTINCT FROM (p.orders, p.revenue_cents, p.last_order_id)`;

export const RECOUNT_CUSTOMERS = `
INSERT INTO shop.customer (user_id, orders, revenue_cents, last_order_id)
SELECT u.id, p.orders, p.revenue_cents, p.last_order_id ${MISCOUNTED}
ON CONFLICT (user_id) DO UPDATE SET orders = excluded.orders, revenue_cents = excluded.revenue_cents,
  last_order_id = excluded.last_order_id`;

const customerClaims: Invariants = {
  "The figures of each customer are what their orders add up to.": `
    SELECT format('Customer %s (%s): recorded orders %s and revenue %s, counted %s and %s.', u.name, u.id,
      coalesce(c.orders, 0), shop.dollars(c.revenue_cents), p.orders, shop.dollars(p.revenue_cents)) AS detail,
      NULL::uuid AS purchase_id
    ${MISCOUNTED}`,
};

export const invariants: Invariants = {
  ...stockClaims,
  ...orderClaims,
  ...paymentClaims,
  ...refundClaims,
  ...documentInvariants,
  ...customerClaims,
  ...timeClaims,
  ...auditLogInvariants,
  ...schemaInvariants,
};
