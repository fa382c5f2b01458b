/** What became of a purchase, as its own page tells it. */
import type { OrderEvent } from "../../api/order-calls.ts";
import type { PurchaseRow } from "./queries.ts";

/** The events of a purchase, oldest first; those that have not happened are left out. */
export function timelineOf(row: Pick<PurchaseRow, "placed_at" | "paid_at" | "shipped_at">): OrderEvent[] {
  const events: [OrderEvent["what"], Date | null][] = [
    ["placed", row.placed_at],
    ["paid", row.paid_at],
    ["shipped", row.shipped_at],
  ];
  return events.flatMap(([what, at]) => (at ? [{ what, at: at.toISOString() }] : []));
}
