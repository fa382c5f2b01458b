/** Pages of a store in a real browser. An unexpected problem on a page fails its test. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { networkInterfaces } from "node:os";
import { type Browser, type BrowserContext, chromium, type Page, type Route } from "playwright-core";
import { expect, vi } from "vitest";
import { findChromium } from "./find-chromium.ts";
import type { SignedIn } from "./people.ts";
import type { TestStore } from "./store.ts";

export interface PageOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  /** en-US by default */
  locale?: string;
  /** a signed-in user */
  user?: SignedIn;
  /** localStorage at the first visit */
  storage?: Record<string, string>;
  /** off by default, so that nothing moves during a check */
  motion?: boolean;
  /** false: without scripts */
  script?: boolean;
  /** false: external pictures fail too; other external requests always do */
  external?: boolean;
  /** true: `goto` returns before hydration, for tests of early input */
  early?: boolean;
}

/** A page and its problems. */
export interface OpenPage {
  page: Page;
  /** Removes the problems that match; throws if there is none. */
  expectProblem(pattern: RegExp): void;
  problems: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** Opens an empty page of a new visitor of `store`. The test files of a process share its browser. */
export async function openPage(store: TestStore, options: PageOptions = {}): Promise<OpenPage> {
  browser ??= launch();
  const {
    width = 1280,
    height = 900,
    theme = "light",
    locale = "en-US",
    motion = false,
    script = true,
    external = true,
  } = options;
  const context = await (await browser).newContext({
    baseURL: store.url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: motion ? "no-preference" : "reduce",
    javaScriptEnabled: script,
    locale,
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(30_000);
  if (options.user) await signIn(context, store, options.user);
  if (options.storage) await remember(context, options.storage);
  const page = await context.newPage();
  if (external) await answerExternalPictures(page);
  const problems = watch(page);
  countRequests(page);
  if (script && !options.early) gotoUntilHydrated(page);
  return {
    page,
    problems,
    expectProblem(pattern) {
      const rest = problems.filter((problem) => !pattern.test(problem));
      expect(rest.length, `a problem like ${pattern}`).toBeLessThan(problems.length);
      problems.splice(0, problems.length, ...rest);
    },
    close: () => context.close(),
  };
}

/** A link clicked before hydration leaves the page without a prompt, which happened on a busy machine. */
function gotoUntilHydrated(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (...args) => {
    const response = await goto(...args);
    await hydrated(page);
    return response;
  };
}

function hydrated(page: Page): Promise<unknown> {
  return page.waitForFunction(() => !("takeEarlyEvents" in window));
}

/** The external names and addresses of this machine. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map((one) => one.address);
}

/** The browser itself ends with the process. */
export async function closePages(): Promise<void> {
  const contexts = (await browser)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment } as Record<string, string>,
    // software rendering: pictures are the same everywhere
    args: [
      "--disable-gpu",
      "--in-process-gpu",
      "--font-render-hinting=none",
      "--no-first-run",
      "--no-pings",
      "--disable-sync",
      // there is no network in tests
      `--host-resolver-rules=${["MAP * ~NOTFOUND", ...["localhost", "127.0.0.1", ...ownAddresses()].map((host) => `EXCLUDE ${host}`)].join(", ")}`,
    ],
  });
}

/**
 * Responds to the page's requests instead of the store, until the returned function is called. The route stays
 * registered: a pending request might otherwise never get a response.
 */
export async function intercept(
  page: Page,
  pattern: string | RegExp,
  answer: (route: Route) => unknown = (route) => route.abort(),
): Promise<() => void> {
  let through = false;
  await page.route(pattern, (route) => (through ? route.continue() : answer(route)));
  return () => {
    through = true;
  };
}

const pixel = {
  responseCode: 200,
  responseHeaders: [
    { name: "content-type", value: "image/png" },
    { name: "cross-origin-resource-policy", value: "cross-origin" },
    { name: "access-control-allow-origin", value: "*" },
  ],
  body: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
};

