import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Manage All Orders");

export default function ManageOrderPage() {
  return <PageHead title={labels.menu.manageOrders} />;
}
