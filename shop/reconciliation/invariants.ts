/** Constraints prevent most violations; these find what bypassed them, such as a restored backup. */

import { auditLogInvariants } from "./audit-log-invariants.ts";
import { documentInvariants } from "./document-invariants.ts";
import { schemaInvariants } from "./schema-invariants.ts";

/** `discrepancies` selects `detail`, `purchase_id` and optionally `refund_id`. $1 is the hold in hours. */
export interface Invariant {
  words: string;
  discrepancies: string;
}

const stockClaims: Invariant[] = [
  {
    words: "The stock of each tool is what came in less what was sold.",
    discrepancies: `
      SELECT format('The stock of %s (%s) is %s, its ledger says %s.', p.name, p.id, p.quantity,
        coalesce(sum(m.pieces), 0)) AS detail, NULL::uuid AS purchase_id
      FROM shop.product p LEFT JOIN shop.stock_movement m ON m.product_id = p.id
      GROUP BY p.id HAVING p.quantity <> coalesce(sum(m.pieces), 0)`,
  },
  {
    words: "No stock is below zero.",
    discrepancies: `
      SELECT format('The stock of %s (%s) is %s.', name, id, quantity) AS detail, NULL::uuid AS purchase_id
      FROM shop.product WHERE quantity < 0`,
  },
  {
    words: "Each order took its pieces from stock once.",
    discrepancies: `
      SELECT format('Order %s is of %s pieces, the ledger has %s sold.', u.id, u.quantity,
        -coalesce(sum(m.pieces), 0)) AS detail, u.id AS purchase_id
      FROM shop.purchase u
      LEFT JOIN shop.stock_movement m ON m.purchase_id = u.id AND m.product_id = u.product_id AND m.reason = 'sold'
      GROUP BY u.id HAVING coalesce(sum(m.pieces), 0) <> -u.quantity`,
  },
  {
    words: "Each cancelled order, and no other, returned its pieces once.",
    discrepancies: `
      SELECT format('Order %s is %s, the ledger has %s pieces returned.', u.id,
        CASE WHEN u.cancelled_at IS NULL THEN u.status ELSE 'cancelled' END, coalesce(sum(m.pieces), 0)) AS detail,
        u.id AS purchase_id
      FROM shop.purchase u LEFT JOIN shop.stock_movement m ON m.purchase_id = u.id AND m.reason = 'cancelled'
      GROUP BY u.id
      HAVING coalesce(sum(m.pieces), 0) <> CASE WHEN u.cancelled_at IS NULL THEN 0 ELSE u.quantity END`,
  },
  {
    words: "Items restocked with a refund are in the ledger once.",
    discrepancies: `
      SELECT format('Order %s %s, the ledger has %s pieces returned.', u.id,
        CASE WHEN u.returned_at IS NULL THEN 'was not restocked' ELSE 'was restocked' END, coalesce(sum(m.pieces), 0))
        AS detail, u.id AS purchase_id
      FROM shop.purchase u LEFT JOIN shop.stock_movement m ON m.purchase_id = u.id AND m.reason = 'returned'
      GROUP BY u.id
      HAVING coalesce(sum(m.pieces), 0) <> CASE WHEN u.returned_at IS NULL THEN 0 ELSE u.quantity END`,
  },
  {
    words: "No order was shipped after a refund that restocks its items.",
    discrepancies: `
      SELECT format('Order %s was shipped at %s, but its %s pieces were to be restocked since %s.', u.id,
        to_char(u.shipped_at, 'YYYY-MM-DD HH24:MI'), u.quantity, to_char(r.asked_at, 'YYYY-MM-DD HH24:MI')) AS detail,
        u.id AS purchase_id
      FROM shop.purchase u JOIN shop.refund r ON r.purchase_id = u.id AND r.return_to_stock AND r.status <> 'refused'
      WHERE r.asked_at <= u.shipped_at OR u.returned_at <= u.shipped_at`,
  },
];

const orderClaims: Invariant[] = [
  {
    words: "Each order has lines, numbered from 1.",
    discrepancies: `
      SELECT format('Order %s has %s lines, the last with number %s.', o.number, count(u.id),
        coalesce(max(u.line_number)::text, 'none')) AS detail, NULL::uuid AS purchase_id
      FROM shop.order o LEFT JOIN shop.purchase u ON u.order_id = o.id
      GROUP BY o.id HAVING count(u.id) = 0 OR max(u.line_number) <> count(u.id)`,
  },
  {
    words: "The pieces shipped of each order are in its shipments.",
    discrepancies: `
      SELECT format('Order %s has %s pieces shipped, its shipments have %s.', u.id, u.shipped_pieces,
        coalesce(sum(line.pieces), 0)) AS detail, u.id AS purchase_id
      FROM shop.purchase u
      LEFT JOIN (shop.shipment_line line JOIN shop.shipment s ON s.id = line.shipment_id)
        ON line.purchase_id = u.id AND s.order_id = u.order_id
      GROUP BY u.id HAVING coalesce(sum(line.pieces), 0) <> u.shipped_pieces`,
  },
];

