import { PaymentUnavailable } from "../../shop/payments/provider-errors.ts";
import { withTimeout } from "../with-timeout.ts";

/** Limits of one attempt, and of a call with its retries: for interactive requests, jobs, and the startup check. */
export const timeouts = {
  interactive: { tryMs: 7000, retries: 1, longestMs: 15_000 },
  background: { tryMs: 10_000, retries: 2, longestMs: 60_000 },
  startup: { tryMs: 5000, retries: 1, longestMs: 15_000 },
};

export type TimeoutKind = keyof typeof timeouts;

export interface Limit {
  longestMs: number;
  stopping?: AbortSignal | undefined;
}

/** The call may still succeed after the deadline: retry it with the same idempotency key. */
export function withDeadline<T>({ longestMs, stopping }: Limit, call: () => Promise<T>): Promise<T> {
  const createError = () =>
    new PaymentUnavailable("Stripe cannot be reached: no complete response came in time.");
  return withTimeout(call(), longestMs, createError, stopping);
}
