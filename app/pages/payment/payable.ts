/** The subject of a payment page: one purchase, the unpaid lines of an order, or several orders. */
import type { Output } from "../../../api/contract.ts";
import type { Order, Purchase } from "../../../api/entities.ts";
import type { OrderDetails } from "../../../api/order-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { fromCents } from "../../../shop/money.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { count, counted, dollars } from "../../components/format.ts";
import type { MakeCall } from "../../data/loader-context.ts";
import { sumCents } from "../orders/sum-cents.ts";

export type PayablePurchase = Output<"findPayment">;

export interface PayableLines
  extends Pick<PayablePurchase, "_id" | "name" | "email" | "total" | "transactionId" | "keptUntil" | "mine"> {
  /** the id in the path of the payment page */
  pathId: string;
  title: string;
  status: Exclude<Order["status"], "cancelled">;
  fulfillment?: Order["fulfillment"];
  covers: { orderId: string } | { purchaseIds: string[] };
  /** the unpaid lines of an order, or all if none is unpaid; or several orders */
  lines: PayableLine[];
}

interface PayableLine {
  _id: string;
  picture: string;
  name: string;
  note: string;
  total: number;
  /** of several orders: the ids of the others */
  others?: string;
}

export type Payable = PayablePurchase | PayableLines;

/** By the id of a purchase, the id or number of an order, or several of those with commas. */
export async function findPayable(call: MakeCall, id: string): Promise<Outcome<Payable>> {
  if (id.includes(",")) return findPayables(call, id.split(",").filter(Boolean));
  const purchase = /^\d+$/.test(id) ? null : await call("findPayment", { params: { id } });
  if (purchase && (purchase.ok || purchase.status !== 404)) return purchase;
  return findPayableOrder(call, id);
}

/** The unpaid ones, paid together; cancelled ones are omitted. */
async function findPayables(call: MakeCall, ids: string[]): Promise<Outcome<Payable>> {
  const outcomes = await Promise.all(
    [...new Set(ids)].slice(0, MAX_ORDERS).map((id) => findPayable(call, id)),
  );
  const failure = outcomes.find((outcome) => !outcome.ok && outcome.status !== 404);
  if (failure) return failure;
  const found = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.data] : []));
  const unpaid = found.filter(({ status }) => status === "unpaid");
  const shown = unpaid.length > 0 ? unpaid : found;
  const [first, second] = shown;
  if (!first) return outcomes[0] ?? { ok: false, status: 404, detail: refusals.purchaseNotFound };
  return { ok: true, data: second ? combinePayables(first, shown) : first };
}

/** Keeps the path well below the maximum length of a URL. */
export const MAX_ORDERS = 50;

function combinePayables(first: Payable, orders: Payable[]): PayableLines {
  const pathIds = orders.map(pathIdOf);
  const purchaseIds = orders.flatMap((order) =>
    "lines" in order ? order.lines.map(({ _id }) => _id) : [order._id],
  );
  const keptUntil = orders.flatMap((order) => order.keptUntil ?? []).sort()[0];
  return {
    // a payment can be confirmed with the id of any of its purchases
    _id: purchaseIds[0] ?? first._id,
    pathId: pathIds.join(),
    title: counted(orders.length, "order"),
    name: first.name,
    email: first.email,
    status: first.status,
    total: sumTotals(orders),
    ...(first.transactionId && { transactionId: first.transactionId }),
    ...(keptUntil && { keptUntil }),
    ...(orders.every(({ mine }) => mine) && { mine: true }),
    covers: { purchaseIds },
    lines: orders.map((order) => ({
      ...lineOf(order),
      others: pathIds.filter((pathId) => pathId !== pathIdOf(order)).join(),
    })),
  };
}

export function pathIdOf(payable: Payable): string {
  return "lines" in payable ? payable.pathId : payable._id;
}

function lineOf(order: Payable): PayableLine {
  const { _id, total } = order;
  if (!("lines" in order)) return { _id, total, ...describePurchase(order) };
  const lines = order.lines.length;
  const picture = order.lines[0]?.picture ?? "";
  return { _id, total, picture, name: order.title, note: counted(lines, "line") };
}

function describePurchase({
  productName,
  picture,
  purchaseQuantity,
  price,
}: Pick<Purchase, "productName" | "picture" | "purchaseQuantity" | "price">) {
  return { name: productName, picture, note: `${count(purchaseQuantity)} × ${dollars(price)}` };
}

function sumTotals(lines: { total: number }[]): number {
  return fromCents(sumCents(lines.map(({ total }) => total)));
}

/** By the id or number of an order; one with a single remaining line is that purchase. */
export async function findPayableOrder(call: MakeCall, id: string): Promise<Outcome<Payable>> {
  const order = await call("findOrderDetails", { params: { id } });
  if (!order.ok) return order;
  const { _id, number } = order.data;
  const [only, ...others] = order.data.lines.filter((line) => !line.cancelledAt);
  // the id of a cancelled purchase leads to its order too
  if (!only || ![_id, String(number)].includes(id))
    return { ok: false, status: 404, detail: refusals.purchaseNotFound };
  return others.length === 0
    ? call("findPayment", { params: { id: only._id } })
    : { ok: true, data: toPayable(order.data) };
}

function toPayable(order: OrderDetails): PayableLines {
  const activeLines = order.lines.filter((line) => !line.cancelledAt);
  const unpaid = activeLines.filter((line) => line.status === "unpaid");
  const lines = unpaid.length > 0 ? unpaid : activeLines;
  const transactionId = activeLines.find((line) => line.transactionId)?.transactionId;
  return {
    _id: order._id,
    pathId: String(order.number),
    title: `Order ${order.number}`,
    name: order.name,
    email: order.email,
    status: order.status as PayableLines["status"],
    fulfillment: order.fulfillment,
    total: sumTotals(lines),
    ...(transactionId && { transactionId }),
    ...(order.keptUntil && { keptUntil: order.keptUntil }),
    ...(order.mine && { mine: true }),
    covers: { orderId: order._id },
    lines: lines.map((line) => ({ _id: line._id, total: line.total, ...describePurchase(line) })),
  };
}
