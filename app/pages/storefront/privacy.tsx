import { pageTitle } from "../../components/page-title.ts";
import { TextPage } from "../../components/text-page.tsx";
import { privacy } from "./legal-texts.ts";

export const meta = () => pageTitle(privacy.title, privacy.introduction);

/** What the store keeps about people. */
export default function PrivacyPage() {
  return <TextPage text={privacy} />;
}
