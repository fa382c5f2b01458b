import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { isForAdmins } from "../../for-admins.ts";
import { sameSitePath } from "../../guard.ts";
import { usePerson } from "../../session.ts";

/**
 * Whoever is signed in leaves for where they came from. Gives back that path, "/" when there is none. Who is no admin
 * and came from an admin's page goes to their own: that page would sign them out again, and send them back here.
 */
export function useReturn(): string {
  const [search] = useSearchParams();
  const from = sameSitePath(search.get("from"));
  const person = usePerson();
  const navigate = useNavigate();
  useEffect(() => {
    if (!person) return;
    const mayReturn = person.role === "admin" || !isForAdmins(from);
    navigate(mayReturn ? from : "/dashboard", { replace: true });
  }, [person, from, navigate]);
  return from;
}
