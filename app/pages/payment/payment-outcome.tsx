import { type ReactNode, useEffect, useRef } from "react";
import { ActionButton } from "../../components/action-button.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { Panel } from "../../components/panel.tsx";
import { TransactionId } from "../../components/transaction-id.tsx";
import { fulfillmentStatusOf } from "../orders/fulfillment-status.ts";
import type { PayResult } from "./pay-order.ts";
import type { Payable } from "./payable.ts";

const DELIVERY_TIME = "Delivery takes 24 to 72 working hours.";
const deliveryTexts: Record<Payable["status"] | "refunded", string> = {
  unpaid: `Shipment starts after successful payment. ${DELIVERY_TIME}`,
  paid: `Shipment starts now. ${DELIVERY_TIME}`,
  partly_shipped: `A part of the order has left our factory. ${DELIVERY_TIME}`,
  shipped: `The order has left our factory. ${DELIVERY_TIME}`,
  refunded: "Nothing will be shipped.",
};

function statusOf(payable: Payable): Payable["status"] | "refunded" {
  const status = "lines" in payable ? payable.fulfillment : fulfillmentStatusOf(payable);
  return status ?? payable.status;
}

/** The outcome of the payment; null while the card form is shown. */
export function renderOutcome(
  payable: Payable,
  result: PayResult | null,
  onCheck: (transactionId: string) => Promise<void>,
): ReactNode {
  const isOneOrder = !("lines" in payable && "purchaseIds" in payable.covers);
  const viewOrder = isOneOrder && (
    <ButtonLink look="quiet" to={`/dashboard/order/${payable._id}`}>
      View order
    </ButtonLink>
  );
  const paid = result?.result === "paid" ? result : payable.status !== "unpaid" ? payable : null;
  if (paid) {
    const isNew = paid === result;
    const status = isNew ? paid.status : statusOf(payable);
    const fact = status === "refunded" ? "This order was refunded." : "This order is paid.";
    return (
      <OutcomePanel key="paid" isNew={isNew} aside={<OrderTrack status={status} />}>
        <p className="t-h3">{isNew ? "Your payment is complete." : fact}</p>
        <div className="framed">
          <TransactionId id={paid.transactionId ?? ""} />
        </div>
        <p className="soft">{deliveryTexts[status]}</p>
        <div className="acts acts--start">
          <ButtonLink to="/dashboard/orders">Back to My Orders</ButtonLink>
          {viewOrder}
        </div>
      </OutcomePanel>
    );
  }
  if (result?.result !== "processing" && result?.result !== "recording") return null;
  const { message, transactionId } = result;
  const checkStatus = (
    <ActionButton look="primary" icon="retry" onClick={() => onCheck(transactionId)}>
      Check status
    </ActionButton>
  );
  if (result.result === "processing")
    return (
      <OutcomePanel key="processing">
        <div className="processing" role="status">
          <p className="t-h3">Your payment is being processed.</p>
          <Notice>{message}</Notice>
          <div className="acts acts--start">
            {checkStatus}
            {viewOrder}
          </div>
        </div>
      </OutcomePanel>
    );
  return (
    <OutcomePanel key="recording">
      <p className="t-h3">Your card was charged.</p>
      <Notice kind="warn" icon="alert">
        <p>The store has not recorded it yet. {message}</p>
        <p>Do not pay again: the store records the payment within a minute.</p>
      </Notice>
      <div className="framed">
        <TransactionId id={transactionId} />
      </div>
      <div className="acts acts--start">{checkStatus}</div>
    </OutcomePanel>
  );
}

interface OutcomePanelProps {
  /** just reached: takes the focus of the removed button, and so is scrolled into view */
  isNew?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

function OutcomePanel({ isNew = true, aside, children }: OutcomePanelProps) {
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return (
    <Panel
      title={
        <span ref={title} tabIndex={-1}>
          Payment
        </span>
      }
      aside={aside}
      strong
    >
      {children}
    </Panel>
  );
}
