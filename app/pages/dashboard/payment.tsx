import { useState } from "react";
import { useParams, useRouteLoaderData } from "react-router";
import { messages } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { CardForm } from "../../payment/card-form.tsx";
import { OrderSummary } from "../../payment/order-summary.tsx";
import { type Due, type PayResult, record } from "../../payment/pay.ts";
import { PaymentDone } from "../../payment/payment-done.tsx";
import { Recording } from "../../payment/recording.tsx";
import type { loader } from "../../root.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { useAnswer } from "../../use-answer.ts";
import { useSessionEnd } from "../../use-session-end.ts";
import { useDashboard } from "./layout.tsx";

export const meta = () => pageTitle("Payment");

export default function PaymentPage() {
  const { id = "" } = useParams();
  return <PaymentOf key={id} id={id} />;
}

function PaymentOf({ id }: { id: string }) {
  const { phase, data: due, failure, ask } = useAnswer("findPayment", { params: { id } });
  const refused = failure && [403, 404, 422, 400].includes(failure.status);
  return (
    <>
      <PageHead title="Payment" fact="Shipment starts after successful payment." />
      {phase === "loading" && <Spinner label="Loading your order" />}
      {phase === "failed" && refused && <NothingToPay>{failure.detail}</NothingToPay>}
      {phase === "failed" && !refused && (
        <ErrorState onRetry={ask}>The order could not be loaded. {failure?.detail}</ErrorState>
      )}
      {phase === "ready" && due && <PaymentSheet due={due} />}
    </>
  );
}

/** Beside the order: the card form, or what became of the payment. */
function PaymentSheet({ due }: { due: Due }) {
  const { user } = useDashboard();
  const root = useRouteLoaderData<typeof loader>("root");
  const [result, setResult] = useState<PayResult | null>(null);
  const [checking, setChecking] = useState(false);
  const endSession = useSessionEnd();

  function take(next: PayResult) {
    if (next.result === "ended") return void endSession();
    if (next.result === "paid") toast.success(messages.payment.succeeded);
    setResult(next);
  }

  async function checkAgain(transactionId: string) {
    setChecking(true);
    take(await record(due, transactionId));
    setChecking(false);
  }

  if (result?.result === "gone") return <NothingToPay>{result.message}</NothingToPay>;
  const paid = result?.result === "paid" ? result : due.status !== "unpaid" ? due : null;
  return (
    <div className="pay">
      <OrderSummary due={due} />
      {paid ? (
        <PaymentDone
          id={due._id}
          status={paid.status}
          transactionId={paid.transactionId ?? ""}
          justNow={paid === result}
        />
      ) : result?.result === "recording" ? (
        <Recording {...result} busy={checking} onCheck={() => void checkAgain(result.transactionId)} />
      ) : due.email !== user.email ? (
        <Notice>Only the buyer can pay this order.</Notice>
      ) : (
        root && <CardForm due={due} config={root.config.card} onResult={take} />
      )}
    </div>
  );
}

function NothingToPay({ children }: { children: string }) {
  return (
    <div className="panel">
      <EmptyState
        title="Nothing to pay here"
        action={<ButtonLink to="/dashboard/orders">Back to My Orders</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  );
}
