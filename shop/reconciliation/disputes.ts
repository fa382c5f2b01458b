import { formatMoney } from "../money.ts";
import { listDisputes, missingDisputes } from "../payments/find-disputes.ts";
import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { notCompared } from "./not-compared.ts";

export const disputesClaim = "Every dispute at the payment provider is recorded with its current outcome.";

/** Recent disputes missing in the audit log; a webhook may arrive during `wait`. */
export async function disputeDiscrepancies(
  store: Store,
  since: Date,
  wait: () => Promise<unknown>,
): Promise<Discrepancy[]> {
  const problems: Discrepancy[] = [];
  const disputes = await listDisputes(store, since, (what, reason) =>
    problems.push(notCompared(what, reason)),
  );
  if ((await missingDisputes(store, disputes)).length === 0) return problems;
  await wait();
  const missing = (await missingDisputes(store, disputes)).map(({ dispute, paymentId, purchaseId }) => ({
    claim: disputesClaim,
    detail: `The cardholder's bank disputes ${formatMoney(dispute.amountCents)} of ${paymentId} for order ${purchaseId} (${dispute.id}, ${dispute.outcome}); this is not recorded.`,
    purchaseId,
  }));
  return [...problems, ...missing];
}