const paymentClaims: Invariant[] = [
  {
    words: "Each paid order has exactly one succeeded payment, of its amount and buyer.",
    discrepancies: `
      SELECT format('Order %s (%s) is %s with transaction %s, and has %s such payments.', u.id,
        shop.dollars(u.total_cents), u.status, coalesce(u.transaction_id, 'none'), count(y.id)) AS detail,
        u.id AS purchase_id
      FROM shop.purchase u
      LEFT JOIN shop.payment_purchase share ON share.purchase_id = u.id AND share.payment_id = u.transaction_id
        AND share.amount_cents = u.total_cents
      LEFT JOIN shop.payment y ON y.id = share.payment_id AND y.status = 'succeeded' AND y.user_id = u.user_id
      WHERE u.status <> 'unpaid' GROUP BY u.id HAVING count(y.id) <> 1`,
  },
  {
    words: "Each succeeded payment has paid its orders, or refunds their share.",
    discrepancies: `
      SELECT format('Payment %s (%s) succeeded, but order %s is %s with transaction %s.', y.id,
        shop.dollars(share.amount_cents), u.id, CASE WHEN u.cancelled_at IS NULL THEN u.status ELSE 'cancelled' END,
        coalesce(u.transaction_id, 'none')) AS detail, u.id AS purchase_id
      FROM shop.payment y JOIN shop.payment_purchase share ON share.payment_id = y.id
      JOIN shop.purchase u ON u.id = share.purchase_id
      WHERE y.status = 'succeeded' AND (u.transaction_id IS DISTINCT FROM y.id OR u.cancelled_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM shop.refund r WHERE r.payment_id = y.id AND r.purchase_id = u.id
          AND r.origin = 'late' AND r.status <> 'refused' AND r.amount_cents = share.amount_cents)`,
  },
  {
    words: "Each payment is of the sum of what it covers.",
    discrepancies: `
      SELECT format('Payment %s is of %s, what it covers adds up to %s.', y.id, shop.dollars(y.amount_cents),
        shop.dollars(coalesce(sum(share.amount_cents), 0)::bigint)) AS detail, y.purchase_id
      FROM shop.payment y LEFT JOIN shop.payment_purchase share ON share.payment_id = y.id
        AND share.is_open = (y.status = 'open')
      GROUP BY y.id HAVING coalesce(sum(share.amount_cents), 0) <> y.amount_cents`,
  },
  {
    words: "No payment is open for an order that needs none.",
    discrepancies: `
      SELECT format('Payment %s is open since %s for order %s, which is %s.', y.id,
        to_char(y.opened_at, 'YYYY-MM-DD HH24:MI'), u.id,
        CASE WHEN u.cancelled_at IS NULL THEN u.status ELSE 'cancelled' END) AS detail, u.id AS purchase_id
      FROM shop.payment y JOIN shop.payment_purchase share ON share.payment_id = y.id
      JOIN shop.purchase u ON u.id = share.purchase_id
      WHERE y.status = 'open' AND y.asked_at < now() - interval '30 minutes'
        AND coalesce(u.cancelled_at, u.paid_at) < now() - interval '30 minutes'`,
  },
];

const refundClaims: Invariant[] = [
  {
    words: "What an order says was refunded is the sum of its refunds.",
    discrepancies: `
      SELECT format('Order %s says %s was refunded, its refunds add up to %s.', u.id,
        shop.dollars(u.refunded_cents), shop.dollars(coalesce(sum(r.amount_cents), 0)::bigint)) AS detail,
        u.id AS purchase_id
      FROM shop.purchase u
      LEFT JOIN shop.refund r ON r.purchase_id = u.id AND r.origin <> 'late' AND r.status <> 'refused'
      GROUP BY u.id HAVING u.refunded_cents <> coalesce(sum(r.amount_cents), 0)`,
  },
  {
    words: "No more was refunded than was paid.",
    discrepancies: `
      SELECT format('Payment %s was of %s, its refunds add up to %s.', y.id, shop.dollars(y.amount_cents),
        shop.dollars(sum(r.amount_cents)::bigint)) AS detail, y.purchase_id
      FROM shop.payment y JOIN shop.refund r ON r.payment_id = y.id AND r.status <> 'refused'
      GROUP BY y.id HAVING sum(r.amount_cents) > y.amount_cents`,
  },
  {
    words: "Late payments are refunded, or their refund is pending.",
    discrepancies: `
      SELECT format('Payment %s (%s) is %s, with %s refunds of that state.', y.id, shop.dollars(y.amount_cents),
        y.status, count(r.id)) AS detail, y.purchase_id
      FROM shop.payment y LEFT JOIN shop.refund r ON r.payment_id = y.id AND r.origin = 'late'
        AND r.amount_cents = y.amount_cents
        AND r.status = ANY (CASE y.status WHEN 'refunded' THEN ARRAY['done', 'settled']
          WHEN 'refund_due' THEN ARRAY['due', 'failed'] END)
      WHERE y.status IN ('refunded', 'refund_due')
        OR (y.status <> 'succeeded'
          AND EXISTS (SELECT FROM shop.refund late WHERE late.payment_id = y.id AND late.origin = 'late'))
      GROUP BY y.id HAVING count(r.id) <> 1`,
  },
  {
    words: "No failed refund is left unresolved.",
    discrepancies: `
      SELECT format('The refund of %s for order %s failed. %s Retry it, or record a manual refund.',
        shop.dollars(amount_cents), purchase_id, problem) AS detail, purchase_id, id AS refund_id
      FROM shop.refund WHERE status = 'failed'`,
  },
  {
    words: "No refund is pending longer than an hour.",
    discrepancies: `
      SELECT format('The refund %s of %s for order %s waits since %s%s.', id, shop.dollars(amount_cents), purchase_id,
        to_char(asked_at, 'YYYY-MM-DD HH24:MI'), coalesce(': ' || problem, '')) AS detail, purchase_id
      FROM shop.refund WHERE status = 'due' AND asked_at < now() - interval '1 hour'`,
  },
];

