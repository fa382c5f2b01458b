import { isRouteErrorResponse } from "react-router";
import { refusals } from "../../shop/refusals.ts";
import { Missing } from "./missing.tsx";
import { ErrorState } from "./states.tsx";
import { toast } from "./toast.ts";

/** Without a connection, to load the page again would lose it to the browser's own page. */
function tryAgain() {
  if (navigator.onLine) window.location.reload();
  else toast.error(refusals.offline);
}

/** What stands in place of a page that failed: the missing tool for a 404, else what happened and a way on. */
export function Trouble({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <Missing />;
  return (
    <main id="main" className="sheet trouble">
      <h1 className="t-h1">This page could not be loaded</h1>
      <ErrorState onRetry={tryAgain}>
        Your connection or our server did not answer. Nothing you saved is lost.
      </ErrorState>
      {import.meta.env.DEV && error instanceof Error && <pre>{error.stack}</pre>}
    </main>
  );
}
