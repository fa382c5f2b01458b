import type { Output, Request } from "../../api/contract.ts";
import { orderBy, type Page, readPage, type Sorting } from "../../database/pagination.ts";
import type { ProductRow } from "../../database/schema.ts";
import type { Filters } from "../catalogue/facets.ts";
import { readFacets } from "../catalogue/search.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { matchProducts, type ProductFilter } from "./filter.ts";
import { toAdminProduct } from "./queries.ts";

export type ProductSearch = Request<"searchProducts">["query"];
type ProductPage = Output<"searchProducts">;

export const sortings: Record<ProductSearch["sort"], Sorting> = {
  newest: { column: "id", descending: true, kind: "uuid" },
  oldest: { column: "id", descending: false, kind: "uuid" },
  name: { column: "name", descending: false, kind: "text" },
  price: { column: "price_cents", descending: true, kind: "number" },
  stock: { column: "quantity", descending: false, kind: "number" },
};

export async function searchProducts(store: Store, search: ProductSearch): Promise<ProductPage | Refusal> {
  const { text, values } = matchProducts(search);
  const catalogue = readFacets(store, catalogueFilters(search));
  const [page, counts, { facets }] = await Promise.all([
    search.offset === undefined
      ? readPage<ProductRow>(
          store.pool,
          { text: `SELECT * FROM shop.product WHERE ${text}`, values },
          sortings[search.sort],
          search,
        )
      : readPageAt(store, { ...search, offset: search.offset }),
    countProducts(store, search, async () => (await catalogue).total),
    catalogue,
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    products: rows.map(toAdminProduct),
    counts,
    ...(search.offset === undefined && { facets }),
    ...cursors,
  };
}

/** The catalogue's index counts products on sale without reading them, but not by the words of admins. */
async function countProducts(
  { pool }: Store,
  filter: ProductFilter,
  countOnSale: () => Promise<number>,
): Promise<ProductPage["counts"]> {
  const count = async (part: ProductFilter) => {
    const { text, values } = matchProducts(part);
    // few have low stock; of power sources the planner expects fewer than there are
    const countsLowOnly = part.low && !part.archived && (part.power || part.voltage !== undefined);
    const from = countsLowOnly
      ? "(SELECT * FROM shop.product WHERE is_low AND archived_at IS NULL OFFSET 0) AS product"
      : "shop.product";
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*) FROM ${from} WHERE ${text}`,
      values,
    );
    return rows[0]?.count ?? 0;
  };
  const total = async (part: ProductFilter): Promise<number> => {
    // each part has its own indexes
    if (part.archived === "all")
      return (await total({ ...part, archived: undefined })) + (await total({ ...part, archived: "only" }));
    return part.q || part.low || part.archived ? count(part) : countOnSale();
  };
  const [all, low] = await Promise.all([
    total({ ...filter, low: undefined }),
    total({ ...filter, low: "1" }),
  ]);
  return { all, low };
}

function catalogueFilters({ category, power, voltage, price, minimum, stock }: ProductFilter): Filters {
  const toList = <Value>(value: Value | undefined) => (value === undefined ? [] : [value]);
  return {
    category: toList(category),
    power: toList(power),
    voltage: toList(voltage),
    price: toList(price),
    minimum,
    stock,
  };
}

/** Only ids are read up to the offset, for some sort orders with an index-only scan. */
async function readPageAt(
  { pool }: Store,
  { offset, limit, sort, ...filter }: ProductSearch & { offset: number },
): Promise<Page<ProductRow>> {
  const { text, values } = matchProducts(filter);
  const order = orderBy(sortings[sort]);
  const { rows } = await pool.query<ProductRow>(
    `SELECT product.* FROM (
       SELECT id FROM shop.product WHERE ${text} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
     ) AS page JOIN shop.product USING (id) ORDER BY ${order}`,
    values,
  );
  return { rows };
}
