/** Amounts are in cents. */
import { formatMoney } from "../money.ts";
import { formatCount } from "../texts/format-count.ts";
import { formatDuration, formatInstant, greeting } from "./formatting.ts";
import { absoluteLink, type Email, type EmailContent, oneLine, renderEmail, type Site } from "./layout.ts";

export interface PurchaseEmail extends Site {
  purchaseId: string;
  orderNumber: number;
  buyerName: string;
  productName: string;
  itemNumber?: string | null;
  quantity: number;
  priceCents: number;
  totalCents: number;
  address: string;
}

/** Refunded to the card that paid with `transactionId`. */
type RefundEmail = PurchaseEmail & { refundCents: number; transactionId: string };

/**
 * Specification, section 4: unpaid. `holdHours`: how long an unpaid purchase keeps its stock; 0: forever. If the email
 * was delayed, the purchase may be paid or cancelled.
 */
export function purchasePlaced(data: PurchaseEmail & { holdHours: number; isToBePaid?: boolean }): Email {
  const subject = `Order placed: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`;
  if (data.isToBePaid === false)
    return renderEmail({
      ...commonContent(data),
      subject,
      preview: "We have received your order.",
      heading: "Your order is placed",
      paragraphs: ["We have received your order. My Orders shows its current status."],
      button: ordersButton(data),
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
    button: { label: `Pay ${formatMoney(data.totalCents)}`, href: payPage(data) },
    note: "You can cancel the order under My Orders as long as it is unpaid.",
  });
}

export function purchasePaid(data: PurchaseEmail & { transactionId: string }): Email {
  return renderEmail({
    ...commonContent(data, { label: "Transaction id", value: data.transactionId }),
    subject: `Payment received: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
    preview: `We received ${formatMoney(data.totalCents)}. Your order is being prepared for shipment.`,
    heading: "Your payment has arrived",
    paragraphs: [
      `We received ${formatMoney(data.totalCents)} and are preparing the order for shipment. Delivery takes 24 to 72 working hours.`,
    ],
    button: ordersButton(data),
    document: {
      label: "Invoice (PDF)",
      href: absoluteLink(data.publicUrl, `/orders/${data.purchaseId}/invoice.pdf`),
    },
  });
}

export function paymentFailed(data: PurchaseEmail): Email {
  const total = formatMoney(data.totalCents);
  return renderEmail({
    ...commonContent(data),
    subject: `Payment declined: ${quantityAndName(data)}, ${total}`,
    preview: "Your bank declined the payment. Nothing was charged, and the order is kept.",
    heading: "Your bank declined the payment",
    paragraphs: [
      `Your bank declined the payment of ${total}. Nothing was charged. The order is kept; pay it with another card, or contact your bank.`,
    ],
    button: { label: `Pay ${total}`, href: payPage(data) },
  });
}

export function purchaseShipped(
  data: PurchaseEmail & { transactionId: string; carrier?: string; trackingNumber?: string },
): Email {
  const { transactionId, carrier = "", trackingNumber = "" } = data;
  return renderEmail({
    ...commonContent(
      data,
      { label: "Transaction id", value: transactionId },
      { label: "Carrier", value: carrier },
      { label: "Tracking number", value: trackingNumber },
    ),
    subject: `Shipped: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
    preview: "Your order has left the factory.",
    heading: "Your order has left the factory",
    paragraphs: [
      "Please check the number of cartons and the serial numbers against the packing list when it arrives.",
    ],
    button: ordersButton(data),
  });
}

/** `isPart`: the order has other lines, which are not cancelled. */
export function purchaseCancelled(
  data: PurchaseEmail & { cancelledBy: "buyer" | "admin"; isPart?: boolean },
): Email {
  const by = data.cancelledBy === "buyer" ? "as you asked" : "by the store";
  const unexpected =
    data.cancelledBy === "admin" ? ["If you did not expect this, contact us with the order number."] : [];
  if (data.isPart)
    return renderEmail({
      ...commonContent(data),
      subject: `Line of order ${data.orderNumber} cancelled: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
      preview: `A line of your order was cancelled ${by}. Nothing was charged for it.`,
      heading: "A line of your order is cancelled",
      paragraphs: [
        `This line was cancelled ${by}. It was unpaid, so nothing was charged for it. The other lines of the order stay.`,
        ...unexpected,
      ],
      button: ordersButton(data),
    });
  return renderEmail({
    ...commonContent(data),
    subject: `Order cancelled: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
    preview: `Your order was cancelled ${by}. Nothing was charged.`,
    heading: "Your order is cancelled",
    paragraphs: [`The order was cancelled ${by}. It was unpaid, so nothing was charged.`, ...unexpected],
    button: toolsButton(data),
  });
}

