import type { Queryable } from "../../database/client.ts";

/** For the trigger on sessions (migration 0009). Sessions that exceed these end at their next use. */
export async function applySessionPolicy(
  db: Queryable,
  policy: { idleHours: number; adminIdleHours: number; maxDays: number },
): Promise<void> {
  await db.query(
    `UPDATE identity.session_rule SET idle = make_interval(hours => $1), admin_idle = make_interval(hours => $2),
       longest = make_interval(days => $3)
     WHERE (idle, admin_idle, longest)
       IS DISTINCT FROM (make_interval(hours => $1), make_interval(hours => $2), make_interval(days => $3))`,
    [policy.idleHours, policy.adminIdleHours, policy.maxDays],
  );
}
