import { useEffect, useState } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { offline } from "../../shop/texts/offline.ts";
import { checkConnection } from "../data/connection.ts";
import { focusHeading } from "./focus-heading.ts";
import { NotFoundMessage } from "./not-found-message.tsx";
import { Reference } from "./reference.tsx";
import { ErrorState } from "./states.tsx";

/** Replaces a failed page: a 404 names the missing product, other errors explain what happened. */
export function RouteError({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [message, setMessage] = useState(
    "Your connection or our server did not respond. Nothing you saved is lost.",
  );
  // the component that manages the focus is gone
  useEffect(focusHeading, []);
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundMessage />;

  async function retry() {
    setBusy(true);
    if (await checkConnection()) return window.location.reload();
    setBusy(false);
    setMessage(offline);
    setAttempt((now) => now + 1);
  }

  return (
    <main id="main" className="sheet route-error">
      <h1 className="t-h1">This page could not be loaded</h1>
      <ErrorState onRetry={retry} busy={busy}>
        {/* a new element per attempt, so that a screen reader repeats the text */}
        <span key={attempt}>{message}</span>
      </ErrorState>
      <Reference key={pathname} />
      {import.meta.env.DEV && error instanceof Error && <pre>{error.stack}</pre>}
    </main>
  );
}
