import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const CALLERS = 12;
const PATIENCE_MS = 10_000;

/**
 * Opens one connection after the other, as new visitors do. The returned function stops it and returns the number of
 * calls without a response.
 */
export function startCalls(url: string): () => Promise<number> {
  let stopping = false;
  let unanswered = 0;
  const call = () =>
    new Promise<void>((resolve) => {
      const request = get(url, { agent: false, timeout: PATIENCE_MS }, (response) => response.resume());
      request.once("timeout", () => {
        unanswered += 1;
        request.destroy();
      });
      // a broken connection counts as a response: the caller may retry
      request.once("error", () => undefined);
      request.once("close", resolve);
    });
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!stopping) {
      await call();
      await pause(5);
    }
  });
  return async () => {
    stopping = true;
    await Promise.all(callers);
    return unanswered;
  };
}
