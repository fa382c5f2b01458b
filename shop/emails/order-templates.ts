/** Emails about an order of several lines, sent once per event of the order, not per line. */
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { formatMoney } from "../money.ts";
import { keptUntil } from "../orders/entity.ts";
import { isUnpaid } from "../orders/rules.ts";
import { formatCount } from "../texts/format-count.ts";
import { formatDuration, formatInstant, greeting, orderFacts } from "./formatting.ts";
import { type Email, type EmailContent, oneLine, renderEmail, type Site } from "./layout.ts";

export interface OrderEmail extends Site {
  order: OrderRow;
  lines: PurchaseRow[];
  /** how long an unpaid order keeps its stock; 0: forever */
  holdHours: number;
  /** the order has other lines, which are not cancelled */
  isPart?: boolean;
}

export interface OrderShipped extends OrderEmail {
  shipment: {
    _id: string;
    number: number;
    carrier?: string | undefined;
    trackingNumber?: string | undefined;
    pieces: Map<string, number>;
  };
}

const MAX_LINES = 30;

/** If the email was delayed, lines of the order may be paid or cancelled. */
export function orderPlaced(data: OrderEmail): Email {
  const unpaid = data.lines.filter(isUnpaid);
  const holdText =
    data.holdHours > 0
      ? `The tools are kept for you for ${formatDuration(data.holdHours)}; what is unpaid by then is cancelled.`
      : "The tools are kept for you until you pay or cancel.";
  return renderEmail({
    ...commonContent(data),
    subject: `Order ${data.order.number} placed: ${summary(data)}`,
    heading: `Your order ${data.order.number} is placed`,
    ...(unpaid.length > 0
      ? {
          preview: "Your order is placed and awaits payment.",
          paragraphs: [`Shipment starts after successful payment. ${holdText}`],
          button: payButton({ ...data, lines: unpaid }),
          note: "You can cancel the order, or lines of it, under My Orders as long as it is unpaid.",
        }
      : {
          preview: "We have received your order.",
          paragraphs: ["We have received your order. Its page shows its current status."],
          button: orderButton(data),
        }),
    document: { label: "Order confirmation (PDF)", path: `/orders/${data.order.id}/confirmation.pdf` },
  });
}

export function orderPaid(data: OrderEmail & { invoice?: number | undefined }): Email {
  const total = formatMoney(totalCents(data));
  const number = data.invoice === undefined ? "" : `?number=${data.invoice}`;
  return renderEmail({
    ...commonContent(data, ["Transaction id", data.lines[0]?.transaction_id ?? ""]),
    subject: `Payment received: order ${data.order.number}, ${total}`,
    preview: `We received ${total}. Your order is being prepared for shipment.`,
    heading: "Your payment has arrived",
    paragraphs: [
      `We received ${total} and are preparing the order for shipment. Delivery takes 24 to 72 working hours.`,
    ],
    button: orderButton(data),
    document: { label: "Invoice (PDF)", path: `/orders/${data.order.id}/invoice.pdf${number}` },
  });
}

export function orderPaymentFailed(data: OrderEmail): Email {
  const total = formatMoney(totalCents(data));
  return renderEmail({
    ...commonContent(data),
    subject: `Payment declined: order ${data.order.number}, ${total}`,
    preview: "Your bank declined the payment. Nothing was charged, and the order is kept.",
    heading: "Your bank declined the payment",
    paragraphs: [
      `Your bank declined the payment of ${total}. Nothing was charged. The order is kept; pay it with another card, or contact your bank.`,
    ],
    button: payButton(data),
  });
}

export function orderShipped(data: OrderShipped): Email {
  const { _id: id, carrier = "", trackingNumber = "", number, pieces } = data.shipment;
  const count = [...pieces.values()].reduce((sum, quantity) => sum + quantity, 0);
  // of the pieces in this shipment, which may be some of a line
  const lines = data.lines.map((line) => {
    const quantity = pieces.get(line.id) ?? 0;
    return { ...line, quantity, total_cents: line.price_cents * quantity };
  });
  return renderEmail({
    ...commonContent(
      { ...data, lines },
      ["Shipment", String(number)],
      ["Carrier", carrier],
      ["Tracking number", trackingNumber],
    ),
    subject: `Shipped: ${formatCount(count)} ${count === 1 ? "piece" : "pieces"} of order ${data.order.number}`,
    preview: "A shipment of your order has left the factory.",
    heading: "A shipment has left the factory",
    paragraphs: [
      "Please check the number of cartons and the serial numbers against the packing list when it arrives.",
    ],
    button: orderButton(data),
    document: { label: "Packing slip (PDF)", path: `/shipments/${id}/packing-slip.pdf` },
  });
}

