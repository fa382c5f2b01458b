import { useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { goToGoogle } from "../../data/session-api.ts";
import type { loader } from "../../root.tsx";

interface GoogleButtonProps {
  /** where to return afterwards */
  from: string;
  onRefusal: (message: string) => void;
}

export function GoogleButton({ from, onRefusal }: GoogleButtonProps) {
  const [busy, setBusy] = useState(false);

  // Back from Google shows this page as it was left
  useEffect(() => {
    const onShow = () => setBusy(false);
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);

  const isConfigured = useRouteLoaderData<typeof loader>("root")?.config.google ?? true;

  async function signIn() {
    if (!isConfigured) return onRefusal(loginRefusals.googleNotConfigured);
    setBusy(true);
    const outcome = await goToGoogle("sign-in/social", `/login?google=1&from=${encodeURIComponent(from)}`);
    if (outcome.ok) return; // the browser is navigating away
    setBusy(false);
    onRefusal(outcome.message);
  }

  return (
    <Button size="lg" block className="btn--google" busy={busy} onClick={signIn}>
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path
          fill="currentColor"
          d="M12 10.2v3.9h5.5c-.24 1.3-1 2.35-2.1 3.07-.92.62-2.1.98-3.4.98-2.62 0-4.84-1.77-5.63-4.15a6 6 0 0 1 0-3.84C7.16 7.77 9.38 6 12 6c1.48 0 2.8.51 3.85 1.5l2.86-2.86A9.6 9.6 0 0 0 12 2a10 10 0 0 0-8.93 5.5 10 10 0 0 0 0 9A10 10 0 0 0 12 22c2.7 0 4.96-.9 6.6-2.42 1.9-1.74 3-4.3 3-7.35 0-.7-.06-1.38-.18-2.03z"
        />
      </svg>
      {labels.login.continueWithGoogle}
    </Button>
  );
}
