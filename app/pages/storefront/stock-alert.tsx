import { data } from "react-router";
import { Button, ButtonLink } from "../../components/button.tsx";
import { pageTitle } from "../../components/page-title.ts";
import type { Route } from "./+types/stock-alert.ts";

export const meta = () => pageTitle("Back-in-stock email");

const steps: Record<string, { title: string; text: string; label?: string }> = {
  confirm: {
    title: "Confirm your email address",
    text: "You get one email when the tool can be ordered again.",
    label: "Confirm email",
  },
  stop: {
    title: "End back-in-stock emails?",
    text: "You get no more of them. Emails about your orders are not affected.",
    label: "End these emails",
  },
  confirmed: {
    title: "Your email address is confirmed",
    text: "You get one email when the tool can be ordered again.",
  },
  stopped: { title: "You get no more back-in-stock emails", text: "All pending alerts are removed." },
  gone: {
    title: "This link is no longer needed",
    text: "The email was sent or cancelled already, or its link was not confirmed within a day. Request it again on the page of the tool.",
  },
};

export function loader({ params: { step } }: Route.LoaderArgs) {
  const content = steps[step];
  if (!content) throw data(null, { status: 404 });
  return content;
}

/** Opened from the emails; works without signing in and without scripts. */
export default function StockAlertPage({ loaderData: { title, text, label } }: Route.ComponentProps) {
  return (
    <main id="main" className="sheet alert-step">
      <h1 className="t-h1">{title}</h1>
      <p className="soft">{text}</p>
      {label ? (
        // posts to the same URL, with its token
        <form method="post">
          <Button type="submit" look="primary">
            {label}
          </Button>
        </form>
      ) : (
        <ButtonLink to="/tools">See all tools</ButtonLink>
      )}
    </main>
  );
}
