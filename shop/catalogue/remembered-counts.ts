/**
 * Counts that were made are used again for fifty times as long as the counting took: an instant for what is
 * counted fast. "At least 10,000" stays as good as true for a minute.
 */
import type pg from "pg";

/** How many times as long as it took to count a count is good for. */
export const WORTH = 50;
const AT_LEAST_MS = 60_000;
/** Each may hold a number for every combination of facets, so many are much. */
const MOST = 150;

interface Remembered {
  count: unknown;
  until: number;
}

const counts = new WeakMap<pg.Pool, Map<string, Remembered>>();

/** What `count` gave for this key a moment ago, or gives now. */
export async function remember<Count>(
  pool: pg.Pool,
  key: string,
  count: () => Promise<Count>,
  isExact: (counted: Count) => boolean,
): Promise<Count> {
  const known = counts.get(pool) ?? new Map<string, Remembered>();
  counts.set(pool, known);
  const began = performance.now();
  const found = known.get(key);
  if (found && found.until > began) return found.count as Count;
  const counted = await count();
  const tookMs = performance.now() - began;
  known.delete(key);
  known.set(key, { count: counted, until: began + (isExact(counted) ? tookMs * WORTH : AT_LEAST_MS) });
  if (known.size > MOST) known.delete(known.keys().next().value as string);
  return counted;
}
