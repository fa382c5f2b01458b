/** How long the payment processor is waited for. */

import { PaymentUnavailable } from "../../shop/payments/provider-errors.ts";
import { withTimeout } from "../with-timeout.ts";

/** For how long one try may take, and all tries of a call together: where a person waits, where a job does, and for the check at the start. */
export const timeouts = {
  person: { tryMs: 7000, retries: 1, longestMs: 15_000 },
  job: { tryMs: 10_000, retries: 2, longestMs: 60_000 },
  start: { tryMs: 5000, retries: 1, longestMs: 15_000 },
};

export type TimeoutKind = keyof typeof timeouts;

export interface Limit {
  /** after which one call, with its retries, is given up */
  longestMs: number;
  /** gives up at once what is under way: the store stops */
  stopping?: AbortSignal | undefined;
}

/** The result of `call`, or `PaymentUnavailable`. What is given up may still happen: ask again under the same key. */
export function withDeadline<T>({ longestMs, stopping }: Limit, call: () => Promise<T>): Promise<T> {
  const tooLate = () => new PaymentUnavailable("Stripe cannot be reached: no whole answer came in time.");
  return withTimeout(call(), longestMs, tooLate, stopping);
}
