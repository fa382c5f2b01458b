/** One visit of a page with an empty cache, signed in, with its measurements. */
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

export interface Place {
  name: string;
  path: string;
  /** the Cookie header of the session, if the page needs one */
  cookie?: string;
  /** what is pressed on it, in addition to the theme switch: a selector */
  press: string;
  /** the previous page, and the selector of the link there */
  from: string;
  link: string;
}

export interface Vitals {
  lcp: number;
  fcp: number;
  cls: number;
  /** from a press to the next paint, the slowest; 0 is under 16 ms */
  press: number;
  kilobytes: number;
  /** kilobytes loaded before the largest paint */
  before: number;
}

const SLOW = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};

export async function visit(browser: Browser, site: string, place: Place, slow: boolean): Promise<Vitals> {
  const { context, page, chrome } = await open(browser, site, place, slow);
  let first = 0;
  const received: { at: number; bytes: number }[] = [];
  chrome.on("Network.requestWillBeSent", ({ timestamp }) => {
    first ||= timestamp;
  });
  chrome.on("Network.dataReceived", ({ timestamp, encodedDataLength }) =>
    received.push({ at: (timestamp - first) * 1000, bytes: encodedDataLength }),
  );
  await page.goto(site + place.path, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  const { lcp, fcp, cls } = await vitalsOf(page);
  const press = Math.max(await pressOn(page, ".theme-switch"), await pressOn(page, place.press));
  await context.close();
  const sum = (from: typeof received) => from.reduce((total, { bytes }) => total + bytes, 0) / 1024;
  return {
    lcp,
    fcp,
    cls,
    press,
    kilobytes: sum(received),
    before: sum(received.filter(({ at }) => at <= lcp)),
  };
}

/** Milliseconds until the largest paint, without interaction. */
export async function measurePaint(
  browser: Browser,
  site: string,
  place: Place,
  slow: boolean,
): Promise<number> {
  const { context, page } = await open(browser, site, place, slow);
  await page.goto(site + place.path, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  const { lcp } = await vitalsOf(page);
  await context.close();
  return lcp;
}

/**
 * Milliseconds from the press on the link to the first frame of the page: after half a second of hover; on the phone
 * by a tap, without prefetch.
 */
export async function changeRoute(
  browser: Browser,
  site: string,
  place: Place,
  slow: boolean,
): Promise<number> {
  const { path, from, link } = place;
  const { context, page } = await open(browser, site, place, slow);
  await page.goto(site + from, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    const before = document.querySelector("main h1")?.textContent;
    const reached = Promise.withResolvers<number>();
    Object.assign(window, { reached: reached.promise });
    document.addEventListener(
      "click",
      ({ timeStamp }) => {
        const watch = new MutationObserver(() => {
          const heading = document.querySelector("main h1")?.textContent;
          if (!heading || heading === before) return;
          watch.disconnect();
          requestAnimationFrame(() => setTimeout(() => reached.resolve(performance.now() - timeStamp)));
        });
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
      },
      true,
    );
  });
  const target = page.locator(link).first();
  if (slow) await target.tap();
  else {
    await target.hover();
    await page.waitForTimeout(500);
    await target.click();
  }
  const elapsedMs = await page.evaluate(() => (window as never as { reached: Promise<number> }).reached);
  if (new URL(page.url()).pathname !== path) throw new Error(`${link} led to ${page.url()}.`);
  await context.close();
  return elapsedMs;
}

async function open(
  browser: Browser,
  site: string,
  { cookie = "" }: Place,
  slow: boolean,
): Promise<{ context: BrowserContext; page: Page; chrome: CDPSession }> {
  const context = await browser.newContext({
    viewport: slow ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    hasTouch: slow,
  });
  // the product page needs a signed-in user; it only looks at the hint
  await context.addInitScript(() =>
    localStorage.setItem("stator.person", '{"email":"a@b.example","name":"A"}'),
  );
  const pairs = cookie.split("; ").filter(Boolean);
  await context.addCookies(
    pairs.map((pair) => ({
      name: pair.split("=", 1)[0] ?? "",
      value: pair.slice(pair.indexOf("=") + 1),
      url: site,
    })),
  );
  const page = await context.newPage();
  const chrome = await context.newCDPSession(page);
  await chrome.send("Network.enable");
  if (slow) {
    await chrome.send("Network.emulateNetworkConditions", { offline: false, ...SLOW });
    await chrome.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  }
  return { context, page, chrome };
}

/** The duration of the longest event of one press, from the press to the next paint, in steps of 8 ms. */
async function pressOn(page: Page, selector: string): Promise<number> {
  const target = page.locator(selector).filter({ visible: true }).first();
  await target.scrollIntoViewIfNeeded();
  await page.evaluate(() => {
    const presses: number[] = [];
    Object.assign(window, { presses });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) presses.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await target.click();
  await page.waitForTimeout(300);
  return page.evaluate(() => Math.max(0, ...(window as never as { presses: number[] }).presses));
}

function vitalsOf(page: Page): Promise<{ lcp: number; fcp: number; cls: number }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let lcp = 0;
        let cls = 0;
        new PerformanceObserver((list) => {
          lcp = list.getEntries().at(-1)?.startTime ?? lcp;
        }).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as never as { value: number; hadRecentInput: boolean }[])
            if (!entry.hadRecentInput) cls += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
        setTimeout(() => resolve({ lcp, fcp, cls }), 100);
      }),
  );
}
