/**
 * Browser contexts with one page each, used by one test after the other: a new context costs a process that compiles
 * every script, twice the CPU time of a page load in an existing one (132 s of CPU for the tests of admins, now 106 s).
 * What a page can change while it is open, such as the size of its window, is set again for each test.
 */
import { networkInterfaces } from "node:os";
import { type Browser, type CDPSession, chromium, type Disposable, type Page } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

export interface TabOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  /** en-US by default */
  locale?: string;
  /** off by default, so that nothing moves during a check */
  motion?: boolean;
  /** false: without scripts */
  script?: boolean;
  /** false: external pictures fail too; other external requests always do */
  external?: boolean;
  /** with an empty cache, as at a first visit */
  fresh?: boolean;
  /** true: drawn, for screenshots */
  drawn?: boolean;
}

export interface Tab {
  page: Page;
  /** from a `Cookie` header */
  addCookies(header: string): Promise<void>;
  /** Fills localStorage at the first visit of a window: later changes of the page are kept. */
  remember(storage: Record<string, string>): Promise<void>;
  /** Empties the tab for the next test, or closes it. */
  release(): Promise<void>;
}

/** By whether their pages are drawn. */
const browsers = new Map<boolean, Promise<Browser>>();
const idle = new Map<string, Tab[]>();

/** The test files of a process share its browser. */
export async function takeTab(url: string, options: TabOptions): Promise<Tab> {
  const { width = 1280, height = 900, theme = "light", motion = false, ...fixed } = options;
  const key = JSON.stringify([url, fixed]);
  await forgetCrashed(options.drawn ?? false);
  const reused = options.fresh ? undefined : idle.get(key)?.pop();
  const tab = reused ?? (await openTab(url, fixed, key));
  await tab.page.setViewportSize({ width, height });
  await tab.page.emulateMedia({ colorScheme: theme, reducedMotion: motion ? "no-preference" : "reduce" });
  return tab;
}

/** So that a crash fails one test and not all that follow. */
async function forgetCrashed(drawn: boolean): Promise<void> {
  const current = browsers.get(drawn);
  if (!current || (await current).isConnected() || browsers.get(drawn) !== current) return;
  browsers.delete(drawn);
  idle.clear();
}

/** The browser itself ends with the process. */
export async function closePages(): Promise<void> {
  idle.clear();
  const opened = await Promise.all(browsers.values());
  const contexts = opened.flatMap((browser) => browser.contexts());
  await Promise.all(contexts.map((context) => context.close()));
}

async function openTab(
  url: string,
  { locale = "en-US", script = true, external = true, fresh = false, drawn = false }: TabOptions,
  key: string,
): Promise<Tab> {
  const browser = browsers.get(drawn) ?? launch(drawn);
  browsers.set(drawn, browser);
  const context = await (await browser).newContext({
    baseURL: url,
    javaScriptEnabled: script,
    locale,
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const goto = page.goto.bind(page);
  const chrome = await context.newCDPSession(page);
  if (external) await answerExternalPictures(chrome);
  const addInitScript = context.addInitScript.bind(context);
  const scripts: Disposable[] = [];
  const isChanged = watchSettings(page);

  async function reset(): Promise<void> {
    await Promise.all(scripts.splice(0).map((script) => script.dispose()));
    for (const event of EVENTS) page.removeAllListeners(event);
    for (const other of context.pages()) if (other !== page) await other.close();
    // a document of the store, whose storage can be emptied, and without scripts, which would fill it again
    await goto("/robots.txt");
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    // now that leaving the page has ended the requests that a test has held
    for (const routed of [page, context]) await routed.unrouteAll({ behavior: "ignoreErrors" });
    await context.clearCookies();
    await chrome.send("Page.resetNavigationHistory");
    await page.emulateMedia({ media: null, forcedColors: null, contrast: null });
    await page.mouse.move(0, 0);
  }

  const tab: Tab = {
    page,
    addCookies(header) {
      const pairs = header.split("; ").map((pair) => /^([^=]*)=(.*)$/.exec(pair) ?? []);
      return context.addCookies(
        pairs.map(([, name = "", value = ""]) => ({ name, value, url, httpOnly: true })),
      );
    },
    async remember(storage) {
      const fill = (entries: Record<string, string>) => {
        if (sessionStorage.getItem("test.remembered")) return;
        sessionStorage.setItem("test.remembered", "yes");
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
      };
      scripts.push(await addInitScript(fill, storage));
    },
    async release() {
      if (fresh || !script || isChanged()) return context.close();
      try {
        await reset();
      } catch {
        // the store has stopped, or the page has crashed
        return context.close();
      }
      idle.set(key, [...(idle.get(key) ?? []), tab]);
    },
  };
  return tab;
}

const EVENTS = [
  "console",
  "dialog",
  "download",
  "filechooser",
  "framenavigated",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
] as const;

/** Returns whether a test has called what `reset` does not undo. */
function watchSettings(page: Page): () => boolean {
  let changed = false;
  const watch = (target: object, names: string[]) => {
    for (const name of names) {
      const method: (...args: unknown[]) => unknown = Reflect.get(target, name);
      Reflect.set(target, name, (...args: unknown[]) => {
        changed = true;
        return Reflect.apply(method, target, args);
      });
    }
  };
  const both = ["addInitScript", "exposeBinding", "exposeFunction", "setExtraHTTPHeaders"];
  watch(page, both);
  watch(page.clock, ["install", "pauseAt", "setFixedTime", "setSystemTime"]);
  watch(page.context(), [...both, "grantPermissions", "newCDPSession", "setGeolocation", "setOffline"]);
  return () => changed;
}

/** The external IP addresses of this machine. */
export function ownIps(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map((one) => one.address);
}

async function launch(drawn: boolean): Promise<Browser> {
  const { path, environment } = await findChromium();
  const reachable = ["localhost", "127.0.0.1", ...ownIps()].map((host) => `EXCLUDE ${host}`);
  const options = {
    executablePath: path,
    env: { ...process.env, ...environment } as Record<string, string>,
    // software rendering: pictures are the same everywhere
    args: [
      "--disable-gpu",
      "--in-process-gpu",
      // without memory for its tiles, a page is laid out but hardly drawn: a quarter of the CPU time less
      ...(drawn ? [] : ["--force-gpu-mem-available-mb=1"]),
      // a page is open for seconds: optimized code and background threads cost 10 % more than they save
      "--js-flags=--single-threaded,--no-opt,--no-maglev",
      "--font-render-hinting=none",
      "--no-first-run",
      "--no-pings",
      "--disable-sync",
      // there is no network in tests
      `--host-resolver-rules=${["MAP * ~NOTFOUND", ...reachable].join(", ")}`,
    ],
  };
  // it can crash while it starts, several times in a row: one thread reads the environment while another changes it
  const attempt = (left: number): Promise<Browser> =>
    chromium.launch(options).catch((error) => {
      if (left === 0) throw error;
      return attempt(left - 1);
    });
  return attempt(4);
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
async function answerExternalPictures(chrome: CDPSession): Promise<void> {
  chrome.on("Fetch.requestPaused", ({ requestId }) =>
    // a closed page needs no response
    chrome.send("Fetch.fulfillRequest", { requestId, ...pixel }).catch(() => undefined),
  );
  await chrome.send("Fetch.enable", { patterns: [{ urlPattern: "https://*", resourceType: "Image" }] });
}
