import { privacy } from "../content/legal.ts";
import { pageTitle } from "../page-title.ts";
import { TextPage } from "../ui/text-page.tsx";

export const meta = () => pageTitle(privacy.title, privacy.introduction);

/** What the store keeps about people. */
export default function PrivacyPage() {
  return <TextPage text={privacy} />;
}