/**
 * Every external picture (a map tile) is one grey pixel. The store's own responses are not intercepted, which would
 * be slow and bypass the browser's cache.
 */
async function answerExternalPictures(page: Page): Promise<void> {
  const chrome = await page.context().newCDPSession(page);
  chrome.on("Fetch.requestPaused", ({ requestId }) =>
    // a closed page needs no response
    chrome.send("Fetch.fulfillRequest", { requestId, ...pixel }).catch(() => undefined),
  );
  await chrome.send("Fetch.enable", { patterns: [{ urlPattern: "https://*", resourceType: "Image" }] });
}

async function signIn(context: BrowserContext, store: TestStore, user: SignedIn) {
  const { hostname } = new URL(store.url);
  await context.addCookies(
    user.cookie.split("; ").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name, value: value.join("="), domain: hostname, path: "/", httpOnly: true };
    }),
  );
  const { email, name, token, role = "user" } = user;
  await remember(context, { accessToken: token, "stator.person": JSON.stringify({ email, name, role }) });
}

/** Only at the first visit of a tab: later changes of the page are kept. */
function remember(context: BrowserContext, storage: Record<string, string>): Promise<unknown> {
  return context.addInitScript((entries) => {
    if (sessionStorage.getItem("test.remembered")) return;
    sessionStorage.setItem("test.remembered", "yes");
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, storage);
}

/** Everything that a browser reports: errors and warnings of scripts and policy, failed requests, 5xx. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => problems.push(`script: ${error.stack ?? error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // navigating away aborts pending requests
    if (why !== "net::ERR_ABORTED") problems.push(`${why} ${request.url()}`);
  });
  return problems;
}

/** The number of pending requests of a page, and when the last one began or ended. */
const traffic = new WeakMap<Page, { open: number; changed: number }>();

function countRequests(page: Page): void {
  const requests = { open: 0, changed: Date.now() };
  const count = (difference: number) => () => {
    requests.open += difference;
    requests.changed = Date.now();
  };
  page.on("request", count(1));
  page.on("requestfinished", count(-1));
  page.on("requestfailed", count(-1));
  traffic.set(page, requests);
}

const STILL_MS = 100;

/** Waits until a page is hydrated, complete, and has made no request for a while. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await hydrated(page);
  const loading = page.locator(".loading, [aria-busy=true]");
  const isStill = async () => {
    const { open = 0, changed = 0 } = traffic.get(page) ?? {};
    return open === 0 && Date.now() - changed >= STILL_MS && (await loading.count()) === 0;
  };
  await vi.waitUntil(isStill, { timeout: 30_000, interval: 25 });
}

/** Waits until a page's typeface is loaded, with every file that its letters need. */
export async function typefaceApplied(page: Page): Promise<void> {
  await page.locator("html[data-typeface]").waitFor({ state: "attached" });
  await page.evaluate(() => {
    document.body.getBoundingClientRect();
    return document.fonts.ready;
  });
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects that axe finds nothing on the page, and that it has no problems. `rules` may be the colour rules alone, if
 * the page was fully checked in the other theme.
 */
export async function expectNoProblems(
  { page, problems }: OpenPage,
  rules: "all" | "colours" = "all",
): Promise<void> {
  expect(problems, `on ${page.url()}`).toEqual([]);
  // dimmed during a reload, which is not a state to check
  await page.locator(".is-stale").waitFor({ state: "detached" });
  expect(await findWithAxe(page, rules), `axe on ${page.url()}`).toEqual([]);
}

/** The findings of axe: rule and place, one line each. */
export async function findWithAxe(page: Page, rules: "all" | "colours" = "all"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axe);
  return page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    // all rules run; passed ones are not described
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      ...(rules === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }),
    });
    return violations.map(({ id, help, nodes }) => {
      const where = nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`);
      return `${id}: ${help} ${where.join(" | ")}`;
    });
  }, rules);
}

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[];
}
