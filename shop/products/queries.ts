import type { Selectable } from "kysely";
import type { Product } from "../../api/entities.ts";
import { idCursor, type Page, type PageOf, toPage } from "../../database/page.ts";
import type { ProductTable } from "../../database/schema.ts";
import { fromCents } from "../money.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

export type ProductRow = Selectable<ProductTable>;

/** Products on sale, in the order in which they were added. */
export async function listProducts(store: Store, page: Page): Promise<PageOf<Product> | Refusal> {
  let query = onSale(store)
    .orderBy("id")
    .limit(page.limit + 1);
  if (page.cursor !== undefined) {
    const after = idCursor(page.cursor);
    if (!after) return refuseField("cursor", refusals.badCursor);
    query = query.where("id", ">", after);
  }
  const rows = await query.execute();
  return toPage(rows.map(toProduct), page.limit, (product) => product._id);
}

/** One product on sale; refuses what is not there or no longer sold. */
export async function findProduct(store: Store, id: string): Promise<Product | Refusal> {
  const row = await findProductRow(store, id);
  return row ? toProduct(row) : refuse("missing", refusals.productNotFound);
}

/** The row of a product on sale. */
export function findProductRow(store: Store, id: string): Promise<ProductRow | undefined> {
  return onSale(store).where("id", "=", id).executeTakeFirst();
}

/** Products on sale of exactly this name, at most 50. */
export function findProductByName(store: Store, name: string): Promise<ProductRow[]> {
  return onSale(store).where("name", "=", name).orderBy("id").limit(50).execute();
}

function onSale(store: Store) {
  return store.database.selectFrom("shop.product").selectAll().where("archived_at", "is", null);
}

/** A product as the calls answer it (specification, section 3); members without a value are left out. */
export function toProduct(row: ProductRow): Product {
  return {
    _id: row.id,
    name: row.name,
    picture: row.picture,
    price: fromCents(row.price_cents),
    quantity: row.quantity,
    minimum_order: row.minimum_order,
    description: row.description,
    ...(row.item_number && { itemNumber: row.item_number }),
    ...(row.category && { category: row.category }),
    ...(row.key_fact && { keyFact: row.key_fact }),
    ...(row.power_source && { powerSource: row.power_source }),
    ...(row.technical_data && { technicalData: row.technical_data }),
    ...(row.drawn_box && { drawnBox: row.drawn_box }),
    ...(row.dimensions && { dimensions: row.dimensions }),
    version: row.version,
  };
}
