import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("My Orders");

export default function OrdersPage() {
  return <PageHead title={labels.menu.orders} />;
}
