import type { PurchaseRow } from "../../database/schema.ts";
import { findLines, findOrderRow } from "../orders/queries.ts";
import { isUnpaid } from "../orders/rules.ts";
import { findShipment } from "../orders/shipments.ts";
import type { RefundState } from "../orders/states.ts";
import { findProcessing } from "../payments/processing.ts";
import { type LowStockJob, lowStockEmail } from "../stock/low-stock-email.ts";
import type { Store } from "../store.ts";
import type { AccountEmailJob, SecurityNoticeJob } from "./account-jobs.ts";
import { resetPassword, securityNotice, verifyEmail } from "./account-templates.ts";
import type { Email, Site } from "./layout.ts";
import {
  orderCancelled,
  orderExpired,
  orderExpiresSoon,
  orderPaid,
  orderPaymentFailed,
  orderPlaced,
  orderShipped,
} from "./order-templates.ts";
import {
  type EmailPurchase,
  type PurchaseEmail,
  paymentFailed,
  purchaseCancelled,
  purchaseExpired,
  purchaseExpiresSoon,
  purchasePaid,
  purchasePlaced,
  purchaseShipped,
  refundFailed,
  refundIssued,
  refundMade,
  refundRecorded,
} from "./purchase-templates.ts";
import { type StockAlertJob, stockAlertEmail } from "./stock-alert-email.ts";

/** The payload of an email job: of a purchase only its id, from which the rest is read. */
export type EmailJob =
  | AccountEmailJob
  | SecurityNoticeJob
  | { mail: keyof typeof purchaseTemplates; purchaseId: string }
  | { mail: keyof typeof orderTemplates; orderId: string; purchaseIds?: string[] }
  | { mail: "orderShipped"; orderId: string; shipmentId: string }
  | { mail: RefundEmailName; purchaseId: string; refundId: string }
  | StockAlertJob
  | LowStockJob;

type RefundEmailName = "refundIssued" | "refundReturned" | "refundSettled";

const purchaseTemplates = {
  purchasePlaced,
  purchasePaid,
  paymentFailed,
  purchaseShipped,
  purchaseCancelled,
  purchaseExpired,
  purchaseExpiresSoon,
};

const orderTemplates = {
  orderPlaced,
  orderPaid,
  orderPaymentFailed,
  orderCancelled,
  orderExpired,
  orderExpiresSoon,
};

/** Not sent once there is nothing to pay, or a bank is deciding: they may have waited for the SMTP server. */
const PAYMENT_REMINDERS = /^(purchaseExpiresSoon|orderExpiresSoon|paymentFailed|orderPaymentFailed)$/;

type ComposedEmail = Email & { to: string; unsubscribe?: string };

/** Null if the email is no longer needed. Throws if its purchase does not exist. */
export async function composeEmail(store: Store, site: Site, job: EmailJob): Promise<ComposedEmail | null> {
  if ("alertId" in job) return stockAlertEmail(store, site, job);
  if (job.mail === "lowStock") return lowStockEmail(store, site, job);
  if (job.mail === "securityNotice") {
    const { email: to, name, event } = job;
    return { to, ...securityNotice({ ...site, name, event, at: new Date(job.at) }) };
  }
  if ("orderId" in job) return composeOrderEmail(store, site, job);
  if (!("purchaseId" in job)) {
    const compose = job.mail === "verifyEmail" ? verifyEmail : resetPassword;
    // an older job may contain an absolute URL
    const { pathname, search } = new URL(job.url, site.publicUrl);
    return { to: job.email, ...compose({ ...site, name: job.name, link: pathname + search }) };
  }
  const purchase = await findPurchaseForEmail(store, job.purchaseId);
  if (!purchase) throw new Error(`The purchase ${job.purchaseId} of a ${job.mail} email does not exist.`);
  if (PAYMENT_REMINDERS.test(job.mail) && (await toBePaid(store, [purchase])).length === 0) return null;
  const data = { ...site, purchase, holdHours: store.unpaidHoldHours };
  if ("refundId" in job) {
    const email = await refundEmail(store, job, data);
    return email && { to: purchase.buyer_email, ...email };
  }
  return { to: purchase.buyer_email, ...purchaseTemplates[job.mail](data) };
}

