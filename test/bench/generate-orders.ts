/**
 * Customers and their orders of the last two years; some of the last days are unpaid or wait to be shipped. The rows
 * are those that the calls write, in every table, so the data is consistent; emails are not queued.
 */
import type pg from "pg";

const BATCH = 500;

const CUSTOMERS = `
WITH numbered AS (
  SELECT uuidv7() AS id, 'Buyer ' || n AS name, 'buyer-' || n || '@generated.example' AS email
  FROM generate_series($1::integer, $2) AS n
), identities AS (
  INSERT INTO identity."user" (id, name, email, "emailVerified") SELECT id, name, email, true FROM numbered
)
INSERT INTO shop.user (id, email, name, location) SELECT id, email, name, 'Port Harrow' FROM numbered`;

// Pseudo-random but reproducible numbers: n is the order, l the line. The fate is 0 for unpaid, 1 for paid,
// 2 for shipped. Lists are in the order of ids, which contain the time.
const ORDERS = `
CREATE TEMPORARY TABLE generated ON COMMIT DROP AS
WITH dated AS (
  SELECT n, now() - interval '1 hour' - ($3 - n) * (interval '730 days' / $3) AS placed_at, abs(hashint4(n)) AS drawn
  FROM generate_series($1::integer, $2) AS n
), orders AS MATERIALIZED (
  SELECT n, uuidv7(placed_at - now()) AS order_id, placed_at, 1 + drawn % 3 AS lines,
    CASE WHEN placed_at > now() - interval '5 days' THEN drawn / 3 % 3
      WHEN placed_at > now() - interval '20 days' THEN 1 + least(1, drawn / 3 % 4) ELSE 2 END AS fate,
    (SELECT id FROM buyers WHERE place = 1 + abs(hashint4(n * 13 + 5)) % $4) AS user_id
  FROM dated
)
SELECT DISTINCT ON (n, product_id) n, order_id, placed_at, fate, user_id,
  uuidv7(placed_at - now()) AS id, product.id AS product_id,
  product.name AS product_name, product.picture, product.item_number, product.price_cents,
  least(ceil(product.minimum_order * (1 + abs(hashint4(n * 31 + l)) % 4) / product.order_multiple::numeric)
    * product.order_multiple, 20000)::integer AS quantity
FROM orders CROSS JOIN LATERAL generate_series(1, lines) AS l
JOIN goods ON goods.place = 1 + abs(hashint4(n * 17 + l)) % $5
JOIN shop.product ON product.id = goods.id`;

