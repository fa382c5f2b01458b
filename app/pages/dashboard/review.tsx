import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("Add a Review");

export default function ReviewPage() {
  return <PageHead title={labels.menu.addReview} />;
}
