import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Result, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** Refuses an admin's account. */
export async function setAccountClosed(store: Store, email: string, closed: boolean): Result<"closeUser"> {
  const { rows } = await store.pool.query<{ role: string; changed: boolean }>(
    `WITH found AS (SELECT id, role, disabled_at FROM shop.user WHERE email = $1 AND deleted_at IS NULL FOR UPDATE),
     changed AS (UPDATE shop.user SET disabled_at = CASE WHEN $2 THEN now() END FROM found
       WHERE shop.user.id = found.id AND found.role <> 'admin' AND (found.disabled_at IS NOT NULL) <> $2
       RETURNING shop.user.id),
     ended AS (DELETE FROM identity.session USING changed WHERE "userId" = changed.id AND $2)
     SELECT role, EXISTS (SELECT FROM changed) AS changed, ${actorSql("$3")} FROM found`,
    [email, closed, actorText()],
  );
  const found = rows[0];
  if (!found) return refuse("missing", refusals.userNotFound);
  if (found.role === "admin") return refuse("conflict", refusals.adminCannotBeClosed);
  return { modifiedCount: found.changed ? 1 : 0 };
}
