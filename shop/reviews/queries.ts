import type { Review } from "../../api/entities.ts";
import { idCursor, type Page, type PageOf, toPage } from "../../database/page.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** The reviews that everybody sees, newest first. */
export async function listReviews(store: Store, page: Page): Promise<PageOf<Review> | Refusal> {
  let query = store.database
    .selectFrom("shop.review")
    .select(["id as _id", "name", "rating", "description"])
    .where("hidden_at", "is", null)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (page.cursor !== undefined) {
    const after = idCursor(page.cursor);
    if (!after) return refuseField("cursor", refusals.badCursor);
    query = query.where("id", "<", after);
  }
  return toPage(await query.execute(), page.limit, (review) => review._id);
}
