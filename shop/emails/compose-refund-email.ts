import type { RefundState } from "../orders/states.ts";
import type { Store } from "../store.ts";
import type { Email } from "./layout.ts";
import type { OrderEmail } from "./order-content.ts";
import { refundFailed, refundIssued, refundMade, refundRecorded } from "./refund-templates.ts";

export interface RefundEmailJob {
  mail: "refundIssued" | "refundReturned" | "refundSettled";
  purchaseId: string;
  refundId: string;
}

/** The state that each email reports: by the time it is sent, the refund may have another one. */
const reportedStates: Record<RefundEmailJob["mail"], RefundState> = {
  refundIssued: "done",
  refundReturned: "failed",
  refundSettled: "settled",
};

interface RefundRow {
  status: RefundState;
  amount_cents: number;
  payment_id: string;
  origin: "late" | "admin" | "provider";
  reason: string;
  settled_how: string | null;
}

/** From the refund, not the purchase, which another payment or none may have paid. Null once its state has changed. */
export async function refundEmail(
  store: Store,
  { mail, refundId }: RefundEmailJob,
  data: OrderEmail,
): Promise<Email | null> {
  const { rows } = await store.pool.query<RefundRow>(
    "SELECT status, amount_cents, payment_id, origin, reason, settled_how FROM shop.refund WHERE id = $1",
    [refundId],
  );
  const [refund] = rows;
  if (!refund) throw new Error(`The refund ${refundId} of a ${mail} email does not exist.`);
  if (refund.status !== reportedStates[mail]) return null;
  const refundData = { ...data, refundCents: refund.amount_cents, transactionId: refund.payment_id };
  if (mail === "refundReturned") return refundFailed(refundData);
  if (mail === "refundSettled") return refundRecorded({ ...refundData, how: refund.settled_how ?? "" });
  return refund.origin === "late"
    ? refundIssued(refundData)
    : refundMade({ ...refundData, reason: refund.reason });
}
