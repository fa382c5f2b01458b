import { ADMIN_PATHS } from "virtual:admin-paths";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { sessionEnded } from "../../../shop/texts/offline.ts";
import { toast } from "../../components/toast.ts";
import { checkConnection, whenReconnected } from "../../data/connection.ts";
import { safeRedirect } from "../../data/route-access.ts";
import { clearSession, readUser, useSignedInUser } from "../../data/session.ts";
import { NO_SESSION, restoreSession } from "../../data/session-api.ts";

/**
 * Redirects a signed-in user to where they came from, and returns that path, "/" by default. A non-admin who came
 * from an admin page goes to their own dashboard: that page would sign them out and redirect back here. `isPaused`: a
 * signed-in user has something to do here first.
 */
export function useReturnAfterSignIn(isPaused = false): string {
  const [search] = useSearchParams();
  const from = safeRedirect(search.get("from"));
  const user = useSignedInUser();
  const isVerified = useVerifiedUser();
  const navigate = useNavigate();
  useEffect(() => {
    if (!user || !isVerified || isPaused) return;
    // the link of an email; not a page of the router
    if (/\.pdf(\?|$)/.test(from)) return window.location.replace(from);
    // an export: downloaded, with the dashboard as its page
    const isExport = /\.csv(\?|$)/.test(from);
    if (isExport) void download(from);
    const mayReturn = !isExport && (user.role === "admin" || !ADMIN_PATHS.test(from));
    navigate(mayReturn ? from : "/dashboard", { replace: true });
  }, [user, isVerified, from, navigate, isPaused]);
  return from;
}

/** Its script is loaded on demand: few who log in need it. */
async function download(url: string): Promise<void> {
  const loaded = await import("../../components/download-file.ts").catch(() => null);
  if (loaded) loaded.downloadFrom(url);
  else toast.error("The file could not be downloaded. Check the connection and export it again.");
}

/** Verifies the remembered user with the server: the session may have ended elsewhere. */
function useVerifiedUser(): boolean {
  const [isVerified, setIsVerified] = useState(false);
  useEffect(() => {
    if (!readUser()) {
      clearSession(); // a token may be left over (specification, section 6)
      return setIsVerified(true);
    }
    const page = new AbortController();
    void verify(page.signal).then(setIsVerified, () => undefined); // the page was left
    return () => page.abort();
  }, []);
  return isVerified;
}

const RETRY_MS = 5000;

/** Tries again until the server has responded: without a verified user nobody can sign in here. */
async function verify(signal: AbortSignal): Promise<true> {
  for (;;) {
    const outcome = await restoreSession();
    signal.throwIfAborted();
    if (outcome.ok) return true;
    if (outcome.code === NO_SESSION) {
      clearSession();
      toast.info(sessionEnded);
      return true;
    }
    if (await checkConnection()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    else await whenReconnected(signal);
    signal.throwIfAborted();
  }
}
