/** Reads the tables of a store directly, not through its own code. */
import type pg from "pg";
import { expect } from "vitest";

const CLAIMS: Record<string, string> = {
  "the movements of each product add up to its stock": `
    SELECT p.id, p.quantity, coalesce(sum(m.pieces), 0) AS moved
    FROM shop.product p LEFT JOIN shop.stock_movement m ON m.product_id = p.id
    GROUP BY p.id HAVING p.quantity <> coalesce(sum(m.pieces), 0)`,
  "no stock is negative": "SELECT id, quantity FROM shop.product WHERE quantity < 0",
  "each purchase took its pieces once": `
    SELECT u.id, u.quantity, sum(m.pieces) AS moved
    FROM shop.purchase u LEFT JOIN shop.stock_movement m ON m.purchase_id = u.id AND m.reason = 'sold'
    GROUP BY u.id HAVING sum(m.pieces) IS DISTINCT FROM -u.quantity`,
  "each cancelled purchase, and no other, gave them back once": `
    SELECT u.id, u.cancelled_at, sum(m.pieces) AS moved
    FROM shop.purchase u LEFT JOIN shop.stock_movement m ON m.purchase_id = u.id AND m.reason = 'cancelled'
    GROUP BY u.id
    HAVING coalesce(sum(m.pieces), 0) <> CASE WHEN u.cancelled_at IS NULL THEN 0 ELSE u.quantity END`,
  "each paid purchase has its amount in one succeeded payment of its buyer": `
    SELECT u.id, count(y.id) FROM shop.purchase u
    LEFT JOIN shop.payment_purchase share ON share.purchase_id = u.id AND share.amount_cents = u.total_cents
    LEFT JOIN shop.payment y ON y.id = share.payment_id AND y.status = 'succeeded' AND y.id = u.transaction_id
      AND y.user_id = u.user_id
    GROUP BY u.id HAVING count(y.id) <> CASE WHEN u.status = 'unpaid' THEN 0 ELSE 1 END`,
  "the processor has taken the money of every succeeded payment": `
    SELECT y.id, i.status FROM shop.payment y LEFT JOIN sandbox.payment_intent i ON i.id = y.id
    WHERE y.status = 'succeeded'
      AND (i.status IS DISTINCT FROM 'succeeded' OR i.amount_received_cents <> y.amount_cents)`,
};

/** Expects stock, ledger, purchases and payments to agree. */
export async function expectConsistentStore(pool: pg.Pool): Promise<void> {
  const wrong: Record<string, unknown[]> = {};
  for (const [claim, query] of Object.entries(CLAIMS)) {
    const { rows } = await pool.query(query);
    if (rows.length > 0) wrong[claim] = rows;
  }
  expect(wrong, "inconsistent tables").toEqual({});
}

/** A count and a hash of every table of the shop, to detect changed rows; without the time of the last poll. */
export async function fingerprint(pool: pg.Pool): Promise<Record<string, string>> {
  // named, so that a connection plans the union of all tables once
  const text = await hashOfEveryTable(pool);
  const { rows } = await pool.query<{ name: string; print: string }>({ name: "fingerprint", text });
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}

const statements = new WeakMap<pg.Pool, string>();

async function hashOfEveryTable(pool: pg.Pool): Promise<string> {
  const known = statements.get(pool);
  if (known) return known;
  const { rows } = await pool.query<{ name: string; polled: boolean }>(
    `SELECT table_name AS name, bool_or(column_name = 'checked_at') AS polled FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'shop' AND table_type = 'BASE TABLE'
       -- an import goes on by itself
       AND table_name NOT LIKE 'product_import%' GROUP BY 1 ORDER BY 1`,
  );
  const prints = rows.map(
    ({ name, polled }) => `SELECT '${name}' AS name, count(*) || ' ' || coalesce(bit_xor(hashtextextended(
        ${polled ? "(to_jsonb(t) - 'checked_at')::text" : "t::text"}, 0)), 0) AS print FROM shop."${name}" t`,
  );
  const statement = prints.join(" UNION ALL ");
  statements.set(pool, statement);
  return statement;
}
