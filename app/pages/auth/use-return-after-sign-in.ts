import { ADMIN_PATHS } from "virtual:admin-paths";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { sessionEnded } from "../../../shop/texts/offline.ts";
import { toast } from "../../components/toast.ts";
import { safeRedirect } from "../../data/route-access.ts";
import { clearSession, readUser, useSignedInUser } from "../../data/session.ts";
import { NO_SESSION, restoreSession } from "../../data/session-api.ts";

/**
 * A signed-in user is sent back to where they came from. Returns that path, "/" when there is none. A non-admin who came
 * from an admin's page goes to their own: that page would sign them out again, and send them back here.
 * `waits`: somebody who is signed in has something to do here first.
 */
export function useReturnAfterSignIn(waits = false): string {
  const [search] = useSearchParams();
  const from = safeRedirect(search.get("from"));
  const person = useSignedInUser();
  const isSure = useSureOfPerson();
  const navigate = useNavigate();
  useEffect(() => {
    if (!person || !isSure || waits) return;
    const mayReturn = person.role === "admin" || !ADMIN_PATHS.test(from);
    navigate(mayReturn ? from : "/dashboard", { replace: true });
  }, [person, isSure, from, navigate, waits]);
  return from;
}

/** Checks the remembered user with the server: the session may have ended elsewhere. */
function useSureOfPerson(): boolean {
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    if (!readUser()) {
      clearSession(); // a token may be left over (specification, section 6)
      return setSure(true);
    }
    void restoreSession().then((answer) => {
      if (!answer.ok && answer.code === NO_SESSION) {
        clearSession();
        toast.info(sessionEnded);
      }
      setSure(answer.ok || answer.code === NO_SESSION);
    });
  }, []);
  return isSure;
}
