import { useEffect, useState, useSyncExternalStore } from "react";
import type { Input } from "../../../../api/contract.ts";
import type { Purchase } from "../../../../api/entities.ts";
import { SHIP_UNDO_SECONDS } from "../../../../shop/orders/rules.ts";
import { messages } from "../../../../shop/texts/specification.ts";
import { toast } from "../../../components/toast.ts";
import { call, isDecided } from "../../../data/api-client.ts";
import type { CallOnce } from "../../../data/call-once.ts";
import { createListeners } from "../../../data/listeners.ts";
import { refreshUnshippedCount } from "./use-unshipped-count.ts";

interface Shipment {
  id: string;
  /** its pieces: "10 drills to Ada Buyer" */
  description: string;
  /** the shipment was undone, or no longer can be: reload the order */
  onUndone: (isUndone: boolean) => void;
}

/** The pieces of a line that are still to be shipped. */
export function unshippedPieces(line: Pick<Purchase, "purchaseQuantity" | "shippedPieces">): number {
  return line.purchaseQuantity - (line.shippedPieces ?? 0);
}

/** The shipments of this page that can be undone until `expiresAt`, by the local clock; the server decides. */
const undoable = new Map<string, Shipment & { expiresAt: number }>();
const listeners = createListeners();

interface PiecesToShip extends Omit<Shipment, "id"> {
  /** shows no toast: the bulk shipment shows one for all */
  quiet?: boolean;
  orderId: string;
  body: Input<"shipOrder">["body"];
  callOnce: CallOnce;
}

/** Ships pieces of the lines of an order as one shipment, which can be undone as a whole. */
export async function shipPieces({ callOnce, orderId, body, quiet, ...shipment }: PiecesToShip) {
  const response = await callOnce("shipOrder", { params: { id: orderId }, body });
  void refreshUnshippedCount();
  if (response.ok) addUndoable({ ...shipment, id: response.data._id }, quiet);
  return response;
}

function addUndoable(shipment: Shipment, quiet = false): void {
  undoable.set(shipment.id, { ...shipment, expiresAt: performance.now() + SHIP_UNDO_SECONDS * 1000 });
  listeners.notify();
  if (quiet) return;
  toast.success(messages.orders.shipped, {
    label: "Undo",
    name: `Undo the shipment of ${shipment.description}`,
    onPress: () => void undoShipment(shipment.id),
  });
}

interface PurchaseToShip extends Shipment {
  /** as the page shows it: another admin may have shipped a part meanwhile */
  seenShipped: number | undefined;
}

/** After a refusal, the state that the page shows may be outdated. */
export async function shipPurchase({
  seenShipped = 0,
  ...shipment
}: PurchaseToShip): Promise<"shipped" | "refused" | "no response"> {
  const response = await call("shipPurchase", { params: { id: shipment.id }, body: { seenShipped } });
  void refreshUnshippedCount();
  if (!response.ok) {
    toast.error(response.detail);
    return response.status === 0 ? "no response" : "refused";
  }
  if (response.data.modifiedCount === 0) return "refused";
  addUndoable(shipment);
  return "shipped";
}

/** Undoes a shipment of this page, and reports the outcome. */
export async function undoShipment(id: string): Promise<void> {
  const response = await call("undoShipment", { params: { id } });
  if (!response.ok) toast.error(response.detail);
  // can be retried
  if (!isDecided(response)) return;
  const shipment = undoable.get(id);
  undoable.delete(id);
  listeners.notify();
  void refreshUnshippedCount();
  if (response.ok) toast.success("Shipment undone. The buyer gets no email.");
  // 404: an earlier attempt undid it, whose response was lost
  shipment?.onUndone(response.ok || response.status === 404);
}

/** The shipment of an order of this page while it can be undone, and the remaining seconds. */
export function useUndoableShipment(id: string): (Shipment & { seconds: number }) | undefined {
  const shipment = useSyncExternalStore(
    listeners.subscribe,
    () => undoable.get(id),
    () => undefined,
  );
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!shipment) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [shipment]);
  const seconds = shipment ? Math.ceil((shipment.expiresAt - now) / 1000) : 0;
  return shipment && seconds > 0 ? { ...shipment, seconds } : undefined;
}
