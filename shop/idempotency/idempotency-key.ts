import { refuse } from "../refusal.ts";
import { refusals } from "../texts/refusals.ts";

/** What a call under an idempotency key is known by, for an operation whose own statement takes the key. */
export interface RequestKey {
  /** the id of the request, should the key be free */
  request: string;
  key: string;
  /** of the call and its input */
  digest: string;
}

/** Nothing was done: another call under this key has it, and what that one answers counts. */
export const inProgress = refuse("conflict", refusals.requestRunning);
