/**
 * Fills a store with a large catalogue: `npm run generate -- 100000`. Every product has the ledger row of its first
 * stock, so the data is consistent. The same number always creates the same products.
 */
import pg from "pg";
import { generatedTool } from "./generated-tool.ts";

const BATCH = 2000;

const WRITE = `
WITH added AS (
  INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description, item_number, category,
    key_fact, power_source, technical_data)
  SELECT name, picture, price_cents, quantity, minimum_order, description, item_number, category,
    key_fact, power_source, technical_data
  FROM jsonb_to_recordset($1) AS tool (name text, picture text, price_cents bigint, quantity integer,
    minimum_order integer, description text, item_number text, category text, key_fact text, power_source text,
    technical_data jsonb)
  RETURNING id, quantity
)
INSERT INTO shop.stock_movement (product_id, pieces, reason)
SELECT id, quantity, 'received' FROM added WHERE quantity > 0`;

/** Adds generated products up to `target`; takes some 20 s per 100,000. Returns how many were added. */
export async function generate(
  connection: pg.PoolConfig,
  target: number,
  print: (line: string) => void = () => {},
): Promise<number> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  await client.query("SET synchronous_commit = off");
  const { rows } = await client.query<{ there: string }>(
    "SELECT count(*) AS there FROM shop.product WHERE item_number ~ '-[0-9A-Z]{4,}$' AND picture LIKE '/tools/%'",
  );
  const existing = Number(rows[0]?.there);
  if (existing < target) await fill(client, existing, target, print);
  await client.end();
  return Math.max(0, target - existing);
}

async function fill(client: pg.Client, from: number, target: number, print: (line: string) => void) {
  for (let next = from; next < target; next += BATCH) {
    const tools = Array.from({ length: Math.min(BATCH, target - next) }, (_, index) =>
      generatedTool(next + index),
    );
    await client.query(WRITE, [JSON.stringify(tools)]);
    if ((next / BATCH) % 25 === 0) print(`${next + tools.length} tools`);
  }
  await client.query(
    "VACUUM ANALYZE shop.product, shop.catalogue_entry, shop.catalogue_place, shop.catalogue_block, shop.catalogue_word, shop.stock_movement",
  );
}