export function orderCancelled(data: OrderEmail): Email {
  const by = data.lines[0]?.cancelled_because === "admin" ? "by the store" : "as you asked";
  const why = `These lines were cancelled ${by}. They were unpaid, so nothing was charged for them.`;
  if (data.isPart)
    return renderEmail({
      ...commonContent(data),
      subject: `Lines of order ${data.order.number} cancelled: ${summary(data)}`,
      preview: `Lines of your order were cancelled ${by}. Nothing was charged for them.`,
      heading: "Lines of your order are cancelled",
      paragraphs: [`${why} The other lines of the order stay.`],
      button: orderButton(data),
    });
  return renderEmail({
    ...commonContent(data),
    subject: `Order ${data.order.number} cancelled: ${summary(data)}`,
    preview: `Your order was cancelled ${by}. Nothing was charged for it.`,
    heading: "Your order is cancelled",
    paragraphs: [why],
    button: orderButton(data),
  });
}

export function orderExpired(data: OrderEmail): Email {
  if (data.isPart)
    return renderEmail({
      ...commonContent(data),
      subject: `Lines of order ${data.order.number} expired: ${summary(data)}`,
      preview: "These lines were not paid in time and are cancelled. Nothing was charged for them.",
      heading: "Unpaid lines of your order have expired",
      paragraphs: [
        `These lines were not paid within ${formatDuration(data.holdHours)} and are cancelled. Nothing was charged for them. The other lines of the order stay. The tools can be ordered again while there is stock.`,
      ],
      button: orderButton(data),
    });
  return renderEmail({
    ...commonContent(data),
    subject: `Order ${data.order.number} expired: ${summary(data)}`,
    preview: "The order was not paid in time and is cancelled. Nothing was charged.",
    heading: "Your order has expired",
    paragraphs: [
      `The order was not paid within ${formatDuration(data.holdHours)} and is cancelled. Nothing was charged. The tools can be ordered again while there is stock.`,
    ],
    button: orderButton(data),
  });
}

export function orderExpiresSoon(data: OrderEmail): Email {
  const until = formatInstant(keptUntil(data.order.placed_at, data.holdHours));
  return renderEmail({
    ...commonContent(data, ["Pay until", until]),
    subject: `Order ${data.order.number} expires soon: ${summary(data)}`,
    preview: `Pay until ${until} to keep ${data.isPart ? "these lines" : "the order"}.`,
    heading: data.isPart ? "Lines of your order are still unpaid" : "Your order is still unpaid",
    paragraphs: [
      `We keep the tools for you until ${until}. After that ${data.isPart ? "these lines are" : "the order is"} cancelled.`,
    ],
    button: payButton(data),
  });
}

function commonContent(data: OrderEmail, ...more: [string, string][]) {
  const { order, lines } = data;
  const [first] = lines;
  return {
    publicUrl: data.publicUrl,
    sender: data.sender,
    greeting: greeting(first?.name ?? ""),
    facts: [
      ...orderFacts(order),
      ["Total", formatMoney(totalCents(data))],
      ["Ship to", (first?.address ?? "").trim().replace(/\s*\n\s*/g, ", ")],
      ...more,
    ],
    lines: shownLines(data),
  } satisfies Partial<EmailContent>;
}

function shownLines({ lines }: OrderEmail): { text: string; amount: string }[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => ({
    text: `${formatCount(line.quantity)} × ${oneLine(line.product_name, 80)}${line.item_number ? `, ${line.item_number}` : ""}`,
    amount: formatMoney(line.total_cents),
  }));
  const rest = lines.length - shown.length;
  if (rest > 0)
    shown.push({ text: `and ${formatCount(rest)} more ${rest === 1 ? "line" : "lines"}`, amount: "" });
  return shown;
}

function summary(data: OrderEmail): string {
  const lines = data.lines.length;
  return `${formatCount(lines)} ${lines === 1 ? "line" : "lines"}, ${formatMoney(totalCents(data))}`;
}

function totalCents({ lines }: OrderEmail): number {
  return lines.reduce((sum, line) => sum + line.total_cents, 0);
}

function payButton(data: OrderEmail) {
  return { label: `Pay ${formatMoney(totalCents(data))}`, path: `/dashboard/payment/${data.order.id}` };
}

function orderButton({ order }: OrderEmail) {
  return { label: "See the order", path: `/dashboard/order/${order.id}` };
}
