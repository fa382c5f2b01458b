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
  /** at the provider */
  there: "open" | "succeeded" | "canceled";
  /** in our tables; a refund of a late payment is completed at once, since the provider responds here */
  here: "open" | "succeeded" | "cancelled" | "refunded" | "refund_due";
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

/** Money that is recorded or refunded once the store learns that an intent has succeeded. */
export function recordSuccess(purchase: ModelPurchase, intent: ModelIntent): void {
  if (intent.there !== "succeeded" || (intent.here !== "open" && intent.here !== "cancelled")) return;
  if (purchase.state === "unpaid") {
    purchase.state = "paid";
    intent.here = "succeeded";
    purchase.emails.push("purchasePaid");
  } else {
    intent.here = "refunded";
    purchase.refunds.push({ of: intent.id, state: "done" });
    purchase.emails.push("refundIssued");
  }
}

/** The same for an intent that the provider cancelled, or that is no longer wanted. */
export function look(purchase: ModelPurchase, intent: ModelIntent): void {
  recordSuccess(purchase, intent);
  if (intent.here === "open" && intent.there === "canceled") intent.here = "cancelled";
}

/** The outcome of cancelling an unpaid purchase: it is cancelled, or turns out to be paid. */
export function withdraw(purchase: ModelPurchase, email: string): boolean {
  const open = purchase.intents.find(({ here }) => here === "open");
  if (open?.there === "succeeded") {
    recordSuccess(purchase, open);
    return false;
  }
  if (open) {
    open.there = "canceled";
    open.here = "cancelled";
  }
  purchase.state = "cancelled";
  purchase.product.stock += purchase.quantity;
  purchase.emails.push(email);
  return true;
}

/** Throws if there is none: the precondition of the step should have excluded that. */
export function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The step does not apply.");
  return value;
}
