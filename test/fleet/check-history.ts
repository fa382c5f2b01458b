/**
 * Checks the responses of clients against a sequential model of one product's stock: placements take one lot each, in
 * an order that respects real time, until none is left. What a card was charged is an order's or was refunded.
 */

export interface Placement {
  key: string;
  /** milliseconds; the end is when the client knew the outcome or gave up */
  begun: number;
  ended: number;
  /** `unknown`: no response, or one that does not say whether it was committed */
  outcome: "placed" | "soldOut" | "unknown";
  purchaseId?: string;
  /** the payment was acknowledged */
  paid?: boolean;
}

export interface RecordedPurchase {
  id: string;
  key: string;
  paid: boolean;
  cents: number;
  /** of its payment */
  transactionId: string | null;
}

/** A card that the payment provider has charged. */
export interface Charge {
  transactionId: string;
  cents: number;
  refundedCents: number;
}

interface FinalState {
  lots: number;
  recorded: RecordedPurchase[];
  charges: Charge[];
}

/** The contradictions between `history` and the final state of the database; none if some order explains all. */
export function checkHistory(history: Placement[], { lots, recorded, charges }: FinalState): string[] {
  const found = checkCharges(recorded, charges);
  const byKey = Map.groupBy(recorded, ({ key }) => key);
  const keys = new Set(history.map(({ key }) => key));
  for (const [key, purchases] of byKey) {
    if (purchases.length > 1) found.push(`${key} was placed ${purchases.length} times`);
    if (!keys.has(key)) found.push(`${key} was placed by nobody`);
  }
  for (const { key, outcome, purchaseId, paid } of history) {
    const [purchase] = byKey.get(key) ?? [];
    if (outcome === "placed" && purchase?.id !== purchaseId)
      found.push(`${key} was acknowledged and is lost`);
    if (outcome === "soldOut" && purchase) found.push(`${key} was refused and is placed`);
    if (paid && !purchase?.paid) found.push(`${key} was paid and is not recorded as paid`);
  }
  if (recorded.length > lots) found.push(`${recorded.length} of ${lots} lots were sold`);
  const placed = history.filter(({ key }) => byKey.has(key));
  for (const { key, outcome, ended } of history) {
    const possible = placed.filter(({ begun }) => begun < ended).length;
    if (outcome === "soldOut" && possible < lots)
      found.push(`${key} was refused with ${lots - possible} lots left`);
  }
  return found;
}

function checkCharges(recorded: RecordedPurchase[], charges: Charge[]): string[] {
  const found: string[] = [];
  const unpaid = new Set(recorded.filter(({ paid }) => paid));
  for (const { transactionId, cents, refundedCents } of charges) {
    let keptCents = cents - refundedCents;
    for (const purchase of unpaid) {
      if (purchase.transactionId !== transactionId) continue;
      keptCents -= purchase.cents;
      unpaid.delete(purchase);
    }
    if (keptCents > 0)
      found.push(`${transactionId} was charged ${keptCents} cents without an order or a refund`);
    if (keptCents < 0) found.push(`${transactionId} was charged ${-keptCents} cents too little`);
  }
  for (const { key } of unpaid) found.push(`${key} is paid and nobody was charged`);
  return found;
}
