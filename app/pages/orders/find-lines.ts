import type { Order, Purchase } from "../../../api/entities.ts";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";

/** The lines of an order, without cancelled ones; null after a failure, which a toast reports. */
export async function findLinesOf({ _id, lines, lineCount }: Order): Promise<Purchase[] | null> {
  if (lines.length === lineCount) return lines;
  const found = await call("findOrderDetails", { params: { id: _id } });
  if (found.ok) return found.data.lines.filter((line) => !line.cancelledAt);
  toast.error(found.detail);
  return null;
}
