import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Result, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** Hides a review from everyone but admins, or shows it again; recorded in the audit log. 0 if nothing changed. */
export async function hideReview(store: Store, id: string, hidden: boolean): Result<"hideReview"> {
  const { rows } = await store.pool.query<{ changed: boolean }>(
    `UPDATE shop.review SET hidden_at = CASE WHEN $2 THEN coalesce(review.hidden_at, now()) END
     FROM (SELECT id, hidden_at FROM shop.review WHERE id = $1 FOR UPDATE) before WHERE review.id = before.id
     RETURNING (before.hidden_at IS NOT NULL) <> $2 AS changed, ${actorSql("$3")}`,
    [id, hidden, actorText()],
  );
  if (!rows[0]) return refuse("missing", refusals.reviewNotFound);
  return { modifiedCount: rows[0].changed ? 1 : 0 };
}
