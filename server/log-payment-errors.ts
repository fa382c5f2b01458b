import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { PaymentMisconfigured, type PaymentUnavailable } from "../shop/payments/provider-errors.ts";
import { redactEmails } from "./log.ts";

const REPEAT_AFTER_MS = 60_000;

/** Logs each distinct failure at most once a minute: as an error if the operator must act, else as a warning. */
export function paymentErrorLogger(
  log: Pick<Logger, "error" | "warn">,
): (failure: PaymentUnavailable) => void {
  // messages contain ids, so their number is unbounded
  const logged = new LRUCache<string, true>({ max: 100, ttl: REPEAT_AFTER_MS });
  return (failure) => {
    const line = redactEmails(`card payment: ${failure.message}`);
    if (logged.has(line)) return;
    logged.set(line, true);
    if (failure instanceof PaymentMisconfigured) log.error(line);
    else log.warn(line);
  };
}
