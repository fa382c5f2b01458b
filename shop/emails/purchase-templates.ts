import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { formatMoney } from "../money.ts";
import { keptUntil } from "../orders/entity.ts";
import { isUnpaid } from "../orders/rules.ts";
import { formatCount } from "../texts/format-count.ts";
import { formatDuration, formatInstant, greeting, orderFacts } from "./formatting.ts";
import { type Email, type EmailContent, oneLine, renderEmail, type Site } from "./layout.ts";

export interface PurchaseEmail extends Site {
  purchase: EmailPurchase;
  /** how long an unpaid purchase keeps its stock; 0: forever */
  holdHours: number;
}

export interface EmailPurchase extends PurchaseRow, Pick<OrderRow, "number" | "po_number"> {
  /** the current one; `email` is the one that it was placed with */
  buyer_email: string;
  /** the order has other lines, which are not cancelled */
  is_part: boolean;
  carrier: string | null;
  tracking_number: string | null;
}

const ordersButton = { label: "My Orders", path: "/dashboard/orders" };
const toolsButton = { label: "See the tools", path: "/" };

/** Refunded to the card that paid with `transactionId`. */
type RefundEmail = PurchaseEmail & { refundCents: number; transactionId: string };

/** Specification, section 4: unpaid. If the email was delayed, the purchase may be paid or cancelled. */
export function purchasePlaced(data: PurchaseEmail): Email {
  const subject = `Order placed: ${quantityAndName(data)}, ${totalOf(data)}`;
  if (!isUnpaid(data.purchase))
    return renderEmail({
      ...commonContent(data),
      subject,
      preview: "We have received your order.",
      heading: "Your order is placed",
      paragraphs: ["We have received your order. My Orders shows its current status."],
      button: ordersButton,
    });
  const holdText =
    data.holdHours > 0
      ? `The tools are kept for you for ${formatDuration(data.holdHours)}; an order that is unpaid by then is cancelled.`
      : "The tools are kept for you until you pay or cancel.";
  return renderEmail({
    ...commonContent(data),
    subject,
    preview: "Your order is placed and awaits payment.",
    heading: "Your order is placed",
    paragraphs: [`Shipment starts after successful payment. ${holdText}`],
    button: payButton(data),
    note: "You can cancel the order under My Orders as long as it is unpaid.",
  });
}

export function purchasePaid(data: PurchaseEmail): Email {
  return renderEmail({
    ...commonContent(data, ["Transaction id", data.purchase.transaction_id ?? ""]),
    subject: `Payment received: ${quantityAndName(data)}, ${totalOf(data)}`,
    preview: `We received ${totalOf(data)}. Your order is being prepared for shipment.`,
    heading: "Your payment has arrived",
    paragraphs: [
      `We received ${totalOf(data)} and are preparing the order for shipment. Delivery takes 24 to 72 working hours.`,
    ],
    button: ordersButton,
    document: { label: "Invoice (PDF)", path: `/orders/${data.purchase.id}/invoice.pdf` },
  });
}

export function paymentFailed(data: PurchaseEmail): Email {
  const total = totalOf(data);
  return renderEmail({
    ...commonContent(data),
    subject: `Payment declined: ${quantityAndName(data)}, ${total}`,
    preview: "Your bank declined the payment. Nothing was charged, and the order is kept.",
    heading: "Your bank declined the payment",
    paragraphs: [
      `Your bank declined the payment of ${total}. Nothing was charged. The order is kept; pay it with another card, or contact your bank.`,
    ],
    button: payButton(data),
  });
}

export function purchaseShipped(data: PurchaseEmail): Email {
  const { transaction_id, carrier, tracking_number } = data.purchase;
  return renderEmail({
    ...commonContent(
      data,
      ["Transaction id", transaction_id ?? ""],
      ["Carrier", carrier ?? ""],
      ["Tracking number", tracking_number ?? ""],
    ),
    subject: `Shipped: ${quantityAndName(data)}, ${totalOf(data)}`,
    preview: "Your order has left the factory.",
    heading: "Your order has left the factory",
    paragraphs: [
      "Please check the number of cartons and the serial numbers against the packing list when it arrives.",
    ],
    button: ordersButton,
  });
}

export function purchaseCancelled(data: PurchaseEmail): Email {
  const isByAdmin = data.purchase.cancelled_because === "admin";
  const by = isByAdmin ? "by the store" : "as you asked";
  const unexpected = isByAdmin ? ["If you did not expect this, contact us with the order number."] : [];
  if (data.purchase.is_part)
    return renderEmail({
      ...commonContent(data),
      subject: `Line of order ${data.purchase.number} cancelled: ${quantityAndName(data)}, ${totalOf(data)}`,
      preview: `A line of your order was cancelled ${by}. Nothing was charged for it.`,
      heading: "A line of your order is cancelled",
      paragraphs: [
        `This line was cancelled ${by}. It was unpaid, so nothing was charged for it. The other lines of the order stay.`,
        ...unexpected,
      ],
      button: ordersButton,
    });
  return renderEmail({
    ...commonContent(data),
    subject: `Order cancelled: ${quantityAndName(data)}, ${totalOf(data)}`,
    preview: `Your order was cancelled ${by}. Nothing was charged.`,
    heading: "Your order is cancelled",
    paragraphs: [`The order was cancelled ${by}. It was unpaid, so nothing was charged.`, ...unexpected],
    button: toolsButton,
  });
}

