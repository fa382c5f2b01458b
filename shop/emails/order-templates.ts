/** Emails about an order, or about some lines of it: one per event. */
import type { Shipment } from "../../api/order-calls.ts";
import { keptUntil } from "../orders/entity.ts";
import { isUnpaid } from "../orders/rules.ts";
import { formatDuration, formatInstant } from "./formatting.ts";
import type { Email } from "./layout.ts";
import {
  itemsOf,
  type OrderEmail,
  payButton,
  renderOrderEmail,
  totalOf,
  transactionFact,
} from "./order-content.ts";

/** Specification, section 4: unpaid. If the email was delayed, lines of the order may be paid or cancelled. */
export function orderPlaced(data: OrderEmail): Email {
  const due = { ...data, lines: data.lines.filter(isUnpaid) };
  const holdText =
    data.holdHours > 0
      ? `The tools are kept for you for ${formatDuration(data.holdHours)}; what is unpaid by then is cancelled.`
      : "The tools are kept for you until you pay or cancel.";
  return renderOrderEmail(data, {
    subject: `Order placed: ${itemsOf(data)}, ${totalOf(data)}`,
    heading: "Your order is placed",
    ...(due.lines.length > 0
      ? {
          preview: "Your order is placed and awaits payment.",
          paragraphs: [`Shipment starts after successful payment. ${holdText}`],
          button: payButton(due),
          note: "What is unpaid can be cancelled under My Orders.",
        }
      : {
          preview: "We have received your order.",
          paragraphs: ["We have received your order. My Orders shows its current status."],
        }),
    // of the lines that are left
    ...(data.lines.some((line) => !line.cancelled_at) && {
      document: { label: "Order confirmation (PDF)", path: `/orders/${data.order.id}/confirmation.pdf` },
    }),
  });
}

export function orderPaid(data: OrderEmail & { invoice: number | undefined }): Email {
  const number = data.invoice === undefined ? "" : `?number=${data.invoice}`;
  return renderOrderEmail(data, {
    facts: [transactionFact(data)],
    subject: `Payment received: ${itemsOf(data)}, ${totalOf(data)}`,
    preview: `We received ${totalOf(data)}. Your order is being prepared for shipment.`,
    heading: "Your payment has arrived",
    paragraphs: [
      `We received ${totalOf(data)} and are preparing the order for shipment. Delivery takes 24 to 72 working hours.`,
    ],
    document: { label: "Invoice (PDF)", path: `/orders/${data.order.id}/invoice.pdf${number}` },
  });
}

export function orderPaymentFailed(data: OrderEmail): Email {
  return renderOrderEmail(data, {
    subject: `Payment declined: ${itemsOf(data)}, ${totalOf(data)}`,
    preview: "Your bank declined the payment. Nothing was charged, and the order is kept.",
    heading: "Your bank declined the payment",
    paragraphs: [
      `Your bank declined the payment of ${totalOf(data)}. Nothing was charged. The order is kept; pay it with another card, or contact your bank.`,
    ],
    button: payButton(data),
  });
}

/** `isCorrected`: its tracking was corrected after the first email. */
export function orderShipped(data: OrderEmail & { shipment: Shipment; isCorrected?: boolean }): Email {
  const { _id, number, carrier = "", trackingNumber = "" } = data.shipment;
  const pieces = new Map(data.shipment.lines.map((line) => [line.purchaseId, line.quantity]));
  // of the pieces in this shipment, which may be some of a line
  const lines = data.lines.map((line) => {
    const quantity = pieces.get(line.id) ?? 0;
    return { ...line, quantity, total_cents: line.price_cents * quantity };
  });
  const shipped = { ...data, lines };
  return renderOrderEmail(shipped, {
    facts: [
      transactionFact(data),
      ["Shipment", String(number)],
      ["Carrier", carrier],
      ["Tracking number", trackingNumber],
    ],
    ...(data.isCorrected
      ? {
          subject: `Tracking corrected: ${itemsOf(shipped)}, ${totalOf(shipped)}`,
          preview: "The tracking number of a shipment of your order was corrected.",
          heading: "The tracking number was corrected",
        }
      : {
          subject: `Shipped: ${itemsOf(shipped)}, ${totalOf(shipped)}`,
          preview: "A shipment of your order has left the factory.",
          heading: "A shipment has left the factory",
        }),
    paragraphs: [
      ...(data.isCorrected ? [correctionOf(data.shipment)] : []),
      "Please check the number of cartons and the serial numbers against the packing list when it arrives.",
    ],
    document: { label: "Packing slip (PDF)", path: `/shipments/${_id}/packing-slip.pdf` },
  });
}

function correctionOf({ carrier, trackingNumber }: Shipment): string {
  return carrier || trackingNumber
    ? "This email has the current carrier and tracking number of the shipment. They replace those that we sent before."
    : "The carrier and tracking number that we sent before are not those of this shipment.";
}

export function orderCancelled(data: OrderEmail): Email {
  const isByAdmin = data.lines[0]?.cancelled_because === "admin";
  const cancelled = `${yourOrder(data)} was cancelled ${isByAdmin ? "by the store" : "as you asked"}.`;
  return renderOrderEmail(data, {
    subject: `${data.isPart ? "Cancelled" : "Order cancelled"}: ${itemsOf(data)}, ${totalOf(data)}`,
    preview: `${cancelled} Nothing was charged for it.`,
    heading: `${yourOrder(data)} is cancelled`,
    paragraphs: [
      `${cancelled} It was unpaid, so nothing was charged for it.${othersStay(data)}`,
      ...(isByAdmin ? ["If you did not expect this, contact us with the order number."] : []),
    ],
  });
}

export function orderExpired(data: OrderEmail): Email {
  return renderOrderEmail(data, {
    subject: `${data.isPart ? "Expired" : "Order expired"}: ${itemsOf(data)}, ${totalOf(data)}`,
    preview: `${yourOrder(data)} was not paid in time and is cancelled. Nothing was charged for it.`,
    heading: `${yourOrder(data)} has expired`,
    paragraphs: [
      `${yourOrder(data)} was not paid within ${formatDuration(data.holdHours)} and is cancelled. Nothing was charged for it.${othersStay(data)} The tools can be ordered again while there is stock.`,
    ],
  });
}

export function orderExpiresSoon(data: OrderEmail): Email {
  const until = formatInstant(keptUntil(data.order.placed_at, data.holdHours));
  return renderOrderEmail(data, {
    facts: [["Pay until", until]],
    subject: `${data.isPart ? "Expires soon" : "Order expires soon"}: ${itemsOf(data)}, ${totalOf(data)}`,
    preview: `Pay until ${until} to keep the tools.`,
    heading: `${yourOrder(data)} is still unpaid`,
    paragraphs: [`We keep the tools for you until ${until}. What is unpaid by then is cancelled.`],
    button: payButton(data),
  });
}

function yourOrder({ isPart }: OrderEmail): string {
  return isPart ? "Part of your order" : "Your order";
}

function othersStay({ isPart }: OrderEmail): string {
  return isPart ? " The other lines of the order stay." : "";
}
