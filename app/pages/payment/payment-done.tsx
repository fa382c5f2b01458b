import { ButtonLink } from "../../components/button.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { Panel } from "../../components/panel.tsx";
import { TransactionId } from "../../components/transaction-id.tsx";
import type { Payable } from "./payable.ts";
import { PaymentOutcomeTitle } from "./payment-outcome-title.tsx";

interface PaymentDoneProps {
  /** of the order; null if several were paid */
  id: string | null;
  status: Payable["status"];
  transactionId: string;
  /** paid on this page just now */
  justNow: boolean;
}

const deliveryTexts: Record<Payable["status"], string> = {
  unpaid: "Shipment starts after successful payment.",
  paid: "Shipment starts now.",
  partly_shipped: "A part of the order has left our factory.",
  shipped: "The order has left our factory.",
};

export function PaymentDone({ id, status, transactionId, justNow }: PaymentDoneProps) {
  return (
    <Panel
      title={<PaymentOutcomeTitle justNow={justNow}>Payment</PaymentOutcomeTitle>}
      aside={<OrderTrack status={status} />}
      strong
    >
      <p className="t-h3">{justNow ? "Your payment is complete." : "This order is paid."}</p>
      <div className="framed">
        <TransactionId id={transactionId} />
      </div>
      <p className="soft">{deliveryTexts[status]} Delivery takes 24 to 72 working hours.</p>
      <div className="acts acts--start">
        <ButtonLink to="/dashboard/orders">Back to My Orders</ButtonLink>
        {id && (
          <ButtonLink look="quiet" to={`/dashboard/order/${id}`}>
            View order
          </ButtonLink>
        )}
      </div>
    </Panel>
  );
}