export function purchaseExpired(data: PurchaseEmail): Email {
  return renderEmail({
    ...commonContent(data),
    subject: `Order expired: ${quantityAndName(data)}, ${totalOf(data)}`,
    preview: "The order was not paid in time and is cancelled. Nothing was charged.",
    heading: "Your order has expired",
    paragraphs: [
      `The order was not paid within ${formatDuration(data.holdHours)} and is cancelled. Nothing was charged. The tools can be ordered again while there is stock.`,
    ],
    button: toolsButton,
  });
}

export function purchaseExpiresSoon(data: PurchaseEmail): Email {
  const until = formatInstant(keptUntil(data.purchase.placed_at, data.holdHours));
  return renderEmail({
    ...commonContent(data, ["Pay until", until]),
    subject: `Order expires soon: ${quantityAndName(data)}, ${totalOf(data)}`,
    preview: `Pay until ${until} to keep the order.`,
    heading: "Your order is still unpaid",
    paragraphs: [`We keep the tools for you until ${until}. After that the order is cancelled.`],
    button: payButton(data),
  });
}

/** The payment arrived for a purchase that was already cancelled or paid. */
export function refundIssued(data: RefundEmail): Email {
  return renderEmail({
    ...commonContent(data, ["Transaction id", data.transactionId]),
    subject: `Refund of ${formatMoney(data.refundCents)}: ${quantityAndName(data)}`,
    preview: `${formatMoney(data.refundCents)} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `A payment of ${formatMoney(data.refundCents)} arrived for an order that was already cancelled or already paid. We refunded the whole amount to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
    button: toolsButton,
  });
}

export function refundMade(data: RefundEmail & { reason: string }): Email {
  const amount = formatMoney(data.refundCents);
  const part =
    data.refundCents === data.purchase.total_cents ? "the whole amount" : `${amount} of ${totalOf(data)}`;
  return renderEmail({
    ...commonContent(
      data,
      ["Transaction id", data.transactionId],
      ["Refund", amount],
      ["Reason", oneLine(data.reason, 500)],
    ),
    subject: `Refund of ${amount}: ${quantityAndName(data)}`,
    preview: `${amount} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `We refunded ${part} to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
    button: ordersButton,
  });
}

export function refundFailed(data: RefundEmail): Email {
  const amount = formatMoney(data.refundCents);
  return renderEmail({
    ...commonContent(data, ["Transaction id", data.transactionId], ["Refund", amount]),
    subject: `Your refund of ${amount} failed: ${quantityAndName(data)}`,
    preview: `Your bank returned the refund of ${amount}. We still owe it to you.`,
    heading: "Your refund failed",
    paragraphs: [
      `Your bank returned the refund of ${amount}; the card may have expired or been replaced. We still owe you this amount. We will try again or refund it another way, and email you then.`,
    ],
    button: toolsButton,
  });
}

export function refundRecorded(data: RefundEmail & { how: string }): Email {
  const amount = formatMoney(data.refundCents);
  return renderEmail({
    ...commonContent(data, ["Refund", amount], ["How", oneLine(data.how, 500)]),
    subject: `Manual refund of ${amount}: ${quantityAndName(data)}`,
    preview: `${amount} was refunded to you outside the card payment.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `Your bank returned the card refund of ${amount}, so we refunded it another way: see above.`,
    ],
    button: toolsButton,
  });
}

/** The parts that all emails about a purchase share; `more` goes into the title block. */
function commonContent({ purchase, publicUrl, sender }: PurchaseEmail, ...more: [string, string][]) {
  const { product_name, item_number, quantity, price_cents, total_cents, address } = purchase;
  return {
    publicUrl,
    sender,
    greeting: greeting(purchase.name),
    facts: [
      ["Product", item_number ? `${product_name}, ${item_number}` : product_name],
      ["Quantity", formatCount(quantity)],
      ["Price", formatMoney(price_cents)],
      ["Total", formatMoney(total_cents)],
      ["Ship to", address.trim().replace(/\s*\n\s*/g, ", ")],
      ...orderFacts(purchase),
      ...more,
    ],
  } satisfies Partial<EmailContent>;
}

function totalOf({ purchase }: PurchaseEmail): string {
  return formatMoney(purchase.total_cents);
}

function quantityAndName({ purchase }: PurchaseEmail): string {
  return `${formatCount(purchase.quantity)} × ${oneLine(purchase.product_name, 60)}`;
}

function payButton(data: PurchaseEmail) {
  return { label: `Pay ${totalOf(data)}`, path: `/dashboard/payment/${data.purchase.id}` };
}
