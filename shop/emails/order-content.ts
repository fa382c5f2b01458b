/** What the emails about an order share. */
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { formatMoney } from "../money.ts";
import { formatCount } from "../texts/format-count.ts";
import { greeting } from "./formatting.ts";
import { type Email, type EmailContent, type Fact, oneLine, renderEmail, type Site } from "./layout.ts";

export interface OrderEmail extends Site {
  order: OrderRow;
  /** those that the email is about, at least one */
  lines: PurchaseRow[];
  /** the order has other lines, which are not cancelled */
  isPart: boolean;
  /** how long an unpaid order keeps its stock; 0: forever */
  holdHours: number;
}

type OrderContent = Omit<EmailContent, keyof Site | "greeting" | "lines">;

const MAX_LINES = 30;

/**
 * A single line is in the title block, before the other `facts`; several are a list.
 * The button leads to the order unless `content` has another.
 */
export function renderOrderEmail(data: OrderEmail, { facts = [], ...content }: OrderContent): Email {
  const { order, lines, publicUrl, sender } = data;
  const [first] = lines;
  const only = onlyLine(data);
  return renderEmail({
    button: orderButton(data),
    ...content,
    publicUrl,
    sender,
    greeting: greeting(first?.name ?? ""),
    facts: [
      ...(only ? lineFacts(only) : []),
      ["Total", totalOf(data)],
      ["Ship to", first?.address ?? ""],
      ["Order", String(order.number)],
      ["PO number", order.po_number],
      ...facts,
    ],
    lines: only ? [] : shownLines(lines),
  });
}

/** "10 × Drill", "10 × Drill of order 100001" if the order has other lines, or "3 lines of order 100001". */
export function itemsOf(data: OrderEmail): string {
  const only = onlyLine(data);
  const ofOrder = only && !data.isPart ? "" : ` of order ${data.order.number}`;
  const items = only
    ? `${formatCount(only.quantity)} × ${oneLine(only.product_name, 60)}`
    : `${formatCount(data.lines.length)} lines`;
  return items + ofOrder;
}

export function totalOf({ lines }: Pick<OrderEmail, "lines">): string {
  return formatMoney(lines.reduce((sum, line) => sum + line.total_cents, 0));
}

/** Several if the lines were paid separately. */
export function transactionFact({ lines }: OrderEmail): Fact {
  return ["Transaction id", [...new Set(lines.map((line) => line.transaction_id))].join(", ")];
}

export function payButton(data: OrderEmail) {
  return { label: `Pay ${totalOf(data)}`, path: `/dashboard/payment/${(onlyLine(data) ?? data.order).id}` };
}

/** An order of one line has no page once it is cancelled. */
function orderButton(data: OrderEmail) {
  if (onlyLine(data)?.cancelled_at && !data.isPart) return { label: "See the tools", path: "/" };
  return { label: "See the order", path: `/dashboard/order/${data.order.id}` };
}

function onlyLine({ lines }: OrderEmail): PurchaseRow | undefined {
  return lines.length === 1 ? lines[0] : undefined;
}

function lineFacts({ product_name, item_number, quantity, price_cents }: PurchaseRow): Fact[] {
  return [
    ["Product", item_number ? `${product_name}, ${item_number}` : product_name],
    ["Quantity", formatCount(quantity)],
    ["Price", formatMoney(price_cents)],
  ];
}

function shownLines(lines: PurchaseRow[]): { text: string; amount: string }[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => ({
    text: `${formatCount(line.quantity)} × ${oneLine(line.product_name, 80)}${line.item_number ? `, ${line.item_number}` : ""}`,
    amount: formatMoney(line.total_cents),
  }));
  const rest = lines.length - shown.length;
  if (rest > 0)
    shown.push({ text: `and ${formatCount(rest)} more ${rest === 1 ? "line" : "lines"}`, amount: "" });
  return shown;
}
