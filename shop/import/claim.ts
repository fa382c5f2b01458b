/** An import belongs to its last run: a process that was considered dead may still be running it. */
import type { Queryable } from "../../database/client.ts";

export interface Claim {
  id: string;
  run: string;
}

/** Another process continues the import. */
export class ClaimLost extends Error {
  override name = "ClaimLost";
}

/** A condition of a statement about the import $1: it belongs to the run $2, and will until the commit. */
export const IS_CLAIMED = "EXISTS (SELECT FROM shop.product_import WHERE id = $1 AND run = $2 FOR SHARE)";

/** Until the end of the transaction. */
export async function lockClaim(db: Queryable, { id, run }: Claim): Promise<void> {
  const { rowCount } = await db.query(
    "SELECT FROM shop.product_import WHERE id = $1 AND run = $2 FOR NO KEY UPDATE",
    [id, run],
  );
  if (!rowCount) throw new ClaimLost();
}