const STEPS = [
  `UPDATE generated SET fate = -1 WHERE order_id IN (
     SELECT order_id FROM generated GROUP BY order_id HAVING sum(price_cents * quantity) NOT BETWEEN 50 AND 99000000)`,
  "DELETE FROM generated WHERE fate = -1",
  `INSERT INTO shop.order (id, user_id, placed_at, po_number)
   SELECT DISTINCT order_id, user_id, placed_at, CASE WHEN n % 3 = 0 THEN 'PO-' || n ELSE '' END FROM generated
   ORDER BY order_id`,
  `UPDATE shop.product SET quantity = product.quantity + sold.pieces
   FROM (SELECT product_id, sum(quantity)::integer AS pieces FROM generated GROUP BY product_id) AS sold
   WHERE id = product_id`,
  `INSERT INTO shop.stock_movement (product_id, pieces, reason)
   SELECT product_id, sum(quantity)::integer, 'received' FROM generated GROUP BY product_id`,
  `INSERT INTO shop.purchase (id, order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
     item_number, quantity, price_cents, placed_at)
   SELECT generated.id, order_id, row_number() OVER (PARTITION BY order_id ORDER BY generated.id), user_id, product_id,
     u.name, u.email, 'Unit ' || n % 90 + 1 || ', Canal Yard', product_name, picture, item_number, quantity,
     price_cents, placed_at
   FROM generated JOIN shop.user u ON u.id = user_id ORDER BY generated.id`,
  `INSERT INTO shop.stock_movement (product_id, purchase_id, pieces, reason)
   SELECT product_id, id, -quantity, 'sold' FROM generated`,
  `UPDATE shop.product SET quantity = product.quantity - sold.pieces
   FROM (SELECT product_id, sum(quantity)::integer AS pieces FROM generated GROUP BY product_id) AS sold
   WHERE id = product_id`,
  `CREATE TEMPORARY TABLE paid ON COMMIT DROP AS
   SELECT 'pi_generated_' || n AS payment_id, 'ch_generated_' || n AS charge_id, order_id, user_id, placed_at,
     min(generated.id::text)::uuid AS purchase_id, sum(price_cents * quantity)::bigint AS total, min(email) AS email
   FROM generated JOIN shop.user u ON u.id = user_id WHERE fate > 0 GROUP BY n, order_id, user_id, placed_at`,
  `INSERT INTO sandbox.payment_intent (id, client_secret, amount_cents, amount_received_cents, currency, status,
     payment_method_id, latest_charge_id, description, metadata, created_at)
   SELECT payment_id, payment_id || '_secret_' || md5(random()::text), total, total, 'usd', 'succeeded', 'pm_generated',
     charge_id, 'Order', jsonb_build_object('email', email, 'orderId', order_id, 'purchaseId', purchase_id), placed_at
   FROM paid`,
  `INSERT INTO sandbox.charge (id, payment_intent_id, payment_method_id, amount_cents, currency, status, card,
     billing_details, created_at)
   SELECT charge_id, payment_id, 'pm_generated', total, 'usd', 'succeeded',
     '{"brand": "visa", "last4": "4242", "token": "visa", "exp_year": 2035, "exp_month": 12}', '{}', placed_at FROM paid`,
  `INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, status, mode, opened_at, settled_at)
   SELECT payment_id, user_id, purchase_id, total, 'open', 'sandbox', placed_at, NULL FROM paid`,
  `INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents, is_open)
   SELECT payment_id, id, price_cents * quantity, true FROM generated JOIN paid USING (order_id)`,
  `UPDATE shop.payment SET status = 'succeeded', settled_at = opened_at + interval '2 minutes'
   WHERE id IN (SELECT payment_id FROM paid)`,
  `UPDATE shop.purchase SET status = 'paid', transaction_id = payment_id, paid_mode = 'sandbox',
     paid_at = purchase.placed_at + interval '2 minutes'
   FROM paid WHERE purchase.order_id = paid.order_id`,
  `INSERT INTO shop.shipment (id, order_id, carrier, tracking_number, shipped_at)
   SELECT order_id, order_id, 'Kestrel Freight', 'KF ' || n, least(now(), placed_at + interval '1 day')
   FROM generated WHERE fate > 1 GROUP BY n, order_id, placed_at`,
  `INSERT INTO shop.shipment_line (shipment_id, purchase_id, pieces)
   SELECT order_id, id, quantity FROM generated WHERE fate > 1`,
  `UPDATE shop.purchase SET status = 'shipped', shipped_pieces = purchase.quantity,
     shipped_at = least(now(), purchase.placed_at + interval '1 day')
   FROM generated WHERE purchase.id = generated.id AND fate > 1`,
];

/** Adds generated customers and orders up to the given numbers. */
export async function generateOrders(
  client: pg.ClientBase,
  target: { customers: number; orders: number },
  print: (line: string) => void,
): Promise<void> {
  const count = async (text: string) => Number((await client.query<{ there: string }>(text)).rows[0]?.there);
  const customers = await count(
    "SELECT count(*) AS there FROM shop.user WHERE email LIKE 'buyer-%@generated.example'",
  );
  if (customers < target.customers) await client.query(CUSTOMERS, [customers + 1, target.customers]);
  await client.query(`
    CREATE TEMPORARY TABLE buyers AS SELECT id, row_number() OVER (ORDER BY id) AS place FROM shop.user
      WHERE email LIKE 'buyer-%@generated.example';
    CREATE TEMPORARY TABLE goods AS SELECT id, row_number() OVER (ORDER BY id) AS place FROM shop.product
      WHERE archived_at IS NULL;
    CREATE UNIQUE INDEX ON buyers (place);
    CREATE UNIQUE INDEX ON goods (place);
    ANALYZE buyers, goods;
    INSERT INTO sandbox.payment_method (id, token, brand, last4, exp_month, exp_year, cvc_given, billing_details,
      metadata) VALUES ('pm_generated', 'visa', 'visa', '4242', 12, 2035, true, '{}', '{}') ON CONFLICT DO NOTHING`);
  const buyers = await count("SELECT count(*) AS there FROM buyers");
  const goods = await count("SELECT count(*) AS there FROM goods");
  if (target.orders > 0 && (buyers === 0 || goods === 0))
    throw new Error("Orders need customers and tools. Generate some first, for example --customers=1000.");
  const orders = await count(
    `SELECT count(*) AS there FROM shop.order WHERE user_id IN (SELECT id FROM buyers)`,
  );
  for (let first = orders + 1; first <= target.orders; first += BATCH) {
    const last = Math.min(first + BATCH - 1, target.orders);
    await client.query("BEGIN");
    await client.query(ORDERS, [first, last, target.orders, buyers, goods]);
    for (const step of STEPS) await client.query(step);
    await client.query("COMMIT");
    if (last % 5000 === 0 || last === target.orders) print(`${last} orders`);
  }
  await client.query("DROP TABLE buyers, goods");
  await client.query("VACUUM ANALYZE");
}
