import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Payment");

export default function PaymentPage() {
  return <PageHead title="Payment" />;
}
