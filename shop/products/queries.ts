import type { Product } from "../../api/entities.ts";
import { type Page, type PageRequest, readPage } from "../../database/pagination.ts";
import type { ProductRow } from "../../database/schema.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { PRODUCT_COLUMNS, type ProductColumns, toProduct } from "./columns.ts";

export const ON_SALE = `SELECT ${PRODUCT_COLUMNS} FROM shop.product WHERE archived_at IS NULL`;
export const FIND_PRODUCT = `${ON_SALE} AND id = $1`;

/** In the order in which they were added. */
export async function listProducts(store: Store, page: PageRequest): Promise<Page<Product> | Refusal> {
  const sorting = { column: "id", descending: false, kind: "uuid" } as const;
  const select = { name: "list-products", text: ON_SALE, values: [] };
  const found = await readPage<ProductColumns>(store.pool, select, sorting, page);
  return found ? { ...found, rows: found.rows.map(toProduct) } : refuseField("cursor", refusals.badCursor);
}

type Picture = NonNullable<Product["pictures"]>[number];

// The row at position 0 may be that of a picture that was replaced.
const PICTURES = `(
  SELECT json_agg(json_build_object('url', p.picture, 'alt', alt) ORDER BY p.picture <> product.picture, position)
  FROM shop.product_picture p WHERE product_id = product.id AND (position > 0 OR p.picture = product.picture)
) AS pictures`;

export async function findProduct(store: Store, id: string): Promise<Product | Refusal> {
  const { rows } = await store.pool.query<ProductColumns & { pictures: Picture[] | null }>({
    name: "find-product-with-pictures",
    text: `SELECT ${PRODUCT_COLUMNS}, ${PICTURES} FROM shop.product WHERE archived_at IS NULL AND id = $1`,
    values: [id],
  });
  const [row] = rows;
  return row ? withPictures(toProduct(row), row.pictures) : refuse("missing", refusals.productNotFound);
}

export async function findAdminProduct({ pool }: Store, id: string): Promise<Product | Refusal> {
  const { rows } = await pool.query<ProductRow & { pictures: Picture[] | null }>(
    `SELECT *, ${PICTURES} FROM shop.product WHERE id = $1`,
    [id],
  );
  const [row] = rows;
  return row ? withPictures(toAdminProduct(row), row.pictures) : refuse("missing", refusals.productNotFound);
}

/** The product's own picture comes first, also if a form or an import replaced it. */
function withPictures(product: Product, pictures: Picture[] | null): Product {
  const { name, picture } = product;
  if (!pictures) return product;
  return {
    ...product,
    pictures: pictures[0]?.url === picture ? pictures : [{ url: picture, alt: name }, ...pictures],
  };
}

export function toAdminProduct(row: Omit<ProductRow, "created_at">): Product {
  return {
    ...toProduct(row),
    ...(row.reorder_point > 0 && { reorderPoint: row.reorder_point }),
    ...(row.archived_at && { archived: true as const }),
  };
}

export async function findProductRow({ pool }: Store, id: string): Promise<ProductColumns | undefined> {
  const { rows } = await pool.query<ProductColumns>({
    name: "find-product",
    text: FIND_PRODUCT,
    values: [id],
  });
  return rows[0];
}

export async function findProductsByName({ pool }: Store, name: string): Promise<ProductColumns[]> {
  const { rows } = await pool.query<ProductColumns>(`${ON_SALE} AND name = $1 ORDER BY id LIMIT 50`, [name]);
  return rows;
}

/** Ids of products on sale by item number, in any notation; unknown and ambiguous numbers are omitted. */
export async function findProductsByItemNumber(
  { pool }: Store,
  numbers: string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ requested: string; id: string }>(
    `SELECT requested, (array_agg(product_id))[1] AS id
     FROM unnest($1::text[]) AS requested JOIN shop.catalogue_entry ON item_key = shop.item_key(requested)
     WHERE item_key <> '' GROUP BY requested HAVING count(*) = 1`,
    [[...new Set(numbers)]],
  );
  return new Map(rows.map(({ requested, id }) => [requested, id]));
}
