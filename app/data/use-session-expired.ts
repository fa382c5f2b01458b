import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { sessionEnded } from "../../shop/texts/offline.ts";
import { toast } from "../components/toast.ts";
import { endSession } from "./identity-request.ts";
import { loginPath } from "./route-access.ts";
import { readUser } from "./session.ts";

/**
 * Handles an ended session: signs out, shows the login, returns here. Does nothing once the page was left, or another
 * user has signed in.
 */
export function useSessionExpired(): () => Promise<void> {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const owner = useRef<string | null>(null);
  useEffect(() => {
    owner.current = readUser()?.email ?? "";
    return () => {
      owner.current = null;
    };
  }, []);
  return useCallback(async () => {
    const email = readUser()?.email;
    if (owner.current === null || (email && owner.current && email !== owner.current)) return;
    toast.info(sessionEnded);
    await endSession();
    navigate(loginPath(pathname + search), { replace: true });
  }, [navigate, pathname, search]);
}
