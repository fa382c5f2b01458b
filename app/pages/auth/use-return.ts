import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { sessionEnded } from "../../../shop/texts/offline.ts";
import { toast } from "../../components/toast.ts";
import { isForAdmins } from "../../data/for-admins.ts";
import { sameSitePath } from "../../data/guard.ts";
import { readPerson, signOut, usePerson } from "../../data/session.ts";
import { NO_SESSION, resume } from "../../data/session-api.ts";

/**
 * Whoever is signed in leaves for where they came from. Returns that path, "/" when there is none. A non-admin who came
 * from an admin's page goes to their own: that page would sign them out again, and send them back here.
 * `waits`: somebody who is signed in has something to do here first.
 */
export function useReturn(waits = false): string {
  const [search] = useSearchParams();
  const from = sameSitePath(search.get("from"));
  const person = usePerson();
  const isSure = useSureOfPerson();
  const navigate = useNavigate();
  useEffect(() => {
    if (!person || !isSure || waits) return;
    const mayReturn = person.role === "admin" || !isForAdmins(from);
    navigate(mayReturn ? from : "/dashboard", { replace: true });
  }, [person, isSure, from, navigate, waits]);
  return from;
}

/** Asks the server about the person whom this browser remembers: the session may have ended elsewhere. */
function useSureOfPerson(): boolean {
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    if (!readPerson()) {
      signOut(); // a token may be left over (specification, section 6)
      return setSure(true);
    }
    void resume().then((answer) => {
      if (!answer.ok && answer.code === NO_SESSION) {
        signOut();
        toast.info(sessionEnded);
      }
      setSure(answer.ok || answer.code === NO_SESSION);
    });
  }, []);
  return isSure;
}