export function purchaseExpired(data: PurchaseEmail & { holdHours: number }): Email {
  return renderEmail({
    ...commonContent(data),
    subject: `Order expired: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
    preview: "The order was not paid in time and is cancelled. Nothing was charged.",
    heading: "Your order has expired",
    paragraphs: [
      `The order was not paid within ${formatDuration(data.holdHours)} and is cancelled. Nothing was charged. The tools can be ordered again while there is stock.`,
    ],
    button: toolsButton(data),
  });
}

export function purchaseExpiresSoon(data: PurchaseEmail & { expiresAt: Date }): Email {
  const until = formatInstant(data.expiresAt);
  return renderEmail({
    ...commonContent(data, { label: "Pay until", value: until }),
    subject: `Order expires soon: ${quantityAndName(data)}, ${formatMoney(data.totalCents)}`,
    preview: `Pay until ${until} to keep the order.`,
    heading: "Your order is still unpaid",
    paragraphs: [`We keep the tools for you until ${until}. After that the order is cancelled.`],
    button: { label: `Pay ${formatMoney(data.totalCents)}`, href: payPage(data) },
  });
}

/** The payment arrived for a purchase that was already cancelled or paid. */
export function refundIssued(data: RefundEmail): Email {
  return renderEmail({
    ...commonContent(data, { label: "Transaction id", value: data.transactionId }),
    subject: `Refund of ${formatMoney(data.refundCents)}: ${quantityAndName(data)}`,
    preview: `${formatMoney(data.refundCents)} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `A payment of ${formatMoney(data.refundCents)} arrived for an order that was already cancelled or already paid. We refunded the whole amount to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
    button: toolsButton(data),
  });
}

export function refundMade(data: RefundEmail & { reason: string }): Email {
  const amount = formatMoney(data.refundCents);
  const part =
    data.refundCents === data.totalCents
      ? "the whole amount"
      : `${amount} of ${formatMoney(data.totalCents)}`;
  return renderEmail({
    ...commonContent(
      data,
      { label: "Transaction id", value: data.transactionId },
      { label: "Refund", value: amount },
      { label: "Reason", value: oneLine(data.reason, 500) },
    ),
    subject: `Refund of ${amount}: ${quantityAndName(data)}`,
    preview: `${amount} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `We refunded ${part} to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
    button: ordersButton(data),
  });
}

export function refundFailed(data: RefundEmail): Email {
  const amount = formatMoney(data.refundCents);
  return renderEmail({
    ...commonContent(
      data,
      { label: "Transaction id", value: data.transactionId },
      { label: "Refund", value: amount },
    ),
    subject: `Your refund of ${amount} failed: ${quantityAndName(data)}`,
    preview: `Your bank returned the refund of ${amount}. We still owe it to you.`,
    heading: "Your refund failed",
    paragraphs: [
      `Your bank returned the refund of ${amount}; the card may have expired or been replaced. We still owe you this amount. We will try again or refund it another way, and email you then.`,
    ],
    button: toolsButton(data),
  });
}

export function refundRecorded(data: RefundEmail & { how: string }): Email {
  const amount = formatMoney(data.refundCents);
  return renderEmail({
    ...commonContent(
      data,
      { label: "Refund", value: amount },
      { label: "How", value: oneLine(data.how, 500) },
    ),
    subject: `Manual refund of ${amount}: ${quantityAndName(data)}`,
    preview: `${amount} was refunded to you outside the card payment.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `Your bank returned the card refund of ${amount}, so we refunded it another way: see above.`,
    ],
    button: toolsButton(data),
  });
}

/** The parts that all emails about a purchase share; `more` goes into the title block. */
function commonContent(data: PurchaseEmail, ...more: { label: string; value: string }[]) {
  const item = data.itemNumber ? `${data.productName}, ${data.itemNumber}` : data.productName;
  return {
    publicUrl: data.publicUrl,
    sender: data.sender,
    greeting: greeting(data.buyerName),
    facts: [
      { label: "Product", value: item },
      { label: "Quantity", value: formatCount(data.quantity) },
      { label: "Price", value: formatMoney(data.priceCents) },
      { label: "Total", value: formatMoney(data.totalCents) },
      { label: "Ship to", value: data.address.trim().replace(/\s*\n\s*/g, ", ") },
      { label: "Order", value: String(data.orderNumber) },
      ...more,
    ],
  } satisfies Partial<EmailContent>;
}

function quantityAndName(data: PurchaseEmail): string {
  return `${formatCount(data.quantity)} × ${oneLine(data.productName, 60)}`;
}

function payPage(data: PurchaseEmail): string {
  return absoluteLink(data.publicUrl, `/dashboard/payment/${encodeURIComponent(data.purchaseId)}`);
}

function ordersButton(data: PurchaseEmail) {
  return { label: "My Orders", href: absoluteLink(data.publicUrl, "/dashboard/orders") };
}

function toolsButton(data: PurchaseEmail) {
  return { label: "See the tools", href: absoluteLink(data.publicUrl, "/") };
}
