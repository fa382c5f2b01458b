import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { sameSitePath } from "../../guard.ts";
import { usePerson } from "../../session.ts";

/** Whoever is signed in leaves for where they came from. Gives back that path, "/" when there is none. */
export function useReturn(): string {
  const [search] = useSearchParams();
  const from = sameSitePath(search.get("from"));
  const signedIn = usePerson() !== null;
  const navigate = useNavigate();
  useEffect(() => {
    if (signedIn) navigate(from, { replace: true });
  }, [signedIn, from, navigate]);
  return from;
}
