/** Search of the audit log: each word is resolved to ids through indexes before the log is read (decision 67). */
import type { Request } from "../../api/contract.ts";
import type { Queryable } from "../../database/client.ts";
import { likePattern, MAX_MATCHES, type Select, searchWords } from "../../database/pagination.ts";

const PURCHASE_WORDS = "shop.purchase_words(name, email, product_name, item_number, transaction_id, id)";

// `kinds` are the distinct values of `what`, read by a loose index scan. An order is found with all of its purchases.
// The log is the only page of cancelled ones, whose words have an index of their own. That of reviews has the name and
// the description.
const MATCHES = `
WITH RECURSIVE kinds AS (
  (SELECT what FROM shop.event ORDER BY what LIMIT 1)
  UNION ALL
  SELECT (SELECT what FROM shop.event WHERE what > kinds.what ORDER BY what LIMIT 1) FROM kinds WHERE what IS NOT NULL
), orders AS (
  SELECT o.id FROM shop.order o WHERE number::text || ' ' || po_number ILIKE $1 ORDER BY o.id DESC LIMIT ${MAX_MATCHES}
)
SELECT ARRAY(SELECT what FROM kinds WHERE what ILIKE $1) AS kinds,
  ARRAY(SELECT u.id::text FROM shop.user u WHERE (name || ' ' || email) ILIKE $1 ORDER BY u.id DESC LIMIT ${MAX_MATCHES}) AS users,
  ARRAY(SELECT product.id::text FROM shop.product WHERE shop.product_words(name, item_number, category) ILIKE $1
    ORDER BY product.id DESC LIMIT ${MAX_MATCHES}) AS products,
  ARRAY((SELECT id FROM shop.purchase WHERE cancelled_at IS NULL AND ${PURCHASE_WORDS} ILIKE $1
      ORDER BY id DESC LIMIT ${MAX_MATCHES})
    UNION ALL (SELECT id FROM shop.purchase WHERE cancelled_at IS NOT NULL AND ${PURCHASE_WORDS} ILIKE $1
      ORDER BY id DESC LIMIT ${MAX_MATCHES})
    UNION ALL (SELECT line.id FROM orders JOIN shop.purchase line ON line.order_id = orders.id
      ORDER BY orders.id DESC LIMIT ${MAX_MATCHES})) AS purchases,
  ARRAY(SELECT review.id::text FROM shop.review WHERE (name || ' ' || description) ILIKE $1 AND name ILIKE $1
    ORDER BY review.id DESC LIMIT ${MAX_MATCHES}) AS reviews,
  ARRAY(SELECT id::text FROM orders) AS orders`;

type EventFilter = Omit<Request<"listHistory">["query"], "limit" | "cursor">;

interface Matches {
  kinds: string[];
  users: string[];
  products: string[];
  purchases: string[];
  reviews: string[];
  orders: string[];
}

/** These subjects have few enough events to be filtered without an index. */
const IS_RARE = "subject IN ('refund', 'synonym', 'note', 'picture', 'user', 'review')";

export function findMatches(pool: Queryable, q: string | undefined): Promise<Matches[]> {
  return Promise.all(
    searchWords(q).map(async (word) => {
      const { rows } = await pool.query<Matches>(MATCHES, [likePattern(word)]);
      return rows[0] as Matches;
    }),
  );
}

export function matchEvents({ q, subject, purchaseId }: EventFilter, matches: Matches[]): Select {
  const words = searchWords(q);
  const conditions = words.map(
    (_, index) => ` AND (what = ANY ($${index * 8 + 4}::text[])
      OR who = ANY ($${index * 8 + 5}::uuid[])
      OR purchase_id = ANY ($${index * 8 + 6}::uuid[])
      OR (subject IN ('product', 'user') AND subject_id = ANY ($${index * 8 + 5}::text[] || $${index * 8 + 7}::text[]))
      OR (subject IN ('product', 'purchase', 'payment') AND subject_id = $${index * 8 + 8}::text)
      OR (after ? 'reason' AND after->>'reason' ILIKE $${index * 8 + 3}::text)
      OR (${IS_RARE} AND (
        concat_ws(' ', subject, subject_id, after->>'term', before->>'term') ILIKE $${index * 8 + 3}::text
        OR subject_id = ANY ($${index * 8 + 9}::text[])
        OR coalesce(after, before)->>'customer_id' = ANY ($${index * 8 + 5}::text[])
        OR coalesce(after, before)->>'order_id' = ANY ($${index * 8 + 10}::text[]))))`,
  );
  return {
    text: `($1::text IS NULL OR subject = $1) AND ($2::uuid IS NULL OR purchase_id = $2)${conditions.join("")}`,
    values: [
      subject ?? null,
      purchaseId ?? null,
      ...words.flatMap((word, index) => {
        const { kinds, users, purchases, products, reviews, orders } = matches[index] as Matches;
        return [likePattern(word), kinds, users, purchases, products, word, reviews, orders];
      }),
    ],
  };
}
