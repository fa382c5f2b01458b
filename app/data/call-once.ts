import { useState } from "react";
import type { CallName, Input, Output } from "../../api/contract.ts";
import type { Outcome } from "../../api/outcome.ts";
import { call, isDecided, newKey } from "./api-client.ts";

/**
 * Sends each call with an idempotency key, and keeps the key of a request until the store has decided: a retry after a
 * lost response takes effect once, while the same request later is a new one. `request` identifies a request whose
 * input is a file, which cannot be serialized.
 */
export type CallOnce = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
  request?: unknown,
) => Promise<Outcome<Output<Name>>>;

export function createCallOnce(): CallOnce {
  const keys = new Map<string, string>();
  return async (name, input, request = input) => {
    const text = JSON.stringify([name, request]);
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    const outcome = await call(name, input, undefined, key);
    if (isDecided(outcome)) keys.delete(text);
    return outcome;
  };
}

/** The keys are remembered for the life of the component. */
export function useCallOnce(): CallOnce {
  return useState(createCallOnce)[0];
}
