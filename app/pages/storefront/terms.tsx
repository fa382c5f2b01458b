import { useRouteLoaderData } from "react-router";
import { pageTitle } from "../../components/page-title.ts";
import type { loader } from "../../root.tsx";
import { termsOf } from "./legal-texts.ts";
import { TextPage } from "./text-page.tsx";

export const meta = () => {
  const { title, introduction } = termsOf(0);
  return pageTitle(title, introduction);
};

export default function TermsPage() {
  const hours = useRouteLoaderData<typeof loader>("root")?.config.unpaidHoldHours ?? 0;
  return <TextPage text={termsOf(hours)} />;
}
