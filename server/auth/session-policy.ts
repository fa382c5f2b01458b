/** How long sessions live: written where the database applies it to every session (migration 0009). */
import type pg from "pg";
import type { Config } from "../config.ts";

/** Writes the owner's settings; sessions that are longer than they allow are shortened when they are next used. */
export async function applySessionPolicy(pool: pg.Pool, config: Config): Promise<void> {
  await pool.query(
    `UPDATE identity.session_rule SET idle = make_interval(hours => $1), admin_idle = make_interval(hours => $2),
       longest = make_interval(days => $3)
     WHERE (idle, admin_idle, longest)
       IS DISTINCT FROM (make_interval(hours => $1), make_interval(hours => $2), make_interval(days => $3))`,
    [config.SESSION_IDLE_HOURS, config.ADMIN_IDLE_HOURS, config.SESSION_DAYS],
  );
}
