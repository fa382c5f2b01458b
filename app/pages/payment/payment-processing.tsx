import { Button, ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Panel } from "../../components/panel.tsx";
import { PaymentOutcomeTitle } from "./payment-outcome-title.tsx";

interface PaymentProcessingProps {
  /** of the order; null if several are paid */
  id: string | null;
  message: string;
  busy: boolean;
  onCheck: () => void;
}

/** The bank has not decided yet: only checks again. */
export function PaymentProcessing({ id, message, busy, onCheck }: PaymentProcessingProps) {
  return (
    <Panel title={<PaymentOutcomeTitle justNow>Payment</PaymentOutcomeTitle>} strong>
      <div className="processing" role="status">
        <p className="t-h3">Your payment is being processed.</p>
        <Notice>{message}</Notice>
        <div className="acts acts--start">
          <Button look="primary" icon="retry" busy={busy} onClick={onCheck}>
            Check status
          </Button>
          {id && (
            <ButtonLink look="quiet" to={`/dashboard/order/${id}`}>
              View order
            </ButtonLink>
          )}
        </div>
      </div>
    </Panel>
  );
}
