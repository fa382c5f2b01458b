import { LRUCache } from "lru-cache";
import type { Logger } from "pino";

const REPEAT_AFTER_MS = 60_000;

/** Whether a line is to be logged: each distinct one at most once a minute. */
export function onceAMinute(): (line: string) => boolean {
  // lines contain ids, so their number is unbounded
  const logged = new LRUCache<string, true>({ max: 100, ttl: REPEAT_AFTER_MS });
  return (line) => {
    if (logged.has(line)) return false;
    logged.set(line, true);
    return true;
  };
}

/** The number of a job, and the name of a picture. */
const IDS = / \d+(?= failed$)|[\da-f]{32}-\S+/gm;

/** A server that is away fails thousands of emails or pictures alike. */
export function errorLogger(log: Pick<Logger, "error">): (error: unknown, what: string) => void {
  const isDue = onceAMinute();
  return (error, what) => {
    const cause = error instanceof Error ? error.cause : undefined;
    if (isDue([what, error, cause].join("\n").replace(IDS, ""))) log.error(error, what);
  };
}
