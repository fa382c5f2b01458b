/** What a payment page charges for: one purchase, or the unpaid lines of an order. */
import type { Answer, CallName, Input } from "../../../api/contract.ts";
import type { Order, Purchase } from "../../../api/entities.ts";
import type { OrderDetails } from "../../../api/order-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { formatMoney, fromCents, toCents } from "../../../shop/money.ts";
import { refusals } from "../../../shop/texts/refusals.ts";

export type PayablePurchase = Answer<"findPayment">;

export interface PayableLines
  extends Pick<PayablePurchase, "_id" | "name" | "email" | "total" | "transactionId" | "keptUntil"> {
  number: number;
  status: Exclude<Order["status"], "cancelled">;
  /** the unpaid ones; all of them where none is unpaid */
  lines: PayableLine[];
}

type PayableLine = Pick<
  Purchase,
  "_id" | "productName" | "picture" | "itemNumber" | "purchaseQuantity" | "price" | "total"
>;

export type Payable = PayablePurchase | PayableLines;

/** A reading call: `call` in the browser, `ask` in a loader. */
type Ask = <Name extends CallName>(name: Name, input: Input<Name>) => Promise<Outcome<Answer<Name>>>;

/** By the id of a purchase, or the id or number of an order. */
export async function findPayable(ask: Ask, id: string): Promise<Outcome<Payable>> {
  const purchase = /^\d+$/.test(id) ? null : await ask("findPayment", { params: { id } });
  if (purchase && (purchase.ok || purchase.status !== 404)) return purchase;
  return findPayableOrder(ask, id);
}

/** By the id or number of an order; one with a single line left is that purchase. */
export async function findPayableOrder(ask: Ask, id: string): Promise<Outcome<Payable>> {
  const order = await ask("findOrderDetails", { params: { id } });
  if (!order.ok) return order;
  const { _id, number } = order.data;
  const [only, ...others] = order.data.lines.filter((line) => !line.cancelledAt);
  // the id of a cancelled purchase leads to its order too
  if (!only || ![_id, String(number)].includes(id))
    return { ok: false, status: 404, detail: refusals.purchaseNotFound };
  return others.length === 0
    ? ask("findPayment", { params: { id: only._id } })
    : { ok: true, data: toPayable(order.data) };
}

function toPayable(order: OrderDetails): PayableLines {
  const kept = order.lines.filter((line) => !line.cancelledAt);
  const unpaid = kept.filter((line) => line.status === "unpaid");
  const lines = unpaid.length > 0 ? unpaid : kept;
  const transactionId = kept.find((line) => line.transactionId)?.transactionId;
  return {
    _id: order._id,
    number: order.number,
    name: order.name,
    email: order.email,
    status: order.status as PayableLines["status"],
    total: fromCents(lines.reduce((cents, line) => cents + (toCents(line.total) ?? 0), 0)),
    ...(transactionId && { transactionId }),
    ...(order.keptUntil && { keptUntil: order.keptUntil }),
    lines: lines.map(({ _id, productName, picture, itemNumber, purchaseQuantity, price, total }) => ({
      ...{ _id, productName, picture, purchaseQuantity, price, total },
      ...(itemNumber && { itemNumber }),
    })),
  };
}

/** Why `due` is out of date: lines were cancelled or paid meanwhile. Null where the same amount is due. */
export function describeChange(due: Payable, now: Payable): string | null {
  if (due.total === now.total) return null;
  return `The order was changed. ${formatMoney(toCents(now.total) ?? 0)} is due now.`;
}
