import type { Request } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { findProduct } from "../products/queries.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** Refuses an outdated version, returning the current product. */
export async function saveProductPictures(
  store: Store,
  id: string,
  { version, pictures }: Request<"saveProductPictures">["body"],
): Promise<Product | Refusal> {
  const rows = pictures.map(({ url, alt }) => ({ picture: url, alt }));
  const { rows: saved } = await store.pool.query<{ version: number | null }>(
    `SELECT ${actorSql("$4")}, shop.save_product_pictures($1, $2, $3) AS version`,
    [id, version, JSON.stringify(rows), actorText()],
  );
  const current = await findProduct(store, id);
  if (isRefusal(current) || saved[0]?.version) return current;
  return refuse("conflict", refusals.productChanged, { present: current });
}
