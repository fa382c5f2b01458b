/**
 * Checks the responses of clients against a sequential model: an order takes the pieces of all its lines at one moment
 * or is refused for a stock that it saw, a cancelled one returns them, in an order that respects real time for each
 * product. An attempt with an unknown outcome happened if the database has it, at any time since it began. What a card
 * was charged is an order's or was refunded.
 */
import { isLinearizable, type Step } from "./linearize.ts";

export interface Attempt {
  key: string;
  /** milliseconds; the end is when the client knew the outcome or gave up */
  startedAt: number;
  endedAt: number;
  lines: { productId: string; pieces: number }[];
  /** `unknown`: no response, or one that does not say whether it was committed */
  outcome: "placed" | "refused" | "unknown";
  orderId?: string;
  /** the stock that the refusal reported, by product */
  shortages?: Record<string, number>;
  /** the payment was acknowledged */
  paid?: boolean;
  cancellation?: { startedAt: number; endedAt: number; outcome: "cancelled" | "refused" | "unknown" };
}

/** A line of an order in the database. */
export interface RecordedLine {
  orderId: string;
  key: string;
  productId: string;
  pieces: number;
  cancelled: boolean;
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

export interface FinalState {
  recorded: RecordedLine[];
  charges: Charge[];
  /** by product */
  stock: Record<string, number>;
}

/**
 * The contradictions between `history` and the final state of the database; none if some order of the attempts explains
 * all. Each product had `pieces` at the start.
 */
export function checkHistory(history: Attempt[], pieces: number, final: FinalState): string[] {
  const byKey = Map.groupBy(final.recorded, ({ key }) => key);
  const keys = new Set(history.map(({ key }) => key));
  const found = checkCharges(final);
  for (const key of byKey.keys()) if (!keys.has(key)) found.push(`${key} was placed by nobody`);
  for (const attempt of history) found.push(...checkAttempt(attempt, byKey.get(attempt.key) ?? []));
  for (const [productId, left] of Object.entries(final.stock)) {
    const steps = history.flatMap((attempt) => stepsOf(attempt, productId, byKey.get(attempt.key) ?? []));
    if (!isLinearizable(pieces, steps, left))
      found.push(`no order of its ${steps.length} steps explains the stock of ${productId}, ${left}`);
  }
  return found;
}

function checkAttempt(attempt: Attempt, recorded: RecordedLine[]): string[] {
  const { key, lines, outcome, orderId, paid, cancellation } = attempt;
  const orders = new Set(recorded.map((line) => line.orderId));
  if (orders.size > 1) return [`${key} was placed ${orders.size} times`];
  if (recorded.length === 0) return outcome === "placed" ? [`${key} was acknowledged and is lost`] : [];
  if (outcome === "refused") return [`${key} was refused and is placed`];
  const found: string[] = [];
  const listed = (some: Attempt["lines"]) => some.map((one) => `${one.productId} ${one.pieces}`).sort();
  if (listed(recorded).join() !== listed(lines).join()) found.push(`${key} is placed with other lines`);
  if (outcome === "placed" && !orders.has(orderId as string))
    found.push(`${key} was acknowledged and is lost`);
  const all = (is: "paid" | "cancelled") => recorded.every((line) => line[is]);
  if (paid && !all("paid")) found.push(`${key} was paid and is not recorded as paid`);
  if (recorded.some((line) => line.paid && line.cancelled)) found.push(`${key} is paid and cancelled`);
  if (cancellation?.outcome === "cancelled" && !all("cancelled"))
    found.push(`${key} was cancelled and is not recorded as cancelled`);
  if ((cancellation?.outcome ?? "refused") === "refused" && recorded.some(({ cancelled }) => cancelled))
    found.push(`${key} is cancelled by nobody`);
  return found;
}

/** What happened to the stock of one product. */
function stepsOf(attempt: Attempt, productId: string, recorded: RecordedLine[]): Step[] {
  const line = attempt.lines.find((one) => one.productId === productId);
  if (!line) return [];
  const { pieces } = line;
  const { startedAt, outcome, shortages, cancellation } = attempt;
  const endedAt = outcome === "unknown" ? Number.POSITIVE_INFINITY : attempt.endedAt;
  if (outcome === "refused") {
    const seen = shortages?.[productId];
    const [least, most] = seen === undefined ? [pieces, Number.POSITIVE_INFINITY] : [seen, seen];
    return [{ startedAt, endedAt, pieces: 0, least, most }];
  }
  const placed = recorded.find((one) => one.productId === productId);
  if (!placed) return [];
  const any = { least: 0, most: Number.POSITIVE_INFINITY };
  const steps: Step[] = [{ ...any, startedAt, endedAt, pieces: -placed.pieces, least: placed.pieces }];
  if (placed.cancelled && cancellation) {
    const until = cancellation.outcome === "unknown" ? Number.POSITIVE_INFINITY : cancellation.endedAt;
    steps.push({ ...any, startedAt: cancellation.startedAt, endedAt: until, pieces: placed.pieces });
  }
  return steps;
}

function checkCharges({ recorded, charges }: FinalState): string[] {
  const found: string[] = [];
  const paid = new Set(recorded.filter((line) => line.paid));
  for (const { transactionId, cents, refundedCents } of charges) {
    let keptCents = cents - refundedCents;
    for (const line of paid) {
      if (line.transactionId !== transactionId) continue;
      keptCents -= line.cents;
      paid.delete(line);
    }
    if (keptCents > 0)
      found.push(`${transactionId} was charged ${keptCents} cents without an order or a refund`);
    if (keptCents < 0) found.push(`${transactionId} was charged ${-keptCents} cents too little`);
  }
  for (const { key } of paid) found.push(`${key} is paid and nobody was charged`);
  return found;
}
