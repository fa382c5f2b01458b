import { useEffect, useState } from "react";
import { data, useRouteLoaderData } from "react-router";
import type { Outcome } from "../../../api/outcome.ts";
import { messages } from "../../../shop/texts/specification.ts";
import { focusHeading } from "../../components/focus-heading.ts";
import { Notice } from "../../components/notice.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { NotFoundPanel, QueryBoundary } from "../../components/query-boundary.tsx";
import { toast } from "../../components/toast.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import type { loader as rootLoader } from "../../root.tsx";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { callerIn } from "../dashboard/require-session.ts";
import { isOwnOrder } from "../orders/is-own-order.ts";
import { useOrderList } from "../orders/order-list.ts";
import type { Route } from "./+types/payment.ts";
import { CardForm } from "./card-form.tsx";
import { confirmPayment, type PayResult } from "./pay-order.ts";
import { findPayable, type Payable } from "./payable.ts";
import { PayableSummary } from "./payable-summary.tsx";
import { renderOutcome } from "./payment-outcome.tsx";

export const meta = () => pageTitle("Payment");

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const due = await findPayable(callerIn(context).call, id);
  return data({ due }, due.ok ? 200 : due.status);
}

export default function PaymentPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return <LoadedPayment key={id} outcome={loaderData.due} />;
}

function LoadedPayment({ outcome }: { outcome: Outcome<Payable> }) {
  const loaded = useLoaderResult(outcome);
  return (
    <>
      <PageHead title="Payment" fact="Shipment starts after successful payment." />
      <QueryBoundary
        loaded={loaded}
        failed="The order could not be loaded."
        refused={(reason) => <NothingToPay>{reason}</NothingToPay>}
      >
        {(payable) => <PaymentSheet payable={payable} onChanged={loaded.reload} />}
      </QueryBoundary>
    </>
  );
}

/** The order and the card form, or the outcome of the payment, which on a phone is above the order. */
function PaymentSheet({ payable, onChanged }: { payable: Payable; onChanged: () => void }) {
  const { user } = useDashboard();
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const [result, setResult] = useState<PayResult | null>(null);
  const endSession = useSessionExpired();

  function handleResult(next: PayResult) {
    if (next.result === "signedOut") return void endSession();
    if (next.result === "changed") return onChanged();
    if (next.result === "failed") toast.error(next.message);
    if (next.result === "paid") toast.success(messages.payment.succeeded);
    setResult(next.result === "failed" ? null : next);
  }

  async function checkAgain(transactionId: string) {
    handleResult(await confirmPayment(payable, transactionId));
  }

  if (result?.result === "nothingToPay") return <NothingToPay>{result.message}</NothingToPay>;
  const outcome = renderOutcome(payable, result, checkAgain);
  return (
    <div className="pay">
      {outcome}
      {/* another key, so that its move on a phone is not animated */}
      <PayableSummary key={outcome ? "paid" : "due"} payable={payable} canPay={!outcome} />
      {outcome ? null : !isOwnOrder(payable, user) ? (
        <Notice>Only the buyer can pay this order.</Notice>
      ) : (
        root && <CardForm payable={payable} config={root.config.card} onResult={handleResult} />
      )}
    </div>
  );
}

function NothingToPay({ children }: { children: string }) {
  const { label, to } = useOrderList();
  // the form that had the focus may be gone
  useEffect(focusHeading, []);
  return (
    <NotFoundPanel title="Nothing to pay here" back={{ label: `Back to ${label}`, to }} reason={children} />
  );
}
