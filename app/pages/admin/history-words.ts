/** How a change of the books reads: the columns of the tables in words, money in dollars. */
import { momentOf } from "../../ui/dates.ts";
import { count, dollars } from "../../ui/format.ts";

type Values = Record<string, unknown> | undefined;

const names: Record<string, string> = {
  price_cents: "price",
  total_cents: "total",
  amount_cents: "amount",
  minimum_order: "minimum order",
  transaction_id: "transaction",
  cancelled_because: "cancelled by",
  product_name: "tool",
  return_to_stock: "goods back to stock",
  provider_id: "card provider's id",
  settled_how: "how",
  archived_at: "deleted",
};
/** Told elsewhere in the row, or of no use to a reader. */
const hidden = new Set(["id", "product_id", "purchase_id", "payment_id", "version", "created_at", "origin"]);
const LONGEST = 80;

/** One line per value: "price: $12.50, then $13.75". */
export function wordsOfChange(before: Values, after: Values): string[] {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys
    .filter((key) => !hidden.has(key))
    .map((key) => {
      const [was, is] = [print(key, before?.[key]), print(key, after?.[key])];
      const name = names[key] ?? key.replaceAll("_", " ");
      if (was === "") return `${name}: ${is}`;
      return was === is ? `${name}: ${is}` : `${name}: ${was}, then ${is || "none"}`;
    });
}

const causes: Record<string, string> = { buyer: "the buyer", admin: "an admin", expired: "the time limit" };

function print(key: string, value: unknown): string {
  if (key === "cancelled_because") return causes[String(value)] ?? "";
  if (value === undefined || value === null) return "";
  if (key.endsWith("_at")) return momentOf(new Date(String(value)));
  if (key.endsWith("_cents") && typeof value === "number") return dollars(value / 100);
  if (typeof value === "number") return count(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
