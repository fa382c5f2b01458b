import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Panel } from "../../components/panel.tsx";
import { TransactionId } from "../../components/transaction-id.tsx";
import { PaymentOutcomeTitle } from "./payment-outcome-title.tsx";

interface PaymentPendingProps {
  transactionId: string;
  message: string;
  busy: boolean;
  onCheck: () => void;
}

/** The card is charged, but the store's response was lost: only checks again. */
export function PaymentPending({ transactionId, message, busy, onCheck }: PaymentPendingProps) {
  return (
    <Panel title={<PaymentOutcomeTitle justNow>Payment</PaymentOutcomeTitle>} strong>
      <p className="t-h3">Your card was charged.</p>
      <Notice kind="warn" icon="alert">
        <p>The store has not recorded it yet. {message}</p>
        <p>Do not pay again: the store records the payment within a minute.</p>
      </Notice>
      <div className="framed">
        <TransactionId id={transactionId} />
      </div>
      <div className="acts acts--start">
        <Button look="primary" icon="retry" busy={busy} onClick={onCheck}>
          Check status
        </Button>
      </div>
    </Panel>
  );
}
