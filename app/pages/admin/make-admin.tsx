import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Make Admin");

export default function MakeAdminPage() {
  return <PageHead title={labels.menu.makeAdmin} />;
}
