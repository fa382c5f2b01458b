import { useEffect, useRef, useState } from "react";
import { Link, Outlet, useLocation, useNavigate, useOutletContext } from "react-router";
import type { User } from "../../../api/entities.ts";
import { labels } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { loginPath } from "../../guard.ts";
import { leave } from "../../identity.ts";
import type { FrameHandle } from "../../root.tsx";
import { readPerson, usePerson } from "../../session.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { AdminMenu } from "../admin/admin-menu.tsx";

export const handle: FrameHandle = { frame: "dashboard" };

/** The signed-in person's own record, for every page of the dashboard. `refresh` reads it again after an update. */
export interface DashboardContext {
  user: User;
  refresh: () => Promise<void>;
}

/** The user record that the dashboard's layout has loaded. */
export function useDashboard(): DashboardContext {
  return useOutletContext<DashboardContext>();
}

const entries = [
  ["profile", labels.menu.profile],
  ["orders", labels.menu.orders],
  ["review", labels.menu.addReview],
] as const;

/** Side menu by role around the dashboard's pages. The role is read from the user record; a spinner turns meanwhile. */
export default function DashboardLayout() {
  const { user, refusal, refresh } = useOwnRecord();
  const current = entryOf(useLocation().pathname, user);
  const menu = useCurrentInView(current, user);
  return (
    <div className="dash">
      <div className="side">
        <nav aria-label={labels.menu.dashboard} ref={menu}>
          {user?.role === "admin" && <AdminMenu current={current} />}
          {user?.role === "user" &&
            entries.map(([path, label]) => (
              <Link
                key={path}
                prefetch="intent"
                to={`/dashboard/${path}`}
                aria-current={path === current ? "page" : undefined}
              >
                {label}
              </Link>
            ))}
        </nav>
      </div>
      <main id="main" className="dash__main">
        {user && <Outlet context={{ user, refresh } satisfies DashboardContext} />}
        {!user && <h1 className="vh">{labels.menu.dashboard}</h1>}
        {!user && refusal && <ErrorState onRetry={refresh}>{refusal}</ErrorState>}
        {!user && !refusal && <Spinner page label="Loading your account" />}
      </main>
    </div>
  );
}

/** On a phone the menu is a strip that scrolls by itself: it shows the entry that is open, also when others grow. */
function useCurrentInView(current: string | undefined, user: User | null) {
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const strip = menu.current;
    const entry = strip?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!strip || !entry) return;
    const show = () => {
      strip.scrollLeft = entry.offsetLeft - (strip.clientWidth - entry.clientWidth) / 2;
    };
    show();
    const watch = new ResizeObserver(show);
    for (const each of strip.children) watch.observe(each);
    return () => watch.disconnect();
  }, [current, user]);
  return menu;
}

/** The menu entry that a page belongs to; an order's own page and its payment belong to the list they came from. */
function entryOf(pathname: string, user: User | null): string | undefined {
  const page = pathname.split("/")[2];
  if (page === "editProduct") return "manageProduct";
  if (page === "account") return "profile";
  if (page !== "order" && page !== "payment") return page;
  return user?.role === "admin" ? "manageOrder" : "orders";
}

/** The record, or why there is none. Whose session has ended, here or in another tab, goes to /login and comes back. */
function useOwnRecord() {
  const email = usePerson()?.email;
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [user, setUser] = useState<User | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function refresh() {
    const signedIn = readPerson()?.email;
    if (signedIn) {
      setRefusal(null);
      const answer = await call("findUser", { params: { email: signedIn } });
      if (answer.ok) return setUser(answer.data);
      if (answer.status !== 401) return setRefusal(answer.detail);
      await leave();
    }
    // who signs out is on the way to another page already
    if (window.location.pathname === pathname) navigate(loginPath(pathname + search), { replace: true });
  }

  // again only when the person changes
  useEffect(() => void refresh(), [email]);
  return { user: email ? user : null, refusal, refresh };
}
