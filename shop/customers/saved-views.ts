import type { SavedView } from "../../api/customer-calls.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { customerRefusals } from "../texts/customer-refusals.ts";

const MAX_VIEWS = 50;

interface ViewRow {
  id: string;
  name: string;
  query: string;
}

export async function listSavedViews({ pool }: Store, { id }: User): Promise<{ views: SavedView[] }> {
  const { rows } = await pool.query<ViewRow>(
    "SELECT id, name, query FROM shop.saved_view WHERE user_id = $1 ORDER BY shop.name_key(name)",
    [id],
  );
  return { views: rows.map(toView) };
}

/** Replaces a view of the same name. Refuses more than MAX_VIEWS. */
export async function saveView(
  { pool }: Store,
  { id }: User,
  { name, query }: { name: string; query: string },
): Promise<SavedView | Refusal> {
  const { rows } = await pool.query<ViewRow>(
    `INSERT INTO shop.saved_view (user_id, name, query)
     SELECT $1, $2, $3 WHERE (
       SELECT count(*) FROM shop.saved_view WHERE user_id = $1 AND shop.name_key(name) <> shop.name_key($2)
     ) < ${MAX_VIEWS}
     ON CONFLICT (user_id, shop.name_key(name)) DO UPDATE SET name = excluded.name, query = excluded.query
     RETURNING id, name, query`,
    [id, name, query],
  );
  return rows[0] ? toView(rows[0]) : refuse("conflict", customerRefusals.tooManyViews);
}

export async function deleteView(
  { pool }: Store,
  { id }: User,
  viewId: string,
): Promise<{ deletedCount: number } | Refusal> {
  const { rowCount } = await pool.query("DELETE FROM shop.saved_view WHERE id = $1 AND user_id = $2", [
    viewId,
    id,
  ]);
  return rowCount === 1 ? { deletedCount: 1 } : refuse("missing", customerRefusals.viewNotFound);
}

function toView({ id, name, query }: ViewRow): SavedView {
  return { _id: id, name, query };
}
