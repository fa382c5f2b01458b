import { dashboardPages } from "virtual:dashboard-pages";
import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import {
  Link,
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
import { AdminMenu } from "../admin/admin-menu.tsx";
import { TestPaymentsBar } from "../admin/test-payments-bar.tsx";
import type { Route } from "./+types/dashboard-layout.ts";
import { callerIn, requireSession } from "./require-session.ts";

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

export const middleware = [requireSession];

export async function loader({ context }: Route.LoaderArgs) {
  const { email, isAdmin, zone, ask } = callerIn(context);
  const [user, orders] = await Promise.all([
    ask("findUser", { params: { email } }),
    isAdmin ? ask("searchPurchases", { query: { limit: 1 } }) : null,
  ]);
  return { user, toShip: orders?.ok ? orders.data.toShip : undefined, zone, now: Date.now() };
}

/** A search or a filter of the page reloads its list alone. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isFilter = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isFilter && defaultShouldRevalidate;
}

const entries = dashboardPages.filter(({ menu }) => menu === "user" || menu === "both");

/** Side menu by role around the dashboard's pages. The role is read from the user record. */
export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  const { zone, now } = loaderData;
  const loaded = useLoaderResult(loaderData.user);
  const user = loaded.data;
  const { revalidate } = useRevalidator();
  useSamePerson(user);
  useSameZone(zone);
  const page = useLocation().pathname.split("/")[2] ?? "";
  const menu = useCurrentInView(page, user);
  const time = useMemo(() => ({ zone, now }), [zone, now]);
  return (
    <ServerTime value={time}>
      <div className="dash">
        <div className="side">
          <div className="side__in">
            <nav aria-label={labels.menu.dashboard} ref={menu}>
              {user?.role === "admin" && <AdminMenu page={page} loaded={loaderData} />}
              {user?.role === "user" &&
                entries.map(({ name, label, current }) => (
                  <Link
                    key={name}
                    prefetch="intent"
                    to={`/dashboard/${name}`}
                    aria-current={current.includes(page) ? "page" : undefined}
                  >
                    {label}
                  </Link>
                ))}
            </nav>
            <DensitySwitch />
          </div>
        </div>
        <main id="main" className="dash__main">
          {user?.role === "admin" && <TestPaymentsBar />}
          <NeedsScript />
          {!user && <h1 className="vh">{labels.menu.dashboard}</h1>}
          <QueryBoundary loaded={loaded}>
            {(shown) => <Outlet context={{ user: shown, refresh: revalidate } satisfies DashboardContext} />}
          </QueryBoundary>
        </main>
      </div>
    </ServerTime>
  );
}

/** This browser remembers for the header who is signed in; the server's answer decides. */
function useSamePerson(user: User | undefined) {
  const person = useSignedInUser();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const { email, name, role } = user ?? {};

  useEffect(() => {
    if (email && name && role) storeUser({ email, name, role });
  }, [email, name, role]);

  const onPersonChange = useEffectEvent(() => {
    // somebody else signed in, in another tab
    if (person && person.email !== email) void revalidate();
    // a person who signs out here is on the way to another page already
    if (!person && window.location.pathname === pathname)
      navigate(loginPath(pathname + search), { replace: true });
  });
  const last = useRef(person);
  useEffect(() => {
    const before = last.current;
    last.current = person;
    if (before) onPersonChange();
  }, [person]);
}

/** Dates are printed in the zone of the browser; if the server used another one, the page is loaded again with it. */
function useSameZone(zone: string) {
  const { revalidate } = useRevalidator();
  const reload = useEffectEvent(revalidate);
  useEffect(() => {
    if (browserTimeZone() === zone) return;
    storeTimeZone();
    void reload();
  }, [zone]);
}

/** On a phone the menu is a strip that scrolls by itself: it shows the entry that is open, also when others grow. */
function useCurrentInView(page: string, user: User | undefined) {
  const menu = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current entry, another role other entries
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
  }, [page, user]);
  return menu;
}
