/** The questions before a line or an order is cancelled. */
import type { Order, Purchase } from "../../../api/entities.ts";
import { cancelProblem } from "../../../shop/orders/rules.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { count, dollars } from "../../components/format.ts";
import { call } from "../../data/api-client.ts";
import type { CancelQuestion } from "./cancel-dialog.tsx";
import { formatPieces } from "./order-wording.ts";

export function cancelLineQuestion(line: Purchase & { cancelledAt?: string | undefined }): CancelQuestion {
  return {
    id: line._id,
    title: `Cancel the line of ${formatPieces(line.purchaseQuantity, line.productName)}?`,
    text: `The line is unpaid. ${dollars(line.total)} will not be charged. The other lines stay as they are.`,
    keep: "Keep line",
    confirm: "Cancel line",
    problem: line.cancelledAt ? refusals.purchaseNotFound : cancelProblem(line.status),
    success: "Line cancelled",
    send: () => call("cancelPurchase", { params: { id: line._id } }),
  };
}

/** About an order of one line (specification, section 7). */
export function cancelPurchaseQuestion(purchase: Purchase): CancelQuestion {
  return {
    id: purchase._id,
    title: `Cancel the order for ${formatPieces(purchase.purchaseQuantity, purchase.productName)}?`,
    text: `The order is unpaid and will be deleted. ${dollars(purchase.total)} will not be charged.`,
    keep: "Keep order",
    confirm: labels.orders.cancel,
    problem: cancelProblem(purchase.status),
    success: messages.orders.cancelled,
    send: () => call("cancelPurchase", { params: { id: purchase._id } }),
  };
}

/** For an admin, about a buyer's order of one line. */
export function cancelBuyersPurchaseQuestion(purchase: Purchase): CancelQuestion {
  return {
    ...cancelPurchaseQuestion(purchase),
    title: `Cancel the order of ${count(purchase.purchaseQuantity)}\u00a0×\u00a0${purchase.productName}?`,
    text: `The order of ${purchase.name} is deleted, its pieces are restocked, and ${purchase.email} gets an email. This cannot be undone.`,
  };
}

/** About the unpaid lines of an order of several. */
export function cancelOrderQuestion({ _id, number, status, total, due = 0 }: Order): CancelQuestion {
  const isPartlyPaid = due < total;
  return {
    id: _id,
    title: isPartlyPaid ? `Cancel the unpaid lines of order ${number}?` : `Cancel order ${number}?`,
    text: `${isPartlyPaid ? "Its paid lines stay. For the others" : "The order is unpaid."} ${dollars(due)} will not be charged.`,
    keep: "Keep order",
    confirm: labels.orders.cancel,
    problem: problemOf(status),
    success: messages.orders.cancelled,
    send: () => call("cancelOrder", { params: { id: _id } }),
  };
}

function problemOf(status: Order["status"]): string | null {
  if (status === "cancelled") return refusals.purchaseNotFound;
  return cancelProblem(status === "partly_shipped" ? "shipped" : status);
}
