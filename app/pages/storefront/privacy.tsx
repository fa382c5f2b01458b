import { pageTitle } from "../../components/page-title.ts";
import { privacy } from "./legal-texts.ts";
import { TextPage } from "./text-page.tsx";

export const meta = () => pageTitle(privacy.title, privacy.introduction);

export default function PrivacyPage() {
  return <TextPage text={privacy} />;
}
