import type { Invariants } from "./invariants.ts";

const gaps = (table: string, kind: string) => `
  SELECT format('There are %s ${kind}s from %s to %s, the last number given is %s.', count(d.number), min(d.number),
    max(d.number), n.last) AS detail, NULL::uuid AS purchase_id
  FROM shop.document_number n LEFT JOIN shop.${table} d ON true WHERE n.kind = '${kind}'
  GROUP BY n.last
  HAVING count(d.number) <> n.last - 10000 OR min(d.number) <> 10001 OR max(d.number) <> n.last`;

/** Logical replication, and some tools that copy a database, leave sequences where they began. */
const SEQUENCES = [
  ["order", "number", "order_number_seq"],
  ["shipment", "number", "shipment_number_seq"],
  ["stock_movement", "id", "stock_movement_id_seq"],
  ["seller", "id", "seller_id_seq"],
  ["catalogue_category", "position", "catalogue_category_position_seq"],
  ["catalogue_cell", "id", "catalogue_cell_id_seq"],
  ["catalogue_word", "id", "catalogue_word_id_seq"],
  ["catalogue_place", "place", "catalogue_place_place_seq"],
  ["catalogue_place", "changed", "catalogue_change"],
];

const usedAgain = SEQUENCES.map(
  ([table, column, sequence]) => `
      SELECT format('The next number of ${sequence} is %s, and ${table} has %s already.', next, taken) AS detail,
        NULL::uuid AS purchase_id
      FROM (SELECT max(${column}) AS taken FROM shop."${table}"),
        (SELECT last_value + is_called::int AS next FROM shop.${sequence})
      WHERE taken >= next`,
);

export const documentInvariants: Invariants = {
  "The next number that the database gives is a new one.": usedAgain.join(" UNION ALL "),
  "The numbers of invoices and credit notes have no gaps.": `${gaps("invoice", "invoice")} UNION ALL ${gaps("credit_note", "credit note")}`,
  "Each paid order, and no other, is on one invoice, of its payment and total.": `
    SELECT format('Order %s (%s) is %s, and invoiced with %s.', purchase.id, shop.dollars(purchase.total_cents), purchase.status,
      shop.dollars(line.amount_cents)) AS detail, purchase.id AS purchase_id
    FROM shop.purchase
    LEFT JOIN (shop.invoice_line line JOIN shop.invoice i ON i.number = line.invoice_number)
      ON line.purchase_id = purchase.id AND i.order_id = purchase.order_id AND i.payment_id = purchase.transaction_id
    WHERE (purchase.status <> 'unpaid') <> (line.purchase_id IS NOT NULL) OR line.amount_cents <> purchase.total_cents`,
  "Each invoice is of the sum of its lines, as printed and as charged.": `
    SELECT format('Invoice %s is of %s; its lines add up to %s, printed are %s, charged were %s.', i.number,
      shop.dollars(i.total_cents), shop.dollars(coalesce(sum(line.amount_cents), 0)::bigint),
      shop.dollars(printed.cents), shop.dollars(coalesce(sum(share.amount_cents), 0)::bigint)) AS detail,
      NULL::uuid AS purchase_id
    FROM shop.invoice i
    CROSS JOIN LATERAL (
      SELECT coalesce(sum((line->>'totalCents')::bigint), 0)::bigint AS cents
      FROM jsonb_array_elements(i.content->'lines') line
    ) AS printed
    LEFT JOIN shop.invoice_line line ON line.invoice_number = i.number
    LEFT JOIN shop.payment_purchase share ON share.payment_id = i.payment_id AND share.purchase_id = line.purchase_id
    GROUP BY i.number, printed.cents
    HAVING i.total_cents <> coalesce(sum(line.amount_cents), 0) OR i.total_cents <> printed.cents
      OR i.total_cents <> coalesce(sum(share.amount_cents), 0)`,
  "Each completed refund of an invoice has a credit note of its amount.": `
    SELECT format('The refund %s of %s for order %s has a credit note of %s.', r.id, shop.dollars(r.amount_cents),
      r.purchase_id, shop.dollars(c.amount_cents)) AS detail, r.purchase_id
    FROM shop.refund r JOIN shop.invoice_line line ON line.purchase_id = r.purchase_id
    JOIN shop.invoice i ON i.number = line.invoice_number AND i.payment_id = r.payment_id
    LEFT JOIN shop.credit_note c ON c.refund_id = r.id AND c.invoice_number = i.number
    WHERE (r.status IN ('done', 'settled') AND c.refund_id IS NULL) OR c.amount_cents <> r.amount_cents`,
};
