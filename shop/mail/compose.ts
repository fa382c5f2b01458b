import { findPurchaseRow, type PurchaseRow } from "../purchases/queries.ts";
import type { Store } from "../store.ts";
import { resetPassword, verifyEmail } from "./account-templates.ts";
import type { Mail } from "./layout.ts";
import {
  type PurchaseMail,
  purchaseCancelled,
  purchaseExpired,
  purchasePaid,
  purchasePlaced,
  purchaseShipped,
  refundIssued,
} from "./templates.ts";

/** What a mail job carries: for a purchase only its id, since the purchase itself knows the rest. */
export type MailJob = AccountMailJob | { mail: keyof typeof aboutPurchase; purchaseId: string };

interface AccountMailJob {
  mail: "verifyEmail" | "resetPassword";
  email: string;
  name: string;
  url: string;
}

const aboutPurchase = {
  purchasePlaced: (data: PurchaseMail, _row: PurchaseRow, holdHours: number) =>
    purchasePlaced({ ...data, holdHours }),
  purchasePaid: (data: PurchaseMail, row: PurchaseRow) =>
    purchasePaid({ ...data, transactionId: row.transaction_id ?? "" }),
  purchaseShipped: (data: PurchaseMail, row: PurchaseRow) =>
    purchaseShipped({ ...data, transactionId: row.transaction_id ?? "" }),
  purchaseCancelled: (data: PurchaseMail, row: PurchaseRow) =>
    purchaseCancelled({ ...data, cancelledBy: row.cancelled_because === "admin" ? "admin" : "buyer" }),
  purchaseExpired: (data: PurchaseMail, _row: PurchaseRow, holdHours: number) =>
    purchaseExpired({ ...data, holdHours }),
  refundIssued: (data: PurchaseMail, row: PurchaseRow) =>
    refundIssued({ ...data, refundCents: row.total_cents, transactionId: row.transaction_id ?? "" }),
};

/** Makes the mail of a job, with links to `publicUrl`; throws when its purchase does not exist. */
export async function composeMail(
  store: Store,
  publicUrl: string,
  job: MailJob,
): Promise<Mail & { to: string }> {
  if (!("purchaseId" in job)) {
    const compose = job.mail === "verifyEmail" ? verifyEmail : resetPassword;
    return { to: job.email, ...compose({ publicUrl, name: job.name, link: job.url }) };
  }
  const row = await findPurchaseRow(store, job.purchaseId);
  if (!row) throw new Error(`The purchase ${job.purchaseId} of a ${job.mail} mail does not exist.`);
  return { to: row.email, ...aboutPurchase[job.mail](factsOf(row, publicUrl), row, store.unpaidHoldHours) };
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
