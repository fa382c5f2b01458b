/** What the operator reads when the card provider does not serve the store. */
import type { Logger } from "pino";
import { PaymentMisconfigured, type PaymentUnavailable } from "../shop/payments/provider-errors.ts";

const REPEAT_AFTER_MS = 60_000;

/**
 * Writes a line for each kind of trouble, once a minute as long as it lasts: as an error where only the operator
 * can mend it, else as a warning.
 */
export function paymentErrorLogger(
  log: Pick<Logger, "error" | "warn">,
): (trouble: PaymentUnavailable) => void {
  const told = new Map<string, number>();
  return (trouble) => {
    const line = `card payment: ${trouble.message}`;
    const now = Date.now();
    if (now - (told.get(line) ?? 0) < REPEAT_AFTER_MS) return;
    if (told.size > 100) told.clear(); // they name what was asked for
    told.set(line, now);
    if (trouble instanceof PaymentMisconfigured) log.error(line);
    else log.warn(line);
  };
}
