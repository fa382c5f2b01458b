import { useState } from "react";
import type { Outcome } from "../../api/outcome.ts";
import { isDecided, newKey } from "./api-client.ts";

/**
 * Sends requests with an idempotency key each, and keeps the key of a request until the store has decided: sent again
 * after a lost response it takes effect once, sent again later it is a new request.
 */
export type WithKey = <Value>(
  request: unknown,
  send: (key: string) => Promise<Outcome<Value>>,
) => Promise<Outcome<Value>>;

export function rememberKeys(): WithKey {
  const keys = new Map<string, string>();
  return async (request, send) => {
    const text = JSON.stringify(request);
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    const outcome = await send(key);
    if (isDecided(outcome)) keys.delete(text);
    return outcome;
  };
}

/** The keys are remembered for the life of the component. */
export function useIdempotencyKey(): WithKey {
  return useState(rememberKeys)[0];
}
