import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import {
  isRouteErrorResponse,
  type LinkDescriptor,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
} from "react-router";
import type { Route } from "./+types/root.ts";
import { CanonicalLink } from "./components/canonical-link.tsx";
import { ConnectionBar } from "./components/connection-bar.tsx";
import { focusHeading } from "./components/focus-heading.ts";
import { Footer } from "./components/footer.tsx";
import { Header } from "./components/header.tsx";
import { setPageLocale } from "./components/locale.ts";
import { NOT_FOUND_TITLE } from "./components/not-found-message.tsx";
import { pageTitle } from "./components/page-title.ts";
import { Progress } from "./components/progress.tsx";
import { RouteError } from "./components/route-error.tsx";
import { Toasts } from "./components/toasts.tsx";
import { keepPage } from "./data/keep-page.ts";
import { pageConfig } from "./data/loader-context.ts";
import { requireUser } from "./data/route-access.ts";
import { useReplayEarlyEvents } from "./performance/early-interactions.ts";
import { headScript } from "./performance/head-script.ts";
import stylesheet from "./styles/app.css?url";
import typefaces from "./styles/fonts.css?inline";

/** The options in a route's `handle`: `bare` has no header and footer, `dashboard` no footer. */
export interface FrameHandle {
  frame?: "bare" | "dashboard";
}

export const links: Route.LinksFunction = () => [
  // server/http/optimize-html.ts changes its media in the HTML
  { rel: "stylesheet", href: stylesheet, suppressHydrationWarning: true } as LinkDescriptor,
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icons/180.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export const meta: Route.MetaFunction = ({ error }) => {
  if (!error) return [];
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  return pageTitle(isNotFound ? NOT_FOUND_TITLE : "This page could not be loaded");
};

export const clientMiddleware = [keepPage, requireUser];

export function loader({ context }: Route.LoaderArgs) {
  return { config: context.get(pageConfig) };
}

/** The browser reads both from the HTML instead of the script bundle, which saves every page 2 kB. */
const headScriptText = import.meta.env.SSR ? headScript() : inlined("head-script");
const typefacesText = import.meta.env.SSR ? typefaces : inlined("typefaces");

function inlined(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/** The configuration does not change while a page is open. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  useReplayEarlyEvents();
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script
          id="head-script"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the build
          dangerouslySetInnerHTML={{ __html: headScriptText }}
          suppressHydrationWarning
        />
        {/* not in the stylesheet, which loads later, so that none is loaded twice */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the build */}
        <style id="typefaces" dangerouslySetInnerHTML={{ __html: typefacesText }} suppressHydrationWarning />
        <meta name="theme-color" content="#F4F6F8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0D1217" media="(prefers-color-scheme: dark)" />
        <Meta />
        <CanonicalLink />
        <Links />
        {/* painting a half-loaded page would shift it */}
        <link rel="expect" href="#end" blocking="render" />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        {children}
        <Toasts />
        <div id="end" hidden />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

// a stable element, so that it is not re-rendered during navigations
const header = <Header />;
const footer = <Footer />;

export default function App() {
  const matches = useMatches();
  setPageLocale(
    matches.map(({ loaderData }) => (loaderData as { locale?: string } | undefined)?.locale).find(Boolean),
  );
  const frame = matches.map((match) => (match.handle as FrameHandle | undefined)?.frame).findLast(Boolean);
  useFocusOnNavigation();
  return (
    <>
      <Progress />
      <ConnectionBar />
      {frame !== "bare" && header}
      <Outlet />
      {!frame && footer}
    </>
  );
}

/** For a document that the server cannot render. If only a page fails, page-boundary.tsx replaces it. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <>
      <Header />
      <RouteError error={error} />
      <Footer />
    </>
  );
}

/** After a navigation, focuses the page's heading for screen readers, or the field named by the URL. */
function useFocusOnNavigation() {
  const { pathname, hash, key } = useLocation();
  const lastPathname = useRef(pathname);
  const focusPage = useEffectEvent(() => {
    // a dialog opened while the page was loading keeps the focus
    if (document.activeElement?.closest("[role=dialog][data-open]")) return;
    // an element named by the URL may have taken the focus already
    if (!hash || document.activeElement?.id !== hash.slice(1)) focusHeading();
  });
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    focusPage();
    return keepFocus();
  }, [pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each navigation, also to the same hash
  useEffect(() => {
    const target = document.getElementById(hash.slice(1));
    if (target?.matches("input")) target.focus();
  }, [key, hash]);
}

/** Moves the focus to the new heading when a loading page replaces its heading, until the user acts. */
function keepFocus(): () => void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) focusHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const stop = () => observer.disconnect();
  for (const type of ["keydown", "pointerdown"])
    document.addEventListener(type, stop, { capture: true, once: true });
  return stop;
}
