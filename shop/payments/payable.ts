import type { Request } from "../../api/contract.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { toCents } from "../money.ts";
import { purchaseRefusal } from "../orders/queries.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";

export type PaymentForm = Request<"createPaymentIntent">["body"];

export type Payable = Pick<
  PurchaseRow,
  "id" | "user_id" | "email" | "status" | "cancelled_at" | "total_cents" | "payments_opened"
>;

/** Named columns: a prepared statement that selects all fails once a migration adds one. */
const PAYABLE = "id, user_id, email, status, cancelled_at, total_cents, payments_opened";

/** In the order of their ids. */
export async function findPayable(store: Store, ids: string[]): Promise<Payable[]> {
  const { rows } = await store.pool.query<Payable>({
    name: "find-payable",
    text: `SELECT ${PAYABLE} FROM shop.purchase WHERE id = ANY ($1) ORDER BY id`,
    values: [ids],
  });
  return rows;
}

async function findPayableOfOrder(store: Store, id: string): Promise<Payable[]> {
  const { rows } = await store.pool.query<Payable>({
    name: "find-payable-of-order",
    text: `SELECT ${PAYABLE} FROM shop.purchase
     WHERE order_id IN ($1, (SELECT order_id FROM shop.purchase WHERE id = $1)) ORDER BY id`,
    values: [id],
  });
  return rows;
}

/** The purchases to pay, by id; refuses those that the buyer cannot pay. */
export async function findPurchasesToPay(
  store: Store,
  buyer: User,
  form: PaymentForm,
): Promise<Payable[] | Refusal> {
  if (form.orderId) return findUnpaidOfOrder(store, buyer, form.orderId);
  const ids = form.purchaseIds ?? (form.purchaseId ? [form.purchaseId] : null);
  if (!ids) return findUnpaidByTotal(store, buyer, form.total);
  const rows = await findPayable(store, ids);
  for (const id of ids) {
    const refusal = purchaseRefusal(
      rows.find((row) => row.id === id),
      buyer,
      true,
    );
    if (refusal) return refusal;
  }
  return rows;
}

async function findUnpaidOfOrder(store: Store, buyer: User, id: string): Promise<Payable[] | Refusal> {
  const all = await findPayableOfOrder(store, id);
  if (all.some(({ user_id }) => user_id !== buyer.id))
    return refuse("forbidden", orderRefusals.orderNotYours);
  const lines = all.filter((line) => !line.cancelled_at);
  if (lines.length === 0) return refuse("missing", orderRefusals.orderNotFound);
  const unpaid = lines.filter(({ status }) => status === "unpaid");
  return unpaid.length > 0 ? unpaid : refuse("conflict", paymentRefusals.alreadyPaid);
}

async function findUnpaidByTotal(store: Store, buyer: User, total: number): Promise<Payable[] | Refusal> {
  const { rows } = await store.pool.query<Payable>(
    `SELECT ${PAYABLE} FROM shop.purchase
     WHERE user_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL AND total_cents = $2 LIMIT 2`,
    [buyer.id, toCents(total) ?? 0],
  );
  if (!rows[0]) return refuseField("total", paymentRefusals.noPurchaseOfThisTotal);
  return rows.length === 1 ? rows : refuseField("purchaseId", paymentRefusals.severalPurchasesOfThisTotal);
}
