import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";
import { isAdmin, LOCK_ADMINS } from "./queries.ts";

/**
 * Closing an admin's account ends the role, so that an open admin is left: the one who closes it. A reopened account
 * is a user's.
 */
export function setAccountClosed(
  store: Store,
  admin: User,
  email: string,
  closed: boolean,
): Result<"closeUser"> {
  return inTransaction(store, async (tx) => {
    await tx.pool.query(LOCK_ADMINS);
    // another admin may have closed this one's account meanwhile
    if (!(await isAdmin(tx, admin.id))) return refuse("forbidden", refusals.adminsOnly);
    const { rows } = await tx.pool.query<{ id: string; changed: boolean }>(
      `WITH found AS (SELECT id, disabled_at FROM shop.user WHERE email = $1 AND deleted_at IS NULL FOR UPDATE),
       changed AS (UPDATE shop.user SET disabled_at = CASE WHEN $2 THEN now() END, role = 'user' FROM found
         WHERE shop.user.id = found.id AND found.id <> $4 AND (found.disabled_at IS NOT NULL) <> $2
         RETURNING shop.user.id),
       ended AS (DELETE FROM identity.session USING changed WHERE "userId" = changed.id AND $2)
       SELECT id, EXISTS (SELECT FROM changed) AS changed, ${actorSql("$3")} FROM found`,
      [email, closed, actorText(), admin.id],
    );
    const found = rows[0];
    if (!found) return refuse("missing", refusals.userNotFound);
    if (found.id === admin.id) return refuse("conflict", refusals.ownAccountCannotBeClosed);
    return { modifiedCount: found.changed ? 1 : 0 };
  });
}
