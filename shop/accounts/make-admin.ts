import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { customerRefusals } from "../texts/customer-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { EMAIL_VERIFIED } from "./queries.ts";

/** Refuses an unconfirmed email unless `confirmUnconfirmed` is set, since another person may have registered it. */
export async function makeAdmin(
  store: Store,
  email: string,
  confirmUnconfirmed: boolean,
): Promise<{ modifiedCount: number } | Refusal> {
  const { rows } = await store.pool.query<{ changed: boolean }>(
    `UPDATE shop.user SET role = 'admin' FROM (SELECT id, role FROM shop.user
       WHERE email = $1 AND deleted_at IS NULL AND disabled_at IS NULL
         AND ($3 OR role = 'admin' OR ${EMAIL_VERIFIED}) FOR UPDATE) before
     WHERE shop.user.id = before.id RETURNING before.role <> 'admin' AS changed, ${actorSql("$2")},
       CASE WHEN before.role <> 'admin' AND $2 <> '' THEN shop.queue_email(json_build_object(
         'mail', 'securityNotice', 'event', 'madeAdmin', 'email', email, 'name', name, 'at', now())) END`,
    [email, actorText(), confirmUnconfirmed],
  );
  if (!rows[0]) return (await refuseUnconfirmed(store, email)) ?? refuse("missing", refusals.userNotFound);
  return { modifiedCount: rows[0].changed ? 1 : 0 };
}

async function refuseUnconfirmed(store: Store, email: string): Promise<Refusal | null> {
  const { rowCount } = await store.pool.query(
    `SELECT FROM shop.user WHERE email = $1 AND deleted_at IS NULL AND disabled_at IS NULL AND NOT ${EMAIL_VERIFIED}`,
    [email],
  );
  return rowCount === 1 ? refuseField("confirmUnconfirmed", customerRefusals.emailNotConfirmed) : null;
}

export async function hasAdmin(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query("SELECT 1 FROM shop.user WHERE role = 'admin' LIMIT 1");
  return rows.length > 0;
}
