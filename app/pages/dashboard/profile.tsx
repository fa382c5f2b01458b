import { labels } from "../../../shop/messages.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";

export const meta = () => pageTitle("My Profile");

export default function ProfilePage() {
  return <PageHead title={labels.menu.profile} />;
}
