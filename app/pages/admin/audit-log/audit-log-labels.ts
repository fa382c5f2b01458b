/** Formats changes of the audit log: labels for columns, dollars for money. */
import { formatDateTime } from "../../../components/dates.ts";
import { count, dollars } from "../../../components/format.ts";

type Values = Record<string, unknown> | undefined;

const labels: Record<string, string> = {
  price_cents: "price",
  total_cents: "total",
  amount_cents: "amount",
  minimum_order: "minimum order",
  transaction_id: "transaction",
  cancelled_because: "cancelled by",
  product_name: "tool",
  return_to_stock: "restock",
  provider_id: "payment provider's id",
  settled_how: "how",
  archived_at: "deleted",
};
/** Shown elsewhere in the row, or internal. */
const hiddenColumns = new Set([
  "id",
  "product_id",
  "purchase_id",
  "payment_id",
  "user_id",
  "order_id",
  "customer_id",
  "ship_to_digest",
  "version",
  "created_at",
  "origin",
]);
const MAX_LENGTH = 80;
/** characters shown before the first difference */
const CONTEXT_LENGTH = 30;

/** One line per value: "price: $12.50, then $13.75"; of long values the part around the first difference. */
export function describeChange(before: Values, after: Values, zone: string): string[] {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys
    .filter((key) => !hiddenColumns.has(key))
    .flatMap((key) => {
      const [was, is] = [formatValue(key, before?.[key], zone), formatValue(key, after?.[key], zone)];
      if (was === "" && is === "") return [];
      const name = labels[key] ?? key.replaceAll("_", " ");
      if (was === "" || was === is) return `${name}: ${truncate(is, 0)}`;
      const from = differenceStart(was, is);
      return `${name}: ${truncate(was, from)}, then ${truncate(is, from) || "none"}`;
    });
}

const cancellationCauses: Record<string, string> = {
  buyer: "the buyer",
  admin: "an admin",
  expired: "the time limit",
};

/** the states of a refund that have another name in SQL (docs/glossary.md) */
const refundStatuses: Record<string, string> = {
  due: "pending",
  done: "completed",
  settled: "refunded manually",
};

function formatValue(key: string, value: unknown, zone: string): string {
  if (key === "price_breaks") return Array.isArray(value) ? value.map(formatPriceBreak).join("; ") : "";
  if (key === "cancelled_because") return cancellationCauses[String(value)] ?? "";
  if (value === undefined || value === null) return "";
  if (key === "status") return refundStatuses[String(value)] ?? String(value);
  if (key.endsWith("_at")) return formatDateTime(new Date(String(value)), zone);
  if (key.endsWith("_cents") && typeof value === "number") return dollars(value / 100);
  if (typeof value === "number") return count(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? formatParts(value) : String(value);
}

function formatPriceBreak({ quantity, price_cents }: { quantity: number; price_cents: number }): string {
  return `from ${count(quantity)} ${dollars(price_cents / 100)}`;
}

/** Technical data, a box or a size: "Width: 82 mm; Weight: 2.1 kg". */
function formatParts(parts: object): string {
  if (!Array.isArray(parts))
    return formatParts(Object.entries(parts).map(([name, value]) => ({ name, value })));
  return parts.map((part) => (typeof part === "object" ? `${part.name}: ${part.value}` : part)).join("; ");
}

/** Where to truncate two texts so that both show their first difference with some context. */
function differenceStart(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return same < MAX_LENGTH - CONTEXT_LENGTH ? 0 : same - CONTEXT_LENGTH;
}

function truncate(text: string, from: number): string {
  // without half of an emoji at its ends
  const part = text.slice(from, from + MAX_LENGTH).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 && part ? "…" : ""}${part}${from + MAX_LENGTH < text.length ? "…" : ""}`;
}
