import { Button, ButtonLink } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface BankAtWorkProps {
  id: string;
  message: string;
  busy: boolean;
  onCheck: () => void;
}

/** The card was taken, but its bank has not decided yet: nothing to pay again, only to look again. */
export function BankAtWork({ id, message, busy, onCheck }: BankAtWorkProps) {
  return (
    <section className="panel po">
      <div className="panel__hd">
        <h2 className="t-h3">Payment</h2>
      </div>
      <div className="panel__bd" role="status">
        <p className="t-h3">Your payment is being processed.</p>
        <Notice>{message}</Notice>
        <div className="acts acts--start">
          <Button look="primary" icon="retry" busy={busy} onClick={onCheck}>
            Check again
          </Button>
          <ButtonLink look="quiet" to={`/dashboard/order/${id}`}>
            View order
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
