import { actorText, setActor } from "../history/actor.ts";
import { withdrawPurchase } from "../purchases/cancel.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Person, Store } from "../store.ts";

/** What stands in place of an address that is no longer known; no mail goes there. */
export const NOWHERE = "@deleted.invalid";

/**
 * Deletes an account: unpaid purchases are cancelled, the others stay in the books without the person, reviews
 * stay without the name. What is paid and not shipped keeps name and address until it is. The owner is told by
 * mail. Refuses the only admin, and (nothing changed) when the card provider cannot be reached.
 */
export async function forgetUser(store: Store, person: Person): Promise<{ deletedCount: number } | Refusal> {
  if (person.role === "admin" && (await isOnlyAdmin(store))) return refuse("conflict", refusals.onlyAdmin);
  const { rows: unpaid } = await store.pool.query<{ id: string }>(
    "SELECT id FROM shop.purchase WHERE user_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL",
    [person.id],
  );
  for (const { id } of unpaid) {
    const result = await withdrawPurchase(store, id, { by: person.id, because: "buyer" });
    // one that was paid in the meantime stays, like the others
    if (isRefusal(result) && result.refused === "unavailable") return result;
  }
  const { rowCount } = await store.pool.query(FORGET, [
    person.id,
    `${person.id}${NOWHERE}`,
    JSON.stringify({
      mail: "securityNotice",
      event: "accountDeleted",
      email: person.email,
      name: person.name,
      at: new Date().toISOString(),
    }),
    actorText(),
  ]);
  return { deletedCount: rowCount ?? 0 };
}

// One statement: all of it or nothing. Deleting the identity ends its sessions and every token.
const FORGET = `
WITH gone AS (
  UPDATE shop.user SET email = $2, name = 'Deleted account', role = 'user', education = NULL, location = NULL,
    phone = NULL, linkedin = NULL, deleted_at = now()
  WHERE id = $1 AND deleted_at IS NULL RETURNING id
), purchases AS (
  UPDATE shop.purchase SET email = $2,
    name = CASE WHEN status = 'paid' THEN name ELSE 'Deleted account' END,
    address = CASE WHEN status = 'paid' THEN address ELSE 'Deleted' END,
    phone = CASE WHEN status = 'paid' THEN phone ELSE '' END
  FROM gone WHERE user_id = gone.id
), reviews AS (
  UPDATE shop.review SET name = 'A former customer' FROM gone WHERE user_id = gone.id
), requests AS (
  DELETE FROM shop.request USING gone WHERE person_id = gone.id
), waiting AS (
  DELETE FROM identity.verification WHERE value = $1::text
), identity AS (
  DELETE FROM identity."user" u USING gone WHERE u.id = gone.id
)
SELECT ${setActor("$4")}, (graphile_worker.add_job('send-mail', $3::json)).id FROM gone`;

async function isOnlyAdmin(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query<{ admins: number }>(
    "SELECT count(*)::int AS admins FROM shop.user WHERE role = 'admin'",
  );
  return (rows[0]?.admins ?? 0) < 2;
}
