import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { sessionEnded } from "../../shop/texts/offline.ts";
import { toast } from "../components/toast.ts";
import { endSession } from "./identity-request.ts";
import { loginPath } from "./route-access.ts";

/** Handles an ended session: signs out, shows the login, returns here. */
export function useSessionExpired(): () => Promise<void> {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(async () => {
    toast.info(sessionEnded);
    await endSession();
    navigate(loginPath(pathname + search), { replace: true });
  }, [navigate, pathname, search]);
}
