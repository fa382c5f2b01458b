import type { Output, Request } from "../../api/contract.ts";
import type { StockLedger, StockLevel, StockMovement } from "../../api/stock-calls.ts";
import { type PageRequest, readPage, readPages, type Select } from "../../database/pagination.ts";
import type { ProductRow } from "../../database/schema.ts";
import { NO_FILTERS } from "../catalogue/facets.ts";
import { readFacets } from "../catalogue/search.ts";
import { matchWords } from "../products/match-words.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import { refuseBadZone } from "../refuse-bad-zone.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

type LevelRow = Pick<ProductRow, "id" | "name" | "item_number" | "picture" | "quantity" | "reorder_point"> & {
  promised: number;
};

// Few orders are unpaid at a time, so they are added up from their own index.
const PROMISED = `
coalesce((SELECT sum(purchase.quantity) FROM shop.purchase
  WHERE purchase.product_id = product.id AND status = 'unpaid' AND cancelled_at IS NULL), 0)::integer AS promised`;

type Search = Request<"listStock">["query"];
type StockPage = Output<"listStock">;

export async function listStock(store: Store, search: Search): Promise<StockPage | Refusal> {
  const { text, values } = matchStock(search);
  const [page, all, counted] = await Promise.all([
    readStock(store, search),
    countMatching(store, text, values),
    store.pool.query<{ low: number }>(
      `SELECT count(*) AS low FROM shop.product WHERE ${text}${LOW_ONLY}`,
      values,
    ),
  ]);
  if (isRefusal(page)) return page;
  return { ...page, counts: { all, low: counted.rows[0]?.low ?? 0 } };
}

const LOW_ONLY = " AND shortage > 0";

function matchStock({ q }: Pick<Search, "q">): Select {
  const { text, values } = matchWords(q, 0);
  return { text: `archived_at IS NULL AND ${text}`, values };
}

/** The products furthest below their reorder point come first, then the newest. */
const sorting = { column: "shortage", descending: true, kind: "number" } as const;

const levelsWhere = (condition: string, { low }: Pick<Search, "low">) => `SELECT *, ${PROMISED} FROM (
  SELECT id, name, item_number, picture, quantity, reorder_point, shortage
  FROM shop.product WHERE ${condition}${low ? LOW_ONLY : ""}) AS product WHERE true`;

/** All of them, for an export. */
export async function* readLevels(
  { pool }: Store,
  search: Pick<Search, "q" | "low">,
): AsyncGenerator<StockLevel[]> {
  const { text, values } = matchStock(search);
  const pages = readPages<LevelRow>(pool, { text: levelsWhere(text, search), values }, sorting);
  for await (const rows of pages) yield rows.map(toLevel);
}

async function readStock(
  { pool }: Store,
  search: Search,
): Promise<Pick<StockPage, "products" | "next" | "previous"> | Refusal> {
  const { text, values } = matchStock(search);
  const page = await readPage<LevelRow>(pool, { text: levelsWhere(text, search), values }, sorting, search);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return { products: rows.map(toLevel), ...cursors };
}

/** The catalogue's index counts products on sale without reading them, but not by the words of admins. */
async function countMatching(store: Store, matching: string, patterns: unknown[]): Promise<number> {
  if (patterns.length === 0) return (await readFacets(store, NO_FILTERS)).total;
  const { rows } = await store.pool.query<{ matches: number }>(
    `SELECT count(*) AS matches FROM shop.product WHERE ${matching}`,
    patterns,
  );
  return rows[0]?.matches ?? 0;
}

interface MovementRow {
  id: number;
  moved_at: Date;
  reason: StockMovement["kind"];
  pieces: number;
  after: number;
  note: string | null;
  by: string | null;
  order_number: number | null;
}

