import type { Queryable } from "./client.ts";

/** If the clock was set back, a period would last until then; other transactions have begun at most a minute later. */
const IS_OVER = "(a.until <= now() OR a.until > excluded.until + interval '1 minute')";

/** The period begins with the first attempt. Keys must be sorted by code units, so that two requests cannot deadlock. */
export async function countAttempts(
  db: Queryable,
  keys: string[],
  seconds: number[],
): Promise<{ key: string; count: number; wait: number }[]> {
  const { rows } = await db.query<{ key: string; count: number; wait: number }>({
    name: "count-attempts",
    text: `INSERT INTO shop.attempt AS a (key, count, until)
      SELECT key, 1, now() + make_interval(secs => seconds)
      FROM unnest($1::text[], $2::int[]) AS t (key, seconds)
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN ${IS_OVER} THEN 1 ELSE least(a.count + 1, 1000000) END,
        until = CASE WHEN ${IS_OVER} THEN excluded.until ELSE a.until END
      RETURNING key, count, ceil(extract(epoch FROM until - now()))::int AS wait`,
    values: [keys, seconds],
  });
  return rows;
}

export async function giveBackAttempts(db: Queryable, keys: string[]): Promise<void> {
  await db.query(
    `WITH locked AS (
       SELECT key FROM shop.attempt WHERE key = ANY ($1) ORDER BY key COLLATE "C" FOR UPDATE
     )
     UPDATE shop.attempt SET count = greatest(count - 1, 0) FROM locked WHERE attempt.key = locked.key`,
    [keys],
  );
}

export async function deleteCounters(db: Queryable, keys: string[]): Promise<void> {
  await db.query("DELETE FROM shop.attempt WHERE key = ANY ($1)", [keys]);
}

export async function deleteExpiredCounters(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM shop.attempt WHERE key = ANY (ARRAY(
       SELECT key FROM shop.attempt WHERE until < now() FOR UPDATE SKIP LOCKED))`,
  );
}
