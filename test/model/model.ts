/** A small model of the shop: the expected state after each step, by the state tables and plain arithmetic. */
import type { User } from "../../shop/store.ts";

interface ModelProduct {
  id: string;
  cents: number;
  stock: number;
  minimum: number;
  archived: boolean;
}

export interface ModelIntent {
  id: string;
  clientSecret: string;
  /** its status at the provider */
  atProvider: "open" | "succeeded" | "canceled";
  /** its status in our tables; a refund of a late payment is completed at once, since the provider responds here */
  inStore: "open" | "succeeded" | "cancelled" | "refunded" | "refund_due";
}

export interface ModelRefund {
  /** its id; of a late payment, the id of the payment */
  of: string;
  state: "done" | "failed" | "settled";
}

export interface ModelPurchase {
  id: string;
  buyer: User;
  product: ModelProduct;
  quantity: number;
  cents: number;
  state: "unpaid" | "paid" | "shipped" | "cancelled";
  intents: ModelIntent[];
  refundedCents: number;
  refunds: ModelRefund[];
  returned: boolean;
  /** can still be undone */
  justShipped: boolean;
  /** emails queued about it, in any order */
  emails: string[];
}

export interface Model {
  buyers: User[];
  admin: User;
  products: ModelProduct[];
  purchases: ModelPurchase[];
}

export const totalOf = (purchase: ModelPurchase) => purchase.cents * purchase.quantity;
export const lastIntent = (purchase: ModelPurchase) => purchase.intents.at(-1);

/** Records or refunds a payment, once the store reads that its intent has succeeded. */
export function recordSuccess(purchase: ModelPurchase, intent: ModelIntent): void {
  if (intent.atProvider !== "succeeded" || (intent.inStore !== "open" && intent.inStore !== "cancelled"))
    return;
  if (purchase.state === "unpaid") {
    purchase.state = "paid";
    intent.inStore = "succeeded";
    purchase.emails.push("purchasePaid");
  } else {
    intent.inStore = "refunded";
    purchase.refunds.push({ of: intent.id, state: "done" });
    purchase.emails.push("refundIssued");
  }
}

/** Records the success or the cancellation of an intent, once the store reads it. */
export function syncStatus(purchase: ModelPurchase, intent: ModelIntent): void {
  recordSuccess(purchase, intent);
  if (intent.inStore === "open" && intent.atProvider === "canceled") intent.inStore = "cancelled";
}

/** The outcome of cancelling an unpaid purchase: it is cancelled, or turns out to be paid. */
export function cancelUnpaid(purchase: ModelPurchase, email: string): boolean {
  const open = purchase.intents.find(({ inStore }) => inStore === "open");
  if (open?.atProvider === "succeeded") {
    recordSuccess(purchase, open);
    return false;
  }
  if (open) {
    open.atProvider = "canceled";
    open.inStore = "cancelled";
  }
  purchase.state = "cancelled";
  purchase.product.stock += purchase.quantity;
  purchase.emails.push(email);
  return true;
}

/** Throws if there is no value: the precondition of the step should have excluded that. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The step does not apply.");
  return value;
}
