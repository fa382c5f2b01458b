import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useOutletContext,
  useRevalidator,
} from "react-router";
import type { User } from "../../../api/entities.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { DensitySwitch } from "../../components/density-switch.tsx";
import { NeedsScript } from "../../components/needs-script.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { loginPath } from "../../data/route-access.ts";
import { storeUser, useSignedInUser } from "../../data/session.ts";
import { browserTimeZone, ServerTime, storeTimeZone } from "../../data/time-zone.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import type { FrameHandle } from "../../root.tsx";
import { TestPaymentsBar } from "../admin/test-payments-bar.tsx";
import type { Route } from "./+types/dashboard-layout.ts";
import { DashboardMenu } from "./dashboard-menu.tsx";
import { callerIn, requireSession } from "./require-session.ts";

export const handle: FrameHandle = { frame: "dashboard" };

/** The signed-in user, for every page of the dashboard. `refresh` reloads it after an update. */
export interface DashboardContext {
  user: User;
  refresh: () => Promise<void>;
}

export function useDashboard(): DashboardContext {
  return useOutletContext<DashboardContext>();
}

export const middleware = [requireSession];

export async function loader({ context }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const { email, isAdmin, zone, locale } = caller;
  const [user, orders] = await Promise.all([
    caller.call("findUser", { params: { email } }),
    isAdmin ? caller.call("searchPurchases", { query: { limit: 1 } }) : null,
  ]);
  return { user, toShip: orders?.ok ? orders.data.toShip : undefined, zone, locale, now: Date.now() };
}

/** A search or a filter reloads only the page's list. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isFilter = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isFilter && defaultShouldRevalidate;
}

/** The side menu of the user's role, and the current page. The role is from the user record. */
export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  const { zone, now } = loaderData;
  const loaded = useLoaderResult(loaderData.user);
  const user = loaded.data;
  const { revalidate } = useRevalidator();
  useRememberUser(user);
  useBrowserTimeZone(zone);
  const page = useLocation().pathname.split("/")[2] ?? "";
  const menu = useScrollToCurrentEntry(page, user);
  const time = useMemo(() => ({ zone, now }), [zone, now]);
  return (
    <ServerTime value={time}>
      <div className="dash">
        <div className="side">
          <div className="side__in">
            <nav aria-label={labels.menu.dashboard} ref={menu}>
              {user && <DashboardMenu role={user.role} page={page} loaded={loaderData} />}
            </nav>
            <DensitySwitch />
          </div>
        </div>
        <main id="main" className="dash__main">
          {user?.role === "admin" && <TestPaymentsBar />}
          <NeedsScript />
          {!user && <h1 className="vh">{labels.menu.dashboard}</h1>}
          <QueryBoundary loaded={loaded}>
            {/* the key discards what another user typed or loaded */}
            {(shown) => (
              <Outlet
                key={shown.email}
                context={{ user: shown, refresh: revalidate } satisfies DashboardContext}
              />
            )}
          </QueryBoundary>
        </main>
      </div>
    </ServerTime>
  );
}

/** Remembers the user for the header; the server's response has precedence. */
function useRememberUser(user: User | undefined) {
  const signedIn = useSignedInUser();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const { email, name, role } = user ?? {};

  useEffect(() => {
    if (email && name && role) storeUser({ email, name, role });
  }, [email, name, role]);

  const onUserChange = useEffectEvent(() => {
    // another user signed in, in another tab
    if (signedIn && signedIn.email !== email) void revalidate();
    // a user who signs out here is already navigating
    if (!signedIn && window.location.pathname === pathname)
      navigate(loginPath(pathname + search), { replace: true });
  });
  const lastSignedIn = useRef(signedIn);
  useEffect(() => {
    const before = lastSignedIn.current;
    lastSignedIn.current = signedIn;
    if (before) onUserChange();
  }, [signedIn]);
}

/** Dates are shown in the browser's time zone; if the server used another one, the page is reloaded. */
function useBrowserTimeZone(zone: string) {
  const { revalidate } = useRevalidator();
  const reload = useEffectEvent(revalidate);
  useEffect(() => {
    if (browserTimeZone() === zone) return;
    storeTimeZone();
    void reload();
  }, [zone]);
}

/** On a phone the menu scrolls horizontally: keeps its current entry in view. */
function useScrollToCurrentEntry(page: string, user: User | undefined) {
  const menu = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry depends on the page, the entries on the role
  useEffect(() => {
    const element = menu.current;
    const entry = element?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!element || !entry) return;
    const scrollToEntry = () => {
      element.scrollLeft = entry.offsetLeft - (element.clientWidth - entry.clientWidth) / 2;
    };
    scrollToEntry();
    const observer = new ResizeObserver(scrollToEntry);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [page, user]);
  return menu;
}
