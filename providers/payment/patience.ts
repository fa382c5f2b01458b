/** How long the payment processor is waited for. */
import { setTimeout as pause } from "node:timers/promises";
import { PaymentUnavailable } from "./trouble.ts";

/** For how long one try may take, and all tries of a call together: where a person waits, and where a job does. */
export const patiences = {
  person: { tryMs: 7000, retries: 1, longestMs: 15_000 },
  job: { tryMs: 10_000, retries: 2, longestMs: 60_000 },
};

export type Patience = keyof typeof patiences;

/**
 * The result of `call`, or `PaymentUnavailable` when it takes longer; the library's own time-outs start anew with
 * every byte that comes. What is given up may still happen: whoever asks again does so under the same key.
 */
export async function within<T>(ms: number, call: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLate = async () => {
    await pause(ms, undefined, { signal: ended.signal, ref: false });
    throw new PaymentUnavailable("Stripe cannot be reached: no whole answer came in time.");
  };
  try {
    return await Promise.race([call(), tooLate()]);
  } finally {
    ended.abort();
  }
}