/** Products (`s`) and catalogue entries (`e`) that differ; the caller adds the selected columns. */
export const MISINDEXED = `
  FROM shop.product s FULL JOIN shop.catalogue_entry e ON e.product_id = s.id
  LEFT JOIN shop.catalogue_cell c ON c.id = e.cell
  WHERE (s.archived_at IS NULL AND s.id IS NOT NULL) <> (e.product_id IS NOT NULL)
    OR (s.archived_at IS NULL AND (e.price_cents <> s.price_cents OR e.minimum_order <> s.minimum_order
      OR c.stock_band <> shop.stock_band(s.quantity, s.minimum_order)))`;

const timeClaims: Invariant[] = [
  {
    words: "No unpaid order is kept beyond its time.",
    discrepancies: `
      SELECT format('Order %s is unpaid since %s and should have expired.', id,
        to_char(placed_at, 'YYYY-MM-DD HH24:MI')) AS detail, id AS purchase_id
      FROM shop.purchase WHERE status = 'unpaid' AND cancelled_at IS NULL AND $1::integer > 0
        AND placed_at < now() - make_interval(hours => $1) - interval '1 hour'`,
  },
  {
    words: "No job and no email is pending longer than fifteen minutes, and none failed for good.",
    discrepancies: `
      SELECT format('The job %s (%s) %s%s.', job.id, task.identifier || coalesce(' ' || (job.payload->>'mail'), ''),
        CASE WHEN job.attempts >= job.max_attempts THEN 'was given up after ' || job.attempts || ' tries'
          ELSE 'waits since ' || to_char(job.run_at, 'YYYY-MM-DD HH24:MI') END,
        coalesce(': ' || left(job.last_error, 200), '')) AS detail,
        coalesce((job.payload->>'purchaseId')::uuid,
          (SELECT id FROM shop.purchase WHERE order_id = (job.payload->>'orderId')::uuid LIMIT 1)) AS purchase_id
      FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
      WHERE job.attempts >= job.max_attempts
        OR coalesce(job.locked_at, job.run_at) < now() - interval '15 minutes'`,
  },
  {
    words: "The audit log records how each order was placed, paid, shipped or cancelled.",
    discrepancies: `
      SELECT format('The audit log does not record that order %s was %s.', u.id, recorded.what) AS detail, u.id AS purchase_id
      FROM shop.purchase u, LATERAL (VALUES ('placed', u.placed_at), ('paid', u.paid_at), ('shipped', u.shipped_at),
        (CASE u.cancelled_because WHEN 'expired' THEN 'expired' ELSE 'cancelled' END, u.cancelled_at)) AS recorded (what, at)
      WHERE recorded.at IS NOT NULL AND NOT EXISTS (SELECT FROM shop.event e
        WHERE e.purchase_id = u.id AND e.subject = 'purchase' AND e.what = recorded.what)`,
  },
  {
    words: "The catalogue index has each tool on sale in its current state, and no other.",
    discrepancies: `
      SELECT format('The catalogue lists %s at %s, minimum %s; the tool %s.', coalesce(s.id, e.product_id),
        shop.dollars(e.price_cents), coalesce(e.minimum_order::text, 'none'),
        CASE WHEN s.id IS NULL THEN 'is not on sale'
          ELSE format('costs %s, minimum %s', shop.dollars(s.price_cents), s.minimum_order) END) AS detail,
        NULL::uuid AS purchase_id
      ${MISINDEXED}`,
  },
];

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

const customerClaims: Invariant[] = [
  {
    words: "The figures of each customer are what their orders add up to.",
    discrepancies: `
      SELECT format('Customer %s has %s orders and %s of revenue; the orders are %s and %s.', u.id,
        coalesce(c.orders, 0), shop.dollars(c.revenue_cents), p.orders, shop.dollars(p.revenue_cents)) AS detail,
        NULL::uuid AS purchase_id
      ${MISCOUNTED}`,
  },
];

export const invariants: Invariant[] = [
  ...stockClaims,
  ...orderClaims,
  ...paymentClaims,
  ...refundClaims,
  ...documentInvariants,
  ...customerClaims,
  ...timeClaims,
  ...auditLogInvariants,
  ...schemaInvariants,
];
