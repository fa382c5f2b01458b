import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Add A Tool");

export default function AddProductPage() {
  return <PageHead title={labels.menu.addTool} />;
}
