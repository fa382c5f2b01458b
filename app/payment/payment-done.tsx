import { useEffect, useRef } from "react";
import { ButtonLink } from "../ui/button.tsx";
import { OrderTrack } from "../ui/order-track.tsx";
import { TransactionId } from "../ui/transaction-id.tsx";
import type { Due } from "./pay.ts";

interface PaymentDoneProps {
  id: string;
  status: Due["status"];
  transactionId: string;
  /** paid on this page just now, not some time before */
  justNow: boolean;
}

/** In place of the card form, once the order is paid. */
export function PaymentDone({ id, status, transactionId, justNow }: PaymentDoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (justNow) heading.current?.focus();
  }, [justNow]);
  return (
    <section className="panel po">
      <div className="panel__hd">
        <h2 className="t-h3" ref={heading} tabIndex={-1}>
          Payment
        </h2>
        <OrderTrack status={status} />
      </div>
      <div className="panel__bd">
        <p className="t-h3">{justNow ? "Your payment is complete." : "This order is paid."}</p>
        <div className="framed">
          <TransactionId id={transactionId} />
        </div>
        <p className="soft">
          {status === "shipped"
            ? "The order has left our works. Delivery takes 24 to 72 working hours."
            : "Shipment starts now. Delivery takes 24 to 72 working hours."}
        </p>
        <div className="acts acts--start">
          <ButtonLink to="/dashboard/orders">Back to My Orders</ButtonLink>
          <ButtonLink look="quiet" to={`/dashboard/order/${id}`}>
            View order
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
