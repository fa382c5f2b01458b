import type { Logger } from "pino";
import { PaymentMisconfigured, type PaymentUnavailable } from "../shop/payments/provider-errors.ts";
import { redactEmails } from "./log.ts";

const REPEAT_AFTER_MS = 60_000;

/** Logs each distinct failure at most once a minute: as an error if the operator must act, else as a warning. */
export function paymentErrorLogger(
  log: Pick<Logger, "error" | "warn">,
): (failure: PaymentUnavailable) => void {
  const loggedAt = new Map<string, number>();
  return (failure) => {
    const line = redactEmails(`card payment: ${failure.message}`);
    const now = Date.now();
    if (now - (loggedAt.get(line) ?? 0) < REPEAT_AFTER_MS) return;
    // messages contain ids, so their number is unbounded
    if (loggedAt.size > 100) loggedAt.clear();
    loggedAt.set(line, now);
    if (failure instanceof PaymentMisconfigured) log.error(line);
    else log.warn(line);
  };
}
