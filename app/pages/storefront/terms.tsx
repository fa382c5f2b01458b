import { useRouteLoaderData } from "react-router";
import { pageTitle } from "../../components/page-title.ts";
import { TextPage } from "../../components/text-page.tsx";
import type { loader } from "../../root.tsx";
import { termsOf } from "./legal-texts.ts";

export const meta = () => {
  const { title, introduction } = termsOf(0);
  return pageTitle(title, introduction);
};

/** The rules for buying. */
export default function TermsPage() {
  const hours = useRouteLoaderData<typeof loader>("root")?.config.unpaidHoldHours ?? 0;
  return <TextPage text={termsOf(hours)} />;
}
