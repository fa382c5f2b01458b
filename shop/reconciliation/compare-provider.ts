import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { disputeDiscrepancies, disputesClaim } from "./disputes.ts";
import { reachableClaim } from "./not-compared.ts";
import { olderClaim, olderPaymentDiscrepancies } from "./older-payments.ts";
import {
  knownClaim,
  missingAtProvider,
  readList,
  recheck,
  recordedClaim,
  succeededClaim,
} from "./recent-payments.ts";
import { refundDiscrepancies, refundsClaim } from "./refunds.ts";

export const providerClaims = [
  recordedClaim,
  succeededClaim,
  knownClaim,
  olderClaim,
  refundsClaim,
  disputesClaim,
  reachableClaim,
];

const DAY_MS = 86_400_000;

/** Webhooks arrive meanwhile: a discrepancy is checked again after `wait`. */
export async function compareWithProvider(
  store: Store,
  days: number,
  wait: () => Promise<unknown>,
): Promise<Discrepancy[]> {
  const since = new Date(Date.now() - days * DAY_MS);
  const { firstFindings, succeeded, problem } = await readList(store, since);
  if (problem !== null) {
    const detail = `The payment provider's list could not be read, so nothing more was compared. ${problem}`;
    return [...firstFindings.values(), { claim: reachableClaim, detail }];
  }
  const recent = await recheck(store, firstFindings, wait);
  const missing = await missingAtProvider(store, since, succeeded);
  const older = await olderPaymentDiscrepancies(store, since);
  const refunds = await refundDiscrepancies(store, since, missing.uncertain, wait);
  const disputes = await disputeDiscrepancies(store, since, wait);
  return [...recent, ...missing.discrepancies, ...older, ...refunds, ...disputes];
}
