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
import { findPayable, findPayableOrder, type Payable, pathIdOf } from "./payable.ts";

/**
 * `paid`: recorded. `declined`: the card was refused. `failed`: another failure; Pay can be pressed again.
 * `nothingToPay`: the order was paid or cancelled. `changed`: another amount is due. `signedOut`: the session has
 * ended. `recording`: the card is charged, and the store has not confirmed it yet. `processing`: the bank has not
 * decided yet.
 */
export type PayResult =
  | { result: "paid"; transactionId: string; status: Payable["status"] }
  | { result: "declined"; message: string; part?: CardPart | undefined }
  | { result: "failed"; message: string }
  | { result: "nothingToPay" | "changed"; message: string }
  | { result: "signedOut" }
  | { result: "recording" | "processing"; transactionId: string; message: string };

/** Reloads the order first, which may have been paid or cancelled meanwhile. */
export async function pay(payable: Payable, charger: CardCharger): Promise<PayResult> {
  const settled = await findPayResult(payable);
  if (settled) return settled;
  const covers = "lines" in payable ? payable.covers : { purchaseId: payable._id };
  const intent = await call("createPaymentIntent", { body: { total: payable.total, ...covers } });
  if (!intent.ok) {
    const isOutOfDate = intent.status === 409 || intent.fields?.total;
    return (isOutOfDate && (await findPayResult(payable))) || toPayResult(intent);
  }
  const charge = await charger.charge(intent.data.clientSecret, { name: payable.name, email: payable.email });
  if (charge.outcome === "declined")
    return { result: "declined", message: charge.message, part: charge.part };
  if (charge.outcome === "unknown") return { result: "failed", message: charge.message };
  return confirmPayment(payable, charge.transactionId);
}

/** Reports the transaction that paid the order. */
export async function confirmPayment(payable: Payable, transactionId: string): Promise<PayResult> {
  const body = { transactionId, buyer: payable.email };
  const confirmed = await call("confirmPayment", { params: { id: payable._id }, body });
  if (confirmed.ok) return { result: "paid", transactionId: confirmed.data.transactionId, status: "paid" };
  if (confirmed.status === 401) return { result: "signedOut" };
  if (confirmed.status === 404 || confirmed.status === 409) {
    return (await findPayResult(payable)) ?? explainRefusal(confirmed, transactionId);
  }
  // the webhook may have reported it already
  const current = await findPayResult(payable);
  return current?.result === "paid"
    ? current
    : { result: "recording", transactionId, message: confirmed.detail };
}

function explainRefusal({ code, detail: message }: Failure, transactionId: string): PayResult {
  if (code === "payment_processing") return { result: "processing", transactionId, message };
  return { result: code === "payment_not_succeeded" ? "failed" : "nothingToPay", message };
}

/** Null while the order can be paid, also if the store cannot be reached. */
async function findPayResult(payable: Payable): Promise<PayResult | null> {
  const isOrder = "lines" in payable && "orderId" in payable.covers;
  const outcome = await (isOrder ? findPayableOrder : findPayable)(call, pathIdOf(payable));
  if (!outcome.ok) {
    if (outcome.status === 401) return { result: "signedOut" };
    return outcome.status === 404 ? { result: "nothingToPay", message: outcome.detail } : null;
  }
  const { status, transactionId, total } = outcome.data;
  if (status !== "unpaid" && transactionId) return { result: "paid", transactionId, status };
  if (payable.total === total) return null;
  // lines were cancelled or paid meanwhile
  return { result: "changed", message: `The order was changed. ${dollars(total)} is due now.` };
}

function toPayResult({ status, detail, fields }: Failure): PayResult {
  if (status === 401) return { result: "signedOut" };
  if (status === 404) return { result: "nothingToPay", message: detail };
  if (status === 0) return { result: "failed", message: refusals.offline };
  return { result: "failed", message: fields?.total ?? detail };
}
