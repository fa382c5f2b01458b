import { findPurchaseRow, type PurchaseRow } from "../orders/queries.ts";
import type { Store } from "../store.ts";
import { resetPassword, type SecurityNotice, securityNotice, verifyEmail } from "./account-templates.ts";
import type { Mail } from "./layout.ts";
import { type StockAlertJob, stockAlertMail } from "./stock-alert-email.ts";
import {
  type PurchaseMail,
  paymentFailed,
  purchaseCancelled,
  purchaseExpired,
  purchaseExpiresSoon,
  purchasePaid,
  purchasePlaced,
  purchaseShipped,
  refundIssued,
  refundMade,
  refundReturned,
  refundSettled,
} from "./templates.ts";

/** What a mail job carries: for a purchase only its id, since the purchase itself knows the rest. */
export type MailJob =
  | AccountMailJob
  | { mail: "securityNotice"; email: string; name: string; event: SecurityNotice["event"]; at: string }
  | { mail: keyof typeof aboutPurchase; purchaseId: string }
  | { mail: RefundMailName; purchaseId: string; refundId: string }
  | StockAlertJob;

type RefundMailName = "refundIssued" | "refundReturned" | "refundSettled";

interface AccountMailJob {
  mail: "verifyEmail" | "resetPassword";
  email: string;
  name: string;
  /** a path of this store; a mail that waits may see the store move to another address */
  url: string;
}

const HOUR_MS = 3_600_000;

const aboutPurchase = {
  purchasePlaced: (data: PurchaseMail, _row: PurchaseRow, holdHours: number) =>
    purchasePlaced({ ...data, holdHours }),
  purchasePaid: (data: PurchaseMail, row: PurchaseRow) =>
    purchasePaid({ ...data, transactionId: row.transaction_id ?? "" }),
  paymentFailed: (data: PurchaseMail) => paymentFailed(data),
  purchaseShipped: (data: PurchaseMail, row: PurchaseRow) =>
    purchaseShipped({ ...data, transactionId: row.transaction_id ?? "" }),
  purchaseCancelled: (data: PurchaseMail, row: PurchaseRow) =>
    purchaseCancelled({ ...data, cancelledBy: row.cancelled_because === "admin" ? "admin" : "buyer" }),
  purchaseExpired: (data: PurchaseMail, _row: PurchaseRow, holdHours: number) =>
    purchaseExpired({ ...data, holdHours }),
  purchaseExpiresSoon: (data: PurchaseMail, row: PurchaseRow, holdHours: number) =>
    purchaseExpiresSoon({ ...data, expiresAt: new Date(row.placed_at.getTime() + holdHours * HOUR_MS) }),
};

/** A composed mail; with `unsubscribe`, the address that ends mails of this kind. */
type Composed = Mail & { to: string; unsubscribe?: string };

/**
 * Composes the mail of a job, with links to `publicUrl`; null where it is no longer wanted. Throws when its purchase
 * does not exist.
 */
export async function composeMail(store: Store, publicUrl: string, job: MailJob): Promise<Composed | null> {
  if ("alertId" in job) return stockAlertMail(store, publicUrl, job);
  if (job.mail === "securityNotice") {
    const { email: to, name, event } = job;
    return { to, ...securityNotice({ publicUrl, name, event, at: new Date(job.at) }) };
  }
  if (!("purchaseId" in job)) {
    const compose = job.mail === "verifyEmail" ? verifyEmail : resetPassword;
    // one from before may carry the whole address that the store had then
    const { pathname, search } = new URL(job.url, publicUrl);
    return { to: job.email, ...compose({ publicUrl, name: job.name, link: pathname + search }) };
  }
  const row = await findPurchaseRow(store, job.purchaseId);
  if (!row) throw new Error(`The purchase ${job.purchaseId} of a ${job.mail} mail does not exist.`);
  const facts = factsOf(row, publicUrl);
  if ("refundId" in job) return { to: row.email, ...(await refundMail(store, job, facts)) };
  return { to: row.email, ...aboutPurchase[job.mail](facts, row, store.unpaidHoldHours) };
}

/** What went back is the refund's to say: its purchase may have been paid by another payment, or not at all. */
async function refundMail(
  store: Store,
  { mail, refundId }: { mail: RefundMailName; refundId: string },
  facts: PurchaseMail,
): Promise<Mail> {
  const refund = await store.database
    .selectFrom("shop.refund")
    .select(["amount_cents", "payment_id", "origin", "reason", "settled_how"])
    .where("id", "=", refundId)
    .executeTakeFirstOrThrow();
  const money = { ...facts, refundCents: refund.amount_cents, transactionId: refund.payment_id };
  if (mail === "refundReturned") return refundReturned(money);
  if (mail === "refundSettled") return refundSettled({ ...money, how: refund.settled_how ?? "" });
  return refund.origin === "late" ? refundIssued(money) : refundMade({ ...money, reason: refund.reason });
}

function factsOf(row: PurchaseRow, publicUrl: string): PurchaseMail {
  return {
    publicUrl,
    purchaseId: row.id,
    buyerName: row.name,
    productName: row.product_name,
    itemNumber: row.item_number,
    quantity: row.quantity,
    priceCents: row.price_cents,
    totalCents: row.total_cents,
    address: row.address,
  };
}
