/**
 * One payment from the click on Pay to the recorded transaction (specification, sections 7 and 8). Every step is
 * idempotent: the store returns the same payment again, a succeeded one is not charged twice, and it is recorded
 * once.
 */
import type { Failure } from "../../../api/outcome.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { dollars } from "../../components/format.ts";
import { call } from "../../data/api-client.ts";
import type { CardCharger, CardPart } from "./card-charger.ts";
import { addressOf, findPayable, findPayableOrder, type Payable } from "./payable.ts";

/**
 * `paid`: recorded. `card`: the card was refused. `failed`: another failure; Pay can be pressed again. `gone`:
 * nothing left to pay. `changed`: another amount is due. `recording`: the card is charged, and the store has not
 * confirmed it yet. `processing`: the bank has not decided yet.
 */
export type PayResult =
  | { result: "paid"; transactionId: string; status: Payable["status"] }
  | { result: "card"; message: string; part?: CardPart | undefined }
  | { result: "failed"; message: string }
  | { result: "gone" | "changed"; message: string }
  | { result: "ended" }
  | { result: "recording" | "processing"; transactionId: string; message: string };

/** Reloads the order first, which may have been paid or cancelled meanwhile. */
export async function pay(due: Payable, charger: CardCharger): Promise<PayResult> {
  const before = await fetchPayment(due);
  if (before) return before;
  const covers = "lines" in due ? due.covers : { purchaseId: due._id };
  const opened = await call("createPaymentIntent", { body: { total: due.total, ...covers } });
  if (!opened.ok) {
    const isOutOfDate = opened.status === 409 || opened.fields?.total;
    return (isOutOfDate && (await fetchPayment(due))) || refused(opened);
  }
  const charge = await charger.charge(opened.data.clientSecret, { name: due.name, email: due.email });
  if (charge.outcome === "declined") return { result: "card", message: charge.message, part: charge.part };
  if (charge.outcome === "unknown") return { result: "failed", message: charge.message };
  return confirmPayment(due, charge.transactionId);
}

/** Reports the transaction that paid the order. */
export async function confirmPayment(due: Payable, transactionId: string): Promise<PayResult> {
  const body = { transactionId, buyer: due.email };
  const confirmed = await call("confirmPayment", { params: { id: due._id }, body });
  if (confirmed.ok) return { result: "paid", transactionId: confirmed.data.transactionId, status: "paid" };
  if (confirmed.status === 401) return { result: "ended" };
  if (confirmed.status === 404 || confirmed.status === 409) {
    return (await fetchPayment(due)) ?? explainRefusal(confirmed.detail, transactionId);
  }
  // The webhook may have reported it already.
  const now = await fetchPayment(due);
  return now?.result === "paid" ? now : { result: "recording", transactionId, message: confirmed.detail };
}

function explainRefusal(message: string, transactionId: string): PayResult {
  if (message === refusals.paymentProcessing) return { result: "processing", transactionId, message };
  return { result: message === refusals.transactionNotSucceeded ? "failed" : "gone", message };
}

/** Null while the order can be paid, also if the store cannot be reached. */
async function fetchPayment(due: Payable): Promise<PayResult | null> {
  const isOrder = "lines" in due && "orderId" in due.covers;
  const found = await (isOrder ? findPayableOrder : findPayable)(call, addressOf(due));
  if (!found.ok) {
    if (found.status === 401) return { result: "ended" };
    return found.status === 404 ? { result: "gone", message: found.detail } : null;
  }
  const { status, transactionId, total } = found.data;
  if (status !== "unpaid" && transactionId) return { result: "paid", transactionId, status };
  if (due.total === total) return null;
  // lines were cancelled or paid meanwhile
  return { result: "changed", message: `The order was changed. ${dollars(total)} is due now.` };
}

function refused({ status, detail, fields }: Failure): PayResult {
  if (status === 401) return { result: "ended" };
  if (status === 404) return { result: "gone", message: detail };
  if (status === 0) return { result: "failed", message: refusals.offline };
  return { result: "failed", message: fields?.total ?? detail };
}
