import { useRouteLoaderData } from "react-router";
import { Notice } from "../../components/notice.tsx";
import type { loader } from "../../root.tsx";

const reasons = {
  sandbox: "No Stripe keys are set, so test cards pay and no money arrives.",
  test: "Its Stripe keys are test keys, so test cards pay and no money arrives.",
};

/** Shown on every admin page while a public store accepts test cards. */
export function TestPaymentsBar() {
  const testPayments = useRouteLoaderData<typeof loader>("root")?.config.testPayments;
  if (!testPayments) return null;
  return (
    <div className="dash__bar no-print">
      <Notice kind="warn" icon="alert">
        <strong>This store takes test payments.</strong> {reasons[testPayments]} Set Stripe’s live keys (
        <code>STRIPE_SECRET_KEY</code>) and restart the store before you ship anything.
      </Notice>
    </div>
  );
}
