/** Pages of a store in a real browser. An unexpected problem on a page fails its test. */
import { createRequire } from "node:module";
import type { Locator, Page, Route } from "playwright-core";
import { expect, vi } from "vitest";
import type { TestStore } from "./store.ts";
import { type Tab, type TabOptions, takeTab } from "./tabs.ts";
import type { SignedIn } from "./users.ts";

export { closePages } from "./tabs.ts";

export interface PageOptions extends TabOptions {
  /** a signed-in user */
  user?: SignedIn;
  /** localStorage at the first visit */
  storage?: Record<string, string>;
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

/** Opens an empty page of a new visitor of `store`. */
export async function openPage(store: TestStore, options: PageOptions = {}): Promise<OpenPage> {
  const { user, storage, early = false, ...rest } = options;
  const tab = await takeTab(store.url, { ...rest, fresh: rest.fresh ?? early });
  const { page } = tab;
  if (user) await signIn(tab, user);
  if (storage) await tab.remember(storage);
  const problems = watch(page);
  countRequests(page);
  const goto = page.goto.bind(page);
  if (rest.script !== false && !early) gotoUntilHydrated(page);
  return {
    page,
    problems,
    expectProblem(pattern) {
      const rest = problems.filter((problem) => !pattern.test(problem));
      expect(rest.length, `a problem like ${pattern}`).toBeLessThan(problems.length);
      problems.splice(0, problems.length, ...rest);
    },
    async close() {
      page.goto = goto;
      await tab.release();
    },
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

/**
 * Responds to the page's requests instead of the store, until the returned function is called. The route stays
 * registered: a pending request might otherwise never get a response.
 */
export async function intercept(
  page: Page,
  pattern: string | RegExp,
  handle: (route: Route) => unknown = (route) => route.abort(),
): Promise<() => void> {
  let isStopped = false;
  await page.route(pattern, (route) => (isStopped ? route.continue() : handle(route)));
  return () => {
    isStopped = true;
  };
}

/** Writes take effect, but the page gets the 504 of a proxy instead of their responses. The result ends this. */
export function loseResponses(page: Page, pattern: string | RegExp): Promise<() => void> {
  return intercept(page, pattern, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    await route.fetch();
    await route.fulfill({ status: 504, contentType: "text/html", body: "Gateway Timeout" });
  });
}

/**
 * Holds back the response to the next such request. `held` resolves when the store has responded; `release` delivers
 * the response as it was then.
 */
export async function holdResponse(page: Page, pattern: string | RegExp, method = "GET") {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route(pattern, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback();
    isFirst = false;
    const response = await route.fetch();
    hold();
    await released;
    await route.fulfill({ response });
  });
  return { held, release };
}

/** As if the user left the window and returned to it. */
export function returnTo(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
  });
}

/** Drops files or a folder of this machine. */
export async function dropPath(target: Locator, ...paths: string[]): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await target.boundingBox()) ?? {};
  const chrome = await target.page().context().newCDPSession(target.page());
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await chrome.send("Input.dispatchDragEvent", { type, x: x + 10, y: y + 10, data });
}

async function signIn(tab: Tab, user: SignedIn): Promise<void> {
  await tab.addCookies(user.cookie);
  const { email, name, token, role = "user" } = user;
  await tab.remember({ accessToken: token, "stator.person": JSON.stringify({ email, name, role }) });
}

/** Submits the form of the login page, which is open or about to open. */
export async function submitLogin(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.waitForURL(/\/login/);
  await settled(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
}

/** Signs in as another user, in another tab of the same browser, and waits until the page shows it. */
export async function signInElsewhere(page: Page, { cookie, email, name, token }: SignedIn): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto("/docs");
  const cookies = cookie.split("; ").map((pair) => {
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    return { name: key, value, url: new URL("/", page.url()).href, httpOnly: true };
  });
  await page.context().addCookies(cookies);
  await tab.evaluate(
    (entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    },
    { accessToken: token, "stator.person": JSON.stringify({ email, name, role: "user" }) },
  );
  await page.locator(".hdr__name").getByText(name).first().waitFor();
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

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

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
  if (!(await page.evaluate(() => "axe" in window))) await loadAxe(page);
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

/** The page reads the file: sending 650 kB through the debugger would take 110 of 165 ms. */
async function loadAxe(page: Page): Promise<void> {
  const input = await page.evaluateHandle(() =>
    Object.assign(document.createElement("input"), { type: "file" }),
  );
  await input.setInputFiles(axe);
  const source = await input.evaluateHandle(({ files }) => files?.[0]?.text() ?? "");
  // biome-ignore lint/security/noGlobalEval: axe itself; the page's policy does not apply to the debugger
  await source.evaluate((text) => window.eval(text));
}

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[];
}
