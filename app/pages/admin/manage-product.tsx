import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Manage Products");

export default function ManageProductPage() {
  return <PageHead title={labels.menu.manageProducts} />;
}
