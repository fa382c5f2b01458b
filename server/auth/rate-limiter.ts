/**
 * Rate limits, counted in the database for all processes. A limit is per client address or per account, never per
 * account alone where that would let a stranger lock its owner out.
 */
import { createHash } from "node:crypto";
import type { Queryable } from "../../database/client.ts";
import {
  countAttempts,
  deleteCounters,
  deleteExpiredCounters,
  uncountAttempts,
} from "../../database/rate-limit-counters.ts";

export interface Rule {
  /** what is counted, such as "login"; with `of` the name of one counter */
  what: string;
  /** whose attempts: an address, an account */
  of: string;
  max: number;
  seconds: number;
}

export interface RateLimiter {
  /** Counts one attempt under every rule. Returns the seconds to wait if one of them is used up, else null. */
  take(rules: Rule[]): Promise<number | null>;
  /** After a successful attempt: takes it back under `counted`, and resets the counters of `cleared`. */
  forgive(counted: Rule[], cleared: Rule[]): Promise<void>;
  /** Deletes expired counters. */
  tidy(): Promise<void>;
}

/** Limits that are counted in the database. If not `enabled`, nothing is counted or refused. */
export function openRateLimiter(pool: Queryable, enabled: boolean): RateLimiter {
  if (!enabled) return { take: async () => null, forgive: async () => {}, tidy: async () => {} };
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
    async forgive(counted, cleared) {
      await uncountAttempts(pool, counted.map(keyOf));
      await deleteCounters(pool, cleared.map(keyOf));
    },
    tidy: () => deleteExpiredCounters(pool),
  };
}

function byKey(one: { key: string }, other: { key: string }): number {
  return one.key < other.key ? -1 : 1;
}

// A digest, so that the table does not list addresses and accounts.
function keyOf({ what, of }: Rule): string {
  return `${what}:${createHash("sha256").update(of).digest("base64url").slice(0, 22)}`;
}
