/** How long the payment processor is waited for. */
import { setTimeout as pause } from "node:timers/promises";
import { PaymentUnavailable } from "./trouble.ts";

/** For how long one try may take, and all tries of a call together: where a person waits, and where a job does. */
export const patiences = {
  person: { tryMs: 7000, retries: 1, longestMs: 15_000 },
  job: { tryMs: 10_000, retries: 2, longestMs: 60_000 },
};

export type Patience = keyof typeof patiences;

export interface Limit {
  /** after which one call, with its retries, is given up */
  longestMs: number;
  /** gives up at once what is under way: the store stops */
  stopping?: AbortSignal | undefined;
}

/**
 * The result of `call`, or `PaymentUnavailable` when it takes longer; the library's own time-outs start anew with
 * every byte that comes. What is given up may still happen: whoever asks again does so under the same key.
 */
export async function within<T>({ longestMs, stopping }: Limit, call: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLate = async () => {
    const signal = stopping ? AbortSignal.any([ended.signal, stopping]) : ended.signal;
    await pause(longestMs, undefined, { signal, ref: false }).catch(() => undefined);
    throw new PaymentUnavailable("Stripe cannot be reached: no whole answer came in time.");
  };
  try {
    return await Promise.race([call(), tooLate()]);
  } finally {
    ended.abort();
  }
}
