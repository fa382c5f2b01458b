/**
 * What may become of a purchase, of a card payment and of a refund (specification, section 4), as tables. Everything
 * else (rules, operations, the doctor, the model in the tests) asks them. Pure.
 */

/** A cancelled purchase is hidden from the outside; the rest are the specification's statuses. */
export type PurchaseState = "unpaid" | "paid" | "shipped" | "cancelled";
export type PurchaseStep = "pay" | "ship" | "undoShipment" | "cancel" | "expire" | "refund";

/**
 * A missing step is a refusal. A refund leaves the state as it is: the order was paid, and says what went back. A
 * shipment can be undone for a moment, before the buyer is told of it.
 */
export const purchaseStates: Record<PurchaseState, Partial<Record<PurchaseStep, PurchaseState>>> = {
  unpaid: { pay: "paid", cancel: "cancelled", expire: "cancelled" },
  paid: { ship: "shipped", refund: "paid" },
  shipped: { refund: "shipped", undoShipment: "paid" },
  cancelled: {},
};

/** `open`: money may come. `refund_due`: it came too late and has to go back. */
export type PaymentState = "open" | "succeeded" | "cancelled" | "refund_due" | "refunded";
export type PaymentStep = "settle" | "withdraw" | "comeLate" | "giveBack" | "comeBack";

/**
 * A cancelled payment can still turn out to have succeeded, if the provider says so: then its purchase takes
 * the money, or it goes back; what went back can come back, if the bank does not take it.
 */
export const paymentStates: Record<PaymentState, Partial<Record<PaymentStep, PaymentState>>> = {
  open: { settle: "succeeded", withdraw: "cancelled", comeLate: "refund_due" },
  cancelled: { settle: "succeeded", comeLate: "refund_due" },
  refund_due: { giveBack: "refunded" },
  succeeded: {},
  refunded: { comeBack: "refund_due" },
};

/**
 * `due`: promised, and asked of the provider. `failed`: it came back, and is promised all the same. `settled`: given
 * back another way. Only what is refused is no promise any more.
 */
export type RefundState = "due" | "done" | "refused" | "failed" | "settled";
export type RefundStep = "make" | "refuse" | "comeBack" | "tryAgain" | "settle";

export const refundStates: Record<RefundState, Partial<Record<RefundStep, RefundState>>> = {
  due: { make: "done", refuse: "refused", comeBack: "failed" },
  // it may be made at the provider's own desk as well
  failed: { tryAgain: "due", settle: "settled", make: "done" },
  done: { comeBack: "failed" },
  refused: {},
  settled: {},
};

/** The states from which a step leads on, for the condition of a statement. */
export const statesBefore = (step: PaymentStep): PaymentState[] => before(paymentStates, step);

/** The same for a refund. */
export const refundsBefore = (step: RefundStep): RefundState[] => before(refundStates, step);

function before<State extends string, Step extends string>(
  table: Record<State, Partial<Record<Step, State>>>,
  step: Step,
): State[] {
  return (Object.keys(table) as State[]).filter((state) => table[state][step]);
}

/** What a step makes of a purchase, or null where it may not be taken. */
export function afterStep(state: PurchaseState, step: PurchaseStep): PurchaseState | null {
  return purchaseStates[state][step] ?? null;
}
