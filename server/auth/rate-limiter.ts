/** Per client IP address or account; never only per account where a stranger could lock its owner out. */
import { createHash } from "node:crypto";
import type { Queryable } from "../../database/client.ts";
import {
  countAttempts,
  deleteCounters,
  deleteExpiredCounters,
  giveBackAttempts,
} from "../../database/rate-limit-counters.ts";

export interface Rule {
  what: string;
  of: string;
  max: number;
  seconds: number;
}

export interface RateLimiter {
  /** Counts one attempt under every rule. Returns the seconds to wait if one of them is exhausted, else null. */
  take(rules: Rule[]): Promise<number | null>;
  /** After a success: gives the attempt back under `counted`, and resets the counters of `cleared`. */
  recordSuccess(counted: Rule[], cleared: Rule[]): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function openRateLimiter(pool: Queryable, enabled: boolean): RateLimiter {
  if (!enabled)
    return { take: async () => null, recordSuccess: async () => {}, deleteExpired: async () => {} };
  return {
    async take(rules) {
      if (rules.length === 0) return null;
      const counted = rules.map((rule) => ({ ...rule, key: keyOf(rule) })).sort(byKey);
      const counts = await countAttempts(
        pool,
        counted.map(({ key }) => key),
        counted.map(({ seconds }) => seconds),
      );
      const max = new Map(counted.map((rule) => [rule.key, rule.max]));
      const over = counts.filter(({ key, count }) => count > (max.get(key) ?? 0));
      return over.length > 0 ? Math.max(1, ...over.map(({ wait }) => wait)) : null;
    },
    async recordSuccess(counted, cleared) {
      await giveBackAttempts(pool, counted.map(keyOf));
      await deleteCounters(pool, cleared.map(keyOf));
    },
    deleteExpired: () => deleteExpiredCounters(pool),
  };
}

function byKey(one: { key: string }, other: { key: string }): number {
  return one.key < other.key ? -1 : 1;
}

// Hashed, so that the table does not list IP addresses, emails and accounts.
function keyOf({ what, of }: Rule): string {
  return `${what}:${createHash("sha256").update(of).digest("base64url").slice(0, 22)}`;
}
