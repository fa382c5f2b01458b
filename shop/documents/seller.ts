import type { Store } from "../store.ts";

export interface Seller {
  name: string;
  address: string;
  email: string;
  phone: string;
  taxNumber: string;
  bank: string;
}

/** For the end of an email. */
export function senderOf({ name, address, email, phone }: Seller): string[] {
  return [`${name}, ${address.replaceAll("\n", ", ")}`, [email, phone].filter(Boolean).join(", ")];
}

/** Records the configured seller if it changed; documents are issued with the latest. */
export async function saveSeller({ pool }: Pick<Store, "pool">, seller: Seller): Promise<void> {
  await pool.query(
    `INSERT INTO shop.seller (details) SELECT $1::jsonb
     WHERE $1::jsonb IS DISTINCT FROM (SELECT details FROM shop.seller ORDER BY id DESC LIMIT 1)`,
    [JSON.stringify(seller)],
  );
}

/** Throws before the first start of the store has recorded one. */
export async function findSeller({ pool }: Pick<Store, "pool">): Promise<Seller> {
  const { rows } = await pool.query<{ details: Seller }>(
    "SELECT details FROM shop.seller ORDER BY id DESC LIMIT 1",
  );
  if (!rows[0]) throw new Error("No seller is recorded.");
  return rows[0].details;
}