// The stock after the newest movement of the page, if it is not known, is the sum of all up to it; the others follow
// from it.
const MOVEMENTS = `
WITH page AS (
  SELECT * FROM shop.stock_movement WHERE product_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3 + 1
)
SELECT page.id, moved_at, page.reason, page.pieces, page.note, admin.name AS by, "order".number AS order_number,
  (coalesce($4, (SELECT sum(pieces) FROM shop.stock_movement WHERE product_id = $1 AND id < $2))
    - coalesce(sum(page.pieces) OVER (ORDER BY page.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  )::integer AS after
FROM page LEFT JOIN shop.user admin ON admin.id = page.user_id
LEFT JOIN shop.purchase ON purchase.id = page.purchase_id
LEFT JOIN shop.order ON "order".id = purchase.order_id
ORDER BY page.id DESC`;

// Backwards from the current stock, over a limited number of movements, so that frequent sales do not slow it down.
const DAYS = `
SELECT to_char(day, 'YYYY-MM-DD') AS day,
  ((SELECT quantity FROM shop.product WHERE id = $1)
    - coalesce(sum(pieces) OVER (ORDER BY day DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  )::integer AS quantity
FROM (
  SELECT date_trunc('day', moved_at AT TIME ZONE $2) AS day, sum(pieces) AS pieces FROM (
    SELECT moved_at, pieces FROM shop.stock_movement WHERE product_id = $1 ORDER BY id DESC LIMIT 20000
  ) AS newest WHERE moved_at > now() - interval '90 days' GROUP BY 1
) AS changed ORDER BY day`;

const LAST_ID = "999999999999999999";

/** The stock of a product, also of an archived one, its ledger, newest movement first, and its last 90 days. */
export async function findStock(
  store: Store,
  productId: string,
  page: PageRequest & { zone?: string },
): Promise<StockLedger | Refusal> {
  return readLedger(store, productId, page).catch(refuseBadZone);
}

async function readLedger(
  store: Store,
  productId: string,
  { limit, cursor, zone = "UTC" }: PageRequest & { zone?: string },
): Promise<StockLedger | Refusal> {
  const { pool } = store;
  const found = await pool.query<LevelRow & { archived: boolean; newest_movement: number }>(
    `SELECT id, name, item_number, picture, quantity, reorder_point, archived_at IS NOT NULL AS archived, ${PROMISED},
       coalesce((SELECT max(id) FROM shop.stock_movement WHERE product_id = product.id), 0) AS newest_movement
     FROM shop.product WHERE id = $1`,
    [productId],
  );
  const [product] = found.rows;
  if (!product) return refuse("missing", refusals.productNotFound);
  const [ledger, { rows: days }] = await Promise.all([
    findMovements(store, productId, { limit, cursor }),
    pool.query<{ day: string; quantity: number }>(DAYS, [productId, zone]),
  ]);
  return {
    ...toLevel(product),
    ...(product.archived && { archived: true as const }),
    newestMovement: String(product.newest_movement),
    days,
    ...ledger,
  };
}

/** The movements before `cursor`, newest first. With `stock`, the stock before them, the ledger is not added up. */
export async function findMovements(
  { pool }: Store,
  productId: string,
  { limit, cursor = LAST_ID, stock }: PageRequest & { stock?: number | undefined },
): Promise<Pick<StockLedger, "movements" | "next">> {
  const { rows } = await pool.query<MovementRow>(MOVEMENTS, [productId, cursor, limit, stock]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    movements: shown.map(toMovement),
    ...(last && rows.length > limit && { next: String(last.id) }),
  };
}

function toLevel(row: LevelRow): StockLevel {
  return {
    _id: row.id,
    name: row.name,
    ...(row.item_number && { itemNumber: row.item_number }),
    picture: row.picture,
    quantity: row.quantity,
    reorderPoint: row.reorder_point,
    promised: row.promised,
  };
}

function toMovement(row: MovementRow): StockMovement {
  return {
    _id: String(row.id),
    at: row.moved_at.toISOString(),
    kind: row.reason,
    pieces: row.pieces,
    quantity: row.after,
    ...(row.note && { reason: row.note }),
    ...(row.by && { by: row.by }),
    ...(row.order_number && { orderNumber: row.order_number }),
  };
}