async function composeOrderEmail(
  store: Store,
  site: Site,
  job: Extract<EmailJob, { orderId: string }>,
): Promise<ComposedEmail | null> {
  const order = await findOrderRow(store, job.orderId);
  const lines = await findLines(store, job.orderId);
  if (!order || !lines[0]) throw new Error(`The order ${job.orderId} of a ${job.mail} email does not exist.`);
  const to = await findBuyerEmail(store, order.user_id);
  const data = { ...site, order, holdHours: store.unpaidHoldHours };
  if (job.mail !== "orderShipped") {
    const ids = "purchaseIds" in job ? job.purchaseIds : undefined;
    const affected = ids ? lines.filter(({ id }) => ids.includes(id)) : lines;
    const remaining = lines.filter((line) => !line.cancelled_at);
    const shown = PAYMENT_REMINDERS.test(job.mail)
      ? await toBePaid(store, affected)
      : job.mail === "orderPlaced" && remaining.length > 0
        ? remaining
        : affected;
    if (shown.length === 0) return null;
    const isPart = remaining.some((line) => !shown.includes(line));
    const invoice = job.mail === "orderPaid" ? await findInvoiceNumber(store, shown[0]) : undefined;
    return { to, ...orderTemplates[job.mail]({ ...data, lines: shown, isPart, invoice }) };
  }
  const shipment = await findShipment(store, job.shipmentId);
  if (!shipment) throw new Error(`The shipment ${job.shipmentId} of an ${job.mail} email does not exist.`);
  const pieces = new Map(shipment.lines.map(({ purchaseId, quantity }) => [purchaseId, quantity]));
  const shipped = lines.filter(({ id }) => pieces.has(id));
  return { to, ...orderShipped({ ...data, lines: shipped, shipment: { ...shipment, pieces } }) };
}

/** What the buyer is to pay now: not what a bank is still deciding about. */
async function toBePaid<Line extends Pick<PurchaseRow, "id" | "status" | "cancelled_at">>(
  store: Store,
  lines: Line[],
): Promise<Line[]> {
  const unpaid = lines.filter(isUnpaid);
  const processing = await findProcessing(
    store,
    unpaid.map(({ id }) => id),
  );
  return unpaid.filter(({ id }) => !processing.has(id));
}

/** An order that was paid in parts has several. */
async function findInvoiceNumber(
  { pool }: Store,
  line: PurchaseRow | undefined,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ number: number }>(
    "SELECT number FROM shop.invoice WHERE order_id = $1 AND payment_id = $2",
    [line?.order_id, line?.transaction_id],
  );
  return rows[0]?.number;
}

/** The buyer's current one; a purchase keeps the one it was placed with. */
async function findBuyerEmail({ pool }: Store, userId: string): Promise<string> {
  const { rows } = await pool.query<{ email: string }>("SELECT email FROM shop.user WHERE id = $1", [userId]);
  return (rows[0] as { email: string }).email;
}

/** The state that each email reports: by the time it is sent, the refund may have another one. */
const reportedStates: Record<RefundEmailName, RefundState> = {
  refundIssued: "done",
  refundReturned: "failed",
  refundSettled: "settled",
};

interface RefundRow {
  status: RefundState;
  amount_cents: number;
  payment_id: string;
  origin: "late" | "admin" | "provider";
  reason: string;
  settled_how: string | null;
}

/** From the refund, not the purchase, which another payment or none may have paid. Null once its state has changed. */
async function refundEmail(
  store: Store,
  { mail, refundId }: { mail: RefundEmailName; refundId: string },
  data: PurchaseEmail,
): Promise<Email | null> {
  const { rows } = await store.pool.query<RefundRow>(
    "SELECT status, amount_cents, payment_id, origin, reason, settled_how FROM shop.refund WHERE id = $1",
    [refundId],
  );
  const [refund] = rows;
  if (!refund) throw new Error(`The refund ${refundId} of a ${mail} email does not exist.`);
  if (refund.status !== reportedStates[mail]) return null;
  const refundData = { ...data, refundCents: refund.amount_cents, transactionId: refund.payment_id };
  if (mail === "refundReturned") return refundFailed(refundData);
  if (mail === "refundSettled") return refundRecorded({ ...refundData, how: refund.settled_how ?? "" });
  return refund.origin === "late"
    ? refundIssued(refundData)
    : refundMade({ ...refundData, reason: refund.reason });
}

async function findPurchaseForEmail(store: Store, id: string): Promise<EmailPurchase | undefined> {
  const { rows } = await store.pool.query<EmailPurchase>(
    `SELECT purchase.*, buyer.email AS buyer_email, "order".number, po_number, carrier, tracking_number,
       EXISTS (SELECT FROM shop.purchase other WHERE other.order_id = purchase.order_id AND other.id <> purchase.id
           AND other.cancelled_at IS NULL) AS is_part
     FROM shop.purchase JOIN shop.user buyer ON buyer.id = purchase.user_id
     JOIN shop.order ON "order".id = purchase.order_id
     LEFT JOIN shop.shipment_line whole ON whole.purchase_id = purchase.id AND whole.pieces = quantity
     LEFT JOIN shop.shipment ON shipment.id = whole.shipment_id
     WHERE purchase.id = $1`,
    [id],
  );
  return rows[0];
}
