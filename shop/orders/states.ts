/** The state machines of the specification, section 4, for rules, SQL, reconciliation and model test. Pure. */

/** The specification's statuses, and `cancelled`, which clients see as deleted. */
export type PurchaseState = "unpaid" | "paid" | "shipped" | "cancelled";
export type PurchaseStep = "pay" | "ship" | "undoShipment" | "cancel" | "expire" | "refund";

/** A refund does not change the state; a shipment can be undone until its email is sent. */
export const purchaseStates: Record<PurchaseState, Partial<Record<PurchaseStep, PurchaseState>>> = {
  unpaid: { pay: "paid", cancel: "cancelled", expire: "cancelled" },
  paid: { ship: "shipped", refund: "paid" },
  shipped: { refund: "shipped", undoShipment: "paid" },
  cancelled: {},
};

/** `open`: can still succeed. `refund_due`: succeeded too late, to be refunded. */
export type PaymentState = "open" | "succeeded" | "cancelled" | "refund_due" | "refunded";
export type PaymentStep = "pay" | "cancel" | "succeedLate" | "refund" | "failRefund";

/** A cancelled payment can still succeed at the provider, and a refund can fail at the bank. */
export const paymentStates: Record<PaymentState, Partial<Record<PaymentStep, PaymentState>>> = {
  open: { pay: "succeeded", cancel: "cancelled", succeedLate: "refund_due" },
  cancelled: { pay: "succeeded", succeedLate: "refund_due" },
  refund_due: { refund: "refunded" },
  succeeded: {},
  refunded: { failRefund: "refund_due" },
};

/** `failed`: rejected by the bank, still owed. `settled`: refunded manually. `refused`: not owed. */
export type RefundState = "due" | "done" | "refused" | "failed" | "settled";
export type RefundStep = "complete" | "refuse" | "fail" | "retry" | "recordManually";

export const refundStates: Record<RefundState, Partial<Record<RefundStep, RefundState>>> = {
  due: { complete: "done", refuse: "refused", fail: "failed" },
  // it can also be made in the provider's dashboard
  failed: { retry: "due", recordManually: "settled", complete: "done" },
  done: { fail: "failed" },
  refused: {},
  settled: {},
};

/** The states in which a payment may take a step, for the WHERE of a statement. */
export const paymentStatesBefore = (step: PaymentStep): PaymentState[] => statesBefore(paymentStates, step);

export const refundStatesBefore = (step: RefundStep): RefundState[] => statesBefore(refundStates, step);

function statesBefore<State extends string, Step extends string>(
  table: Record<State, Partial<Record<Step, State>>>,
  step: Step,
): State[] {
  return (Object.keys(table) as State[]).filter((state) => table[state][step]);
}

export function afterStep(state: PurchaseState, step: PurchaseStep): PurchaseState | null {
  return purchaseStates[state][step] ?? null;
}
