import type { PurchaseRow } from "../../database/schema.ts";
import { findLines, findOrderRow } from "../orders/queries.ts";
import { isUnpaid } from "../orders/rules.ts";
import { findShipment, findShipments } from "../orders/shipments.ts";
import { findProcessing } from "../payments/processing.ts";
import type { Store } from "../store.ts";
import { type RefundEmailJob, refundEmail } from "./compose-refund-email.ts";
import type { Email, Site } from "./layout.ts";
import type { OrderEmail } from "./order-content.ts";
import {
  orderCancelled,
  orderExpired,
  orderExpiresSoon,
  orderPaid,
  orderPaymentFailed,
  orderPlaced,
  orderShipped,
} from "./order-templates.ts";

/** About the whole order, some lines of it, or one. */
export type OrderEmailJob =
  | { mail: keyof typeof orderTemplates; orderId: string; purchaseIds?: string[] }
  | { mail: keyof typeof orderTemplates; purchaseId: string }
  | { mail: "orderShipped"; orderId: string; shipmentId: string; corrected?: true }
  | { mail: "purchaseShipped"; purchaseId: string }
  | RefundEmailJob;

/** By the names of the jobs: SQL queues those of one line under another name. */
const orderTemplates = {
  orderPlaced,
  orderPaid,
  orderPaymentFailed,
  orderCancelled,
  orderExpired,
  orderExpiresSoon,
  purchasePlaced: orderPlaced,
  purchasePaid: orderPaid,
  paymentFailed: orderPaymentFailed,
  purchaseCancelled: orderCancelled,
  purchaseExpired: orderExpired,
  purchaseExpiresSoon: orderExpiresSoon,
};

export async function composeOrderEmail(
  store: Store,
  site: Site,
  job: OrderEmailJob,
): Promise<(Email & { to: string }) | null> {
  const id = "orderId" in job ? job.orderId : job.purchaseId;
  const order = await findOrderRow(store, id);
  if (!order) throw new Error(`The order ${id} of the email ${job.mail} does not exist.`);
  const lines = await findLines(store, order.id);
  const email = await orderEmail(store, job, lines, (shown) => ({
    ...site,
    order,
    lines: shown,
    isPart: lines.some((line) => !line.cancelled_at && !shown.includes(line)),
    holdHours: store.unpaidHoldHours,
  }));
  return email && { to: await findBuyerEmail(store, order.user_id), ...email };
}

/** `about` is the data of an email about some of the lines. */
async function orderEmail(
  store: Store,
  job: OrderEmailJob,
  lines: PurchaseRow[],
  about: (lines: PurchaseRow[]) => OrderEmail,
): Promise<Email | null> {
  if (job.mail === "orderShipped" || job.mail === "purchaseShipped") {
    const shipment = await findShipmentOf(store, job, lines);
    const shipped = new Set(shipment.lines.map(({ purchaseId }) => purchaseId));
    const isCorrected = "corrected" in job;
    return orderShipped({ ...about(lines.filter(({ id }) => shipped.has(id))), shipment, isCorrected });
  }
  const ids = "purchaseId" in job ? [job.purchaseId] : job.purchaseIds;
  const affected = ids ? lines.filter(({ id }) => ids.includes(id)) : lines;
  if ("refundId" in job) return refundEmail(store, job, about(affected));
  const template = orderTemplates[job.mail];
  const shown = await stillConcerned(store, template, affected);
  if (shown.length === 0) return null;
  const invoice = template === orderPaid ? await findInvoiceNumber(store, shown[0]) : undefined;
  return template({ ...about(shown), invoice });
}

type Template = (typeof orderTemplates)[keyof typeof orderTemplates];

/** The email may have waited for the SMTP server: those that it is about now. */
async function stillConcerned(
  store: Store,
  template: Template,
  lines: PurchaseRow[],
): Promise<PurchaseRow[]> {
  if (template === orderExpiresSoon || template === orderPaymentFailed) return toBePaid(store, lines);
  const kept = lines.filter((line) => !line.cancelled_at);
  return template === orderPlaced && kept.length > 0 ? kept : lines;
}

/** What the buyer is to pay now: not what a bank is still deciding about. */
async function toBePaid(store: Store, lines: PurchaseRow[]): Promise<PurchaseRow[]> {
  const unpaid = lines.filter(isUnpaid);
  const processing = await findProcessing(
    store,
    unpaid.map(({ id }) => id),
  );
  return unpaid.filter(({ id }) => !processing.has(id));
}

async function findShipmentOf(
  store: Store,
  job: Extract<OrderEmailJob, { mail: "orderShipped" | "purchaseShipped" }>,
  [first]: PurchaseRow[],
) {
  const shipment =
    "shipmentId" in job
      ? await findShipment(store, job.shipmentId)
      : (await findShipments(store, first?.order_id ?? "")).at(-1);
  if (!shipment) throw new Error(`The shipment of the email ${JSON.stringify(job)} does not exist.`);
  return shipment;
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
