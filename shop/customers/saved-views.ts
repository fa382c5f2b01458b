import { z } from "zod";
import { purchaseSearch } from "../../api/admin-calls.ts";
import type { SavedView } from "../../api/customer-calls.ts";
import { MAX_COUNTED } from "../../database/pagination.ts";
import { countPurchases } from "../orders/search.ts";
import { type Refusal, type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { customerRefusals } from "../texts/customer-refusals.ts";

const MAX_VIEWS = 50;

interface ViewRow {
  id: string;
  name: string;
  query: string;
}

const viewQuery = z.object(purchaseSearch);

/** Counted one after the other, so that a long list does not take all connections. */
export async function listSavedViews(
  store: Store,
  { id }: User,
  zone: string,
): Promise<{ views: SavedView[]; countLimit: number }> {
  const { rows } = await store.pool.query<ViewRow>(
    "SELECT id, name, query FROM shop.saved_view WHERE user_id = $1 ORDER BY shop.name_key(name)",
    [id],
  );
  const views: SavedView[] = [];
  for (const row of rows) views.push(await toView(store, row, zone));
  return { views, countLimit: MAX_COUNTED };
}

export async function saveView(
  store: Store,
  { id }: User,
  { name, query, zone }: { name: string; query: string; zone: string },
): Promise<SavedView | Refusal> {
  const { rows } = await store.pool.query<ViewRow>(
    `INSERT INTO shop.saved_view (user_id, name, query)
     SELECT $1, $2, $3 WHERE (
       SELECT count(*) FROM shop.saved_view WHERE user_id = $1 AND shop.name_key(name) <> shop.name_key($2)
     ) < ${MAX_VIEWS}
     ON CONFLICT (user_id, shop.name_key(name)) DO UPDATE SET name = excluded.name, query = excluded.query
     RETURNING id, name, query`,
    [id, name, query],
  );
  return rows[0] ? toView(store, rows[0], zone) : refuse("conflict", customerRefusals.tooManyViews);
}

export async function deleteView({ pool }: Store, { id }: User, viewId: string): Result<"deleteView"> {
  const { rowCount } = await pool.query("DELETE FROM shop.saved_view WHERE id = $1 AND user_id = $2", [
    viewId,
    id,
  ]);
  return rowCount === 1 ? { deletedCount: 1 } : refuse("missing", customerRefusals.viewNotFound);
}

async function toView(store: Store, { id, name, query }: ViewRow, zone: string): Promise<SavedView> {
  // as the page reads them: the first of repeated parameters, and a blank one filters nothing
  const first = new Map([...new URLSearchParams(query)].reverse());
  const search = viewQuery.safeParse(Object.fromEntries([...first].filter(([, value]) => value.trim())));
  const view = { _id: id, name, query };
  return search.success ? { ...view, count: await countPurchases(store, { ...search.data, zone }) } : view;
}
