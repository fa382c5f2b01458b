import type { Review } from "../../api/entities.ts";
import { type Page, type PageRequest, readPage } from "../../database/pagination.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

const VISIBLE = "SELECT id, name, rating, description FROM shop.review WHERE hidden_at IS NULL";

export async function listReviews(store: Store, page: PageRequest): Promise<Page<Review> | Refusal> {
  const sorting = { column: "id", descending: true, kind: "uuid" } as const;
  const found = await readPage<Omit<Review, "_id"> & { id: string }>(
    store.pool,
    { text: VISIBLE, values: [] },
    sorting,
    page,
  );
  if (!found) return refuseField("cursor", refusals.badCursor);
  return { ...found, rows: found.rows.map(({ id, ...review }) => ({ _id: id, ...review })) };
}
