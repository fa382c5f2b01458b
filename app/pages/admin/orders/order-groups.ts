import { count } from "../../../components/format.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { unshippedPieces } from "./ship-purchase.ts";
import type { ListedPurchase } from "./use-orders.ts";

/** The maximum of a pick list, and of a bulk shipment. */
export const MAX_ORDERS = 100;

/** The selected lines of one order that can be shipped. */
export interface OrderToShip {
  orderId: string;
  number: number;
  buyer: string;
  poNumber?: string;
  disputed: boolean;
  lines: { purchaseId: string; quantity: number }[];
  pieces: number;
}

/** Groups selected lines by order; those that cannot be shipped are listed with the reason. */
export function groupToShip(rows: ListedPurchase[]): { orders: OrderToShip[]; leftOut: string[] } {
  const toShip = rows.filter((row) => fulfillmentStatusOf(row) === "paid");
  const orders = [...Map.groupBy(toShip, ({ orderId }) => orderId).values()].map((lines) => {
    const { orderId, orderNumber, name, poNumber } = lines[0] as ListedPurchase;
    const parts = lines.map((line) => ({ purchaseId: line._id, quantity: unshippedPieces(line) }));
    const pieces = parts.reduce((sum, { quantity }) => sum + quantity, 0);
    const disputed = lines.some((line) => line.disputed);
    const order = { orderId, number: orderNumber, buyer: name, disputed, lines: parts, pieces };
    return poNumber ? { ...order, poNumber } : order;
  });
  const skipped = rows.filter((row) => fulfillmentStatusOf(row) !== "paid");
  return { orders, leftOut: skipped.map(explainSkipped) };
}

const reasons = {
  unpaid: "is not paid",
  shipped: "is already shipped",
  refunded: "was refunded",
  paid: "can be shipped",
} as const;

function explainSkipped(row: ListedPurchase): string {
  const pieces = `${count(row.purchaseQuantity)} ${row.productName}`;
  return `Order ${row.orderNumber} of ${row.name}, ${pieces}, ${reasons[fulfillmentStatusOf(row)]}.`;
}
