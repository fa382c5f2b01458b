import { useEffect, useEffectEvent } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { Spinner } from "../../components/spinner.tsx";
import { endSession } from "../../data/identity-request.ts";
import { loginPath } from "../../data/route-access.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";

/** Guard of the admin pages: a non-admin is signed out and redirected to /login (specification, section 6). */
export default function AdminLayout() {
  const dashboard = useDashboard();
  const allowed = dashboard.user.role === "admin";
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const signOut = useEffectEvent(async () => {
    await endSession();
    await navigate(loginPath(pathname), { replace: true });
  });
  useEffect(() => {
    if (!allowed) void signOut();
  }, [allowed]);

  return allowed ? <Outlet context={dashboard} /> : <Spinner page label="Signing out" />;
}
