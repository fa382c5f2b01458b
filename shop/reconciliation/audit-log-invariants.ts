import type { Invariants } from "./invariants.ts";

const PLACED = `shop.purchase JOIN shop.event e
  ON e.purchase_id = purchase.id AND e.subject = 'purchase' AND e.what = 'placed'`;

const orderClaims: Invariants = {
  "Each order belongs to the buyer who placed it.": `
    SELECT format('Order %s belongs to user %s; the audit log says that user %s placed it.', purchase.id, purchase.user_id,
      coalesce(e.after->>'user_id', e.who::text)) AS detail, purchase.id AS purchase_id
    FROM ${PLACED} JOIN shop.order o ON o.id = purchase.order_id
    WHERE coalesce(e.after->>'user_id', e.who::text) NOT IN (purchase.user_id::text, o.user_id::text)
      OR purchase.user_id <> o.user_id`,
  "Each order is of the product, quantity and price that were ordered.": `
    SELECT format('Order %s is of %s × %s (%s) at %s; the audit log says %s × %s (%s) at %s.', purchase.id,
      purchase.quantity, purchase.product_name, purchase.product_id, shop.dollars(purchase.price_cents), e.after->>'quantity',
      e.after->>'product_name', e.after->>'product_id', shop.dollars((e.after->>'price_cents')::bigint)) AS detail,
      purchase.id AS purchase_id
    FROM ${PLACED}
    WHERE (purchase.quantity::text, purchase.product_name, purchase.product_id::text, purchase.price_cents::text) IS DISTINCT FROM
      (e.after->>'quantity', e.after->>'product_name', e.after->>'product_id', e.after->>'price_cents')`,
  "Each order is delivered to the name, address and phone that were ordered.": `
    SELECT format('Name, address or phone of order %s are not those that it was placed with.', purchase.id) AS detail,
      purchase.id AS purchase_id
    FROM ${PLACED}
    WHERE e.after ? 'ship_to_digest' AND shop.ship_to_digest(purchase) <> e.after->>'ship_to_digest'
      -- deleted together with the account
      AND NOT (purchase.address = 'Deleted'
        AND EXISTS (SELECT FROM shop.user WHERE id = purchase.user_id AND deleted_at IS NOT NULL))`,
  "Events are in a possible order, and none is in the future.": `
    SELECT format('Order %s was %s %s and %s %s.', purchase.id, was, to_char(earlier, 'YYYY-MM-DD HH24:MI:SS'), became,
      to_char(later, 'YYYY-MM-DD HH24:MI:SS')) AS detail, purchase.id AS purchase_id
    FROM shop.purchase, LATERAL (VALUES
      ('placed', purchase.placed_at, 'paid', purchase.paid_at), ('paid', purchase.paid_at, 'shipped', purchase.shipped_at),
      ('placed', purchase.placed_at, 'cancelled', purchase.cancelled_at), ('paid', purchase.paid_at, 'restocked', purchase.returned_at))
      AS steps (was, earlier, became, later)
    WHERE later < earlier
    UNION ALL
    SELECT format('Order %s was %s %s, which is in the future.', purchase.id, what, to_char(at, 'YYYY-MM-DD HH24:MI:SS')),
      purchase.id
    FROM shop.purchase, LATERAL (VALUES ('placed', purchase.placed_at), ('paid', purchase.paid_at), ('shipped', purchase.shipped_at),
      ('cancelled', purchase.cancelled_at), ('restocked', purchase.returned_at)) AS steps (what, at)
    WHERE at > now() + interval '5 minutes'
    UNION ALL
    SELECT format('Payment %s was opened %s and settled %s.', id, to_char(opened_at, 'YYYY-MM-DD HH24:MI:SS'),
      to_char(settled_at, 'YYYY-MM-DD HH24:MI:SS')), purchase_id
    FROM shop.payment WHERE settled_at < opened_at OR greatest(opened_at, settled_at) > now() + interval '5 minutes'
    UNION ALL
    SELECT format('The refund %s was requested %s and made %s.', id, to_char(asked_at, 'YYYY-MM-DD HH24:MI:SS'),
      to_char(done_at, 'YYYY-MM-DD HH24:MI:SS')), purchase_id
    FROM shop.refund WHERE done_at < asked_at OR greatest(asked_at, done_at) > now() + interval '5 minutes'`,
};

const userClaims: Invariants = {
  "Each user has the email address of the account that logs in.": `
    SELECT format('User %s has the email %s; the account that logs in has %s.', u.id, u.email, i.email) AS detail,
      NULL::uuid AS purchase_id
    FROM shop.user u JOIN identity."user" i ON i.id = u.id WHERE u.email <> lower(i.email)`,
  "Each user has the role that the audit log says.": `
    SELECT format('User %s (%s) has the role %s; the audit log says %s.', u.id, u.email, u.role, recorded.role) AS detail,
      NULL::uuid AS purchase_id
    FROM shop.user u, LATERAL (SELECT coalesce((SELECT e.after->>'role' FROM shop.event e
      WHERE e.subject = 'user' AND e.subject_id = u.id::text AND e.what = 'role changed'
      ORDER BY e.id DESC LIMIT 1), 'user') AS role) AS recorded
    WHERE u.role <> recorded.role`,
};

const recorded = (subject: string, id: string, what: string) =>
  `EXISTS (SELECT FROM shop.event e WHERE e.subject = '${subject}' AND e.subject_id = ${id} AND e.what = ${what})`;

const logClaims: Invariants = {
  "The audit log has each delivery, count and correction of stock.": `
    SELECT format('The ledger of %s (%s) has %s movements by admins, the audit log %s.', p.name, p.id, moved.times,
      logged.times) AS detail, NULL::uuid AS purchase_id
    FROM (SELECT product_id, count(*) AS times FROM shop.stock_movement WHERE user_id IS NOT NULL GROUP BY 1) AS moved
    JOIN shop.product p ON p.id = moved.product_id,
    LATERAL (SELECT count(*) AS times FROM shop.event e
      WHERE e.subject = 'product' AND e.subject_id = p.id::text AND e.what LIKE 'stock %') AS logged
    WHERE moved.times <> logged.times`,
  "The audit log has each payment, refund and tool.": `
    SELECT format('The audit log does not record that payment %s was %s.', payment.id, step.what) AS detail, payment.purchase_id
    FROM shop.payment, LATERAL (SELECT 'opened' AS what UNION SELECT nullif(payment.status, 'open')) AS step
    WHERE step.what IS NOT NULL AND NOT ${recorded("payment", "payment.id", "step.what")}
    UNION ALL
    SELECT format('The audit log does not record that the refund %s is %s.', r.id, r.status), r.purchase_id
    FROM shop.refund r
    WHERE NOT ${recorded("refund", "r.id::text", "CASE r.status WHEN 'due' THEN 'asked' ELSE r.status END")}
    UNION ALL
    SELECT format('The audit log does not record that the tool %s (%s) was %s.', p.name, p.id, step.what), NULL
    FROM shop.product p, LATERAL (VALUES ('added', true), ('deleted', p.archived_at IS NOT NULL))
      AS step (what, happened)
    WHERE step.happened AND NOT ${recorded("product", "p.id::text", "step.what")}`,
};

export const auditLogInvariants: Invariants = { ...orderClaims, ...userClaims, ...logClaims };
