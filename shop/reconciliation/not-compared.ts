import type { Discrepancy } from "./check.ts";

export const reachableClaim = "The payment provider can be reached.";

/** What could not be read at the payment provider is reported, and the rest is still compared. */
export function notCompared(what: string, reason: string, purchaseId?: string): Discrepancy {
  const detail = `${what} could not be compared. ${reason}`;
  return { claim: reachableClaim, detail, ...(purchaseId && { purchaseId }) };
}
