import type { Product } from "../../api/entities.ts";
import {
  likePatterns,
  orderBy,
  type Page,
  readPage,
  type Select,
  type Sorting,
} from "../../database/pagination.ts";
import type { ProductRow } from "../../database/schema.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toProduct, withReorderPoint } from "./queries.ts";

export interface ProductSearch {
  /** words of the name, item number or category; all must match */
  q?: string | undefined;
  category?: string | undefined;
  sort: "newest" | "oldest" | "name" | "price" | "stock";
  low?: "1" | undefined;
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

export type ProductFilter = Pick<ProductSearch, "q" | "category" | "low">;

export interface ProductPage {
  products: Product[];
  /** matches of the search text */
  counts: { all: number; low: number };
  next?: string;
  previous?: string;
}

const sortings: Record<ProductSearch["sort"], Sorting> = {
  newest: { column: "id", descending: true, kind: "uuid" },
  oldest: { column: "id", descending: false, kind: "uuid" },
  name: { column: "name", descending: false, kind: "text" },
  price: { column: "price_cents", descending: true, kind: "number" },
  stock: { column: "quantity", descending: false, kind: "number" },
};

export const LOW_STOCK = "quantity < 4 * minimum_order";

/** A condition on shop.product for matching products on sale; its parameters follow the first `parameters`. */
export function matchProducts({ q, category, low }: ProductFilter, parameters = 0): Select {
  const patterns = likePatterns(q);
  const words = patterns.map(
    (_, index) =>
      ` AND shop.product_words(name, item_number, category) ILIKE $${parameters + index + 2}::text`,
  );
  const ofCategory = `($${parameters + 1}::text IS NULL OR category = $${parameters + 1})`;
  return {
    text: `archived_at IS NULL AND ${ofCategory}${words.join("")}${low ? ` AND ${LOW_STOCK}` : ""}`,
    values: [category || null, ...patterns],
  };
}

export async function searchProducts(store: Store, search: ProductSearch): Promise<ProductPage | Refusal> {
  const { text: matching, values } = matchProducts({ q: search.q, category: search.category });
  const low = search.low ? ` AND ${LOW_STOCK}` : "";
  const [page, counted] = await Promise.all([
    search.offset === undefined
      ? readPage<ProductRow>(
          store.pool,
          { text: `SELECT * FROM shop.product WHERE ${matching}${low}`, values },
          sortings[search.sort],
          search,
        )
      : readPageAt(store, { ...search, offset: search.offset }),
    store.pool.query<ProductPage["counts"]>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE ${LOW_STOCK}) AS low FROM shop.product WHERE ${matching}`,
      values,
    ),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    products: rows.map((row) => withReorderPoint(toProduct(row), row.reorder_point)),
    counts: counted.rows[0] as ProductPage["counts"],
    ...cursors,
  };
}

/** At any offset: until there only ids are read, for some orders from an index alone. */
async function readPageAt(
  { pool }: Store,
  { offset, limit, sort, ...filter }: ProductSearch & { offset: number },
): Promise<Page<ProductRow>> {
  const { text, values } = matchProducts(filter);
  const order = orderBy(sortings[sort]);
  const { rows } = await pool.query<ProductRow>(
    `SELECT product.* FROM (
       SELECT id FROM shop.product WHERE ${text} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
     ) AS place JOIN shop.product USING (id) ORDER BY ${order}`,
    values,
  );
  return { rows };
}
