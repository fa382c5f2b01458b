/**
 * How often something may be tried, counted in the database for all processes together. A limit is by the
 * address that asks or by the account that is asked about, never by the account alone where that would let a
 * stranger lock its owner out.
 */
import { createHash } from "node:crypto";
import type { Queryable } from "../../database/client.ts";

export interface Rule {
  /** what is counted, such as "login"; with `of` the name of one counter */
  what: string;
  /** whose attempts: an address, an account */
  of: string;
  max: number;
  seconds: number;
}

export interface RateLimiter {
  /** Counts one attempt under every rule; answers the seconds to wait when one of them is used up, else null. */
  take(rules: Rule[]): Promise<number | null>;
  /** After an attempt that was good: takes it back under `counted`, and forgets all under `cleared`. */
  forgive(counted: Rule[], cleared: Rule[]): Promise<void>;
  /** Removes counters that have run out. */
  tidy(): Promise<void>;
}

/** Limits in the database; `enabled` false counts nothing and refuses nothing. */
export function openRateLimiter(pool: Queryable, enabled: boolean): RateLimiter {
  if (!enabled) return { take: async () => null, forgive: async () => {}, tidy: async () => {} };
  return {
    async take(rules) {
      if (rules.length === 0) return null;
      const counted = rules.map((rule) => ({ ...rule, key: keyOf(rule) })).sort(byKey);
      const { rows } = await pool.query<{ key: string; count: number; wait: number }>({
        name: "take-attempt",
        // in the order of the keys, so that two requests never wait for each other
        text: `INSERT INTO shop.attempt AS a (key, count, until)
          SELECT key, 1, now() + make_interval(secs => seconds)
          FROM unnest($1::text[], $2::int[]) AS t (key, seconds)
          ON CONFLICT (key) DO UPDATE SET
            count = CASE WHEN a.until <= now() THEN 1 ELSE least(a.count + 1, 1000000) END,
            until = CASE WHEN a.until <= now() THEN excluded.until ELSE a.until END
          RETURNING key, count, ceil(extract(epoch FROM until - now()))::int AS wait`,
        values: [counted.map(({ key }) => key), counted.map(({ seconds }) => seconds)],
      });
      const max = new Map(counted.map((rule) => [rule.key, rule.max]));
      const over = rows.filter(({ key, count }) => count > (max.get(key) ?? 0));
      return over.length > 0 ? Math.max(1, ...over.map(({ wait }) => wait)) : null;
    },
    async forgive(counted, cleared) {
      await pool.query("UPDATE shop.attempt SET count = greatest(count - 1, 0) WHERE key = ANY($1)", [
        counted.map(keyOf),
      ]);
      await pool.query("DELETE FROM shop.attempt WHERE key = ANY($1)", [cleared.map(keyOf)]);
    },
    async tidy() {
      await pool.query("DELETE FROM shop.attempt WHERE until < now()");
    },
  };
}

function byKey(one: { key: string }, other: { key: string }): number {
  return one.key < other.key ? -1 : 1;
}

// A digest: the table of attempts is no list of who was here.
function keyOf({ what, of }: Rule): string {
  return `${what}:${createHash("sha256").update(of).digest("base64url").slice(0, 22)}`;
}
