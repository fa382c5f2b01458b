import type { Invariant } from "./invariants.ts";

const PLACED = `shop.purchase u JOIN shop.event e
  ON e.purchase_id = u.id AND e.subject = 'purchase' AND e.what = 'placed'`;

const orderClaims: Invariant[] = [
  {
    words: "Each order belongs to the buyer who placed it.",
    discrepancies: `
      SELECT format('Order %s belongs to user %s; the audit log says that user %s placed it.', u.id, u.user_id,
        coalesce(e.after->>'user_id', e.who::text)) AS detail, u.id AS purchase_id
      FROM ${PLACED} JOIN shop.order o ON o.id = u.order_id
      WHERE coalesce(e.after->>'user_id', e.who::text) NOT IN (u.user_id::text, o.user_id::text)
        OR u.user_id <> o.user_id`,
  },
  {
    words: "Each order is of the product, quantity and price that were ordered.",
    discrepancies: `
      SELECT format('Order %s is of %s × %s (%s) at %s; the audit log says %s × %s (%s) at %s.', u.id,
        u.quantity, u.product_name, u.product_id, shop.dollars(u.price_cents), e.after->>'quantity',
        e.after->>'product_name', e.after->>'product_id', shop.dollars((e.after->>'price_cents')::bigint)) AS detail,
        u.id AS purchase_id
      FROM ${PLACED}
      WHERE (u.quantity::text, u.product_name, u.product_id::text, u.price_cents::text) IS DISTINCT FROM
        (e.after->>'quantity', e.after->>'product_name', e.after->>'product_id', e.after->>'price_cents')`,
  },
  {
    words: "Each order is delivered to the name, address and phone that were ordered.",
    discrepancies: `
      SELECT format('Name, address or phone of order %s are not those that it was placed with.', u.id) AS detail,
        u.id AS purchase_id
      FROM ${PLACED}
      WHERE e.after ? 'ship_to_digest' AND shop.ship_to_digest(u) <> e.after->>'ship_to_digest'
        -- deleted together with the account
        AND NOT (u.address = 'Deleted'
          AND EXISTS (SELECT FROM shop.user WHERE id = u.user_id AND deleted_at IS NOT NULL))`,
  },
  {
    words: "Events are in a possible order, and none is in the future.",
    discrepancies: `
      SELECT format('Order %s was %s %s and %s %s.', u.id, was, to_char(earlier, 'YYYY-MM-DD HH24:MI:SS'), became,
        to_char(later, 'YYYY-MM-DD HH24:MI:SS')) AS detail, u.id AS purchase_id
      FROM shop.purchase u, LATERAL (VALUES
        ('placed', u.placed_at, 'paid', u.paid_at), ('paid', u.paid_at, 'shipped', u.shipped_at),
        ('placed', u.placed_at, 'cancelled', u.cancelled_at), ('paid', u.paid_at, 'restocked', u.returned_at))
        AS steps (was, earlier, became, later)
      WHERE later < earlier
      UNION ALL
      SELECT format('Order %s was %s %s, which is in the future.', u.id, what, to_char(at, 'YYYY-MM-DD HH24:MI:SS')),
        u.id
      FROM shop.purchase u, LATERAL (VALUES ('placed', u.placed_at), ('paid', u.paid_at), ('shipped', u.shipped_at),
        ('cancelled', u.cancelled_at), ('restocked', u.returned_at)) AS steps (what, at)
      WHERE at > now() + interval '5 minutes'
      UNION ALL
      SELECT format('Payment %s was opened %s and settled %s.', id, to_char(opened_at, 'YYYY-MM-DD HH24:MI:SS'),
        to_char(settled_at, 'YYYY-MM-DD HH24:MI:SS')), purchase_id
      FROM shop.payment WHERE settled_at < opened_at OR greatest(opened_at, settled_at) > now() + interval '5 minutes'
      UNION ALL
      SELECT format('The refund %s was requested %s and made %s.', id, to_char(asked_at, 'YYYY-MM-DD HH24:MI:SS'),
        to_char(done_at, 'YYYY-MM-DD HH24:MI:SS')), purchase_id
      FROM shop.refund WHERE done_at < asked_at OR greatest(asked_at, done_at) > now() + interval '5 minutes'`,
  },
];

const userClaims: Invariant[] = [
  {
    words: "Each user has the email address of the account that logs in.",
    discrepancies: `
      SELECT format('User %s has the email %s; the account that logs in has %s.', u.id, u.email, i.email) AS detail,
        NULL::uuid AS purchase_id
      FROM shop.user u JOIN identity."user" i ON i.id = u.id WHERE u.email <> lower(i.email)`,
  },
  {
    words: "Each user has the role that the audit log says.",
    discrepancies: `
      SELECT format('User %s (%s) has the role %s; the audit log says %s.', u.id, u.email, u.role, recorded.role) AS detail,
        NULL::uuid AS purchase_id
      FROM shop.user u, LATERAL (SELECT coalesce((SELECT e.after->>'role' FROM shop.event e
        WHERE e.subject = 'user' AND e.subject_id = u.id::text AND e.what = 'role changed'
        ORDER BY e.id DESC LIMIT 1), 'user') AS role) AS recorded
      WHERE u.role <> recorded.role`,
  },
];

const recorded = (subject: string, id: string, what: string) =>
  `EXISTS (SELECT FROM shop.event e WHERE e.subject = '${subject}' AND e.subject_id = ${id} AND e.what = ${what})`;

const logClaims: Invariant[] = [
  {
    words: "The audit log has each delivery, count and correction of stock.",
    discrepancies: `
      SELECT format('The ledger of %s (%s) has %s movements by admins, the audit log %s.', p.name, p.id, moved.times,
        logged.times) AS detail, NULL::uuid AS purchase_id
      FROM (SELECT product_id, count(*) AS times FROM shop.stock_movement WHERE user_id IS NOT NULL GROUP BY 1) AS moved
      JOIN shop.product p ON p.id = moved.product_id,
      LATERAL (SELECT count(*) AS times FROM shop.event e
        WHERE e.subject = 'product' AND e.subject_id = p.id::text AND e.what LIKE 'stock %') AS logged
      WHERE moved.times <> logged.times`,
  },
  {
    words: "The audit log has each payment, refund and tool.",
    discrepancies: `
      SELECT format('The audit log does not record that payment %s was %s.', y.id, step.what) AS detail, y.purchase_id
      FROM shop.payment y, LATERAL (SELECT 'opened' AS what UNION SELECT nullif(y.status, 'open')) AS step
      WHERE step.what IS NOT NULL AND NOT ${recorded("payment", "y.id", "step.what")}
      UNION ALL
      SELECT format('The audit log does not record that the refund %s is %s.', r.id, r.status), r.purchase_id
      FROM shop.refund r
      WHERE NOT ${recorded("refund", "r.id::text", "CASE r.status WHEN 'due' THEN 'asked' ELSE r.status END")}
      UNION ALL
      SELECT format('The audit log does not record that the tool %s (%s) was %s.', p.name, p.id, step.what), NULL
      FROM shop.product p, LATERAL (VALUES ('added', true), ('deleted', p.archived_at IS NOT NULL))
        AS step (what, happened)
      WHERE step.happened AND NOT ${recorded("product", "p.id::text", "step.what")}`,
  },
];

export const auditLogInvariants: Invariant[] = [...orderClaims, ...userClaims, ...logClaims];
