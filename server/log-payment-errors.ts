import type { Logger } from "pino";
import { PaymentMisconfigured, type PaymentUnavailable } from "../shop/payments/provider-errors.ts";
import { redactEmails } from "./log.ts";
import { onceAMinute } from "./log-once.ts";

/** Logs each distinct failure at most once a minute: as an error if the operator must act, else as a warning. */
export function paymentErrorLogger(
  log: Pick<Logger, "error" | "warn">,
): (failure: PaymentUnavailable) => void {
  const isDue = onceAMinute();
  return (failure) => {
    const line = redactEmails(`card payment: ${failure.message}`);
    if (!isDue(line)) return;
    if (failure instanceof PaymentMisconfigured) log.error(line);
    else log.warn(line);
  };
}
