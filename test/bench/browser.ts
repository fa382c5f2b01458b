/**
 * How fast the pages are for people: Chromium, five visits each with an empty cache, medians. Once as the machine
 * is, once as a phone on a slow line: four times slower, 150 ms there and back, 1.6 Mbit/s.
 */
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../harness/find-chromium.ts";
import { median } from "./compare.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { line, type Table } from "./table.ts";

const VISITS = Number(process.env.BENCH_VISITS ?? 5);
const SLOW = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};

interface Vitals {
  lcp: number;
  cls: number;
  /** from a press to the next paint; 0 where nothing is pressed */
  press: number;
  kilobytes: number;
}

export async function measureBrowser(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const browser = await launch();
  const [tool] = (await (await fetch(`http://127.0.0.1:${store.port}/products`)).json()) as { _id: string }[];
  const rows: string[][] = [];
  for (const [name, path] of [
    ["Home", "/"],
    ["Catalogue", "/tools"],
    ["Tool", `/product/${tool?._id}`],
  ] as const) {
    for (const slow of [false, true]) {
      const visits: Vitals[] = [];
      for (let visit = 0; visit < VISITS; visit += 1)
        visits.push(await visitPage(browser, store, path, slow));
      const of = (vital: keyof Vitals) => median(visits.map((one) => one[vital]));
      rows.push([
        name,
        slow ? "phone, slow line" : "as it is",
        `**${of("lcp").toFixed(0)}**`,
        of("cls").toFixed(3),
        of("press").toFixed(0),
        of("kilobytes").toFixed(0),
      ]);
      line(rows.at(-1) as string[]);
    }
  }
  await browser.close();
  await store.stop();
  remove();
  return {
    title: "In the browser",
    head: [
      "Page",
      "Where",
      "Largest paint (LCP), ms",
      "Layout shift (CLS)",
      "Press to next paint, ms",
      "Sent, kB",
    ],
    rows,
    note: `Chromium, medians of ${VISITS} visits with an empty cache; the slow line is 1.6 Mbit/s, 150 ms there and back, with a processor four times slower.`,
  };
}

async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment },
    args: ["--no-sandbox"],
  });
}

async function visitPage(
  browser: Browser,
  store: RunningStore,
  path: string,
  slow: boolean,
): Promise<Vitals> {
  const context = await browser.newContext({
    viewport: slow ? { width: 390, height: 844 } : { width: 1280, height: 800 },
  });
  // the tool's page is for people who are signed in; the hint is all that it looks at
  await context.addInitScript(() =>
    localStorage.setItem("stator.person", '{"email":"a@b.example","name":"A"}'),
  );
  const page = await context.newPage();
  const chrome = await context.newCDPSession(page);
  await chrome.send("Network.enable");
  if (slow) await slowDown(chrome);
  let bytes = 0;
  chrome.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.route("**/tile.openstreetmap.org/**", (route) => route.abort());
  await page.goto(`http://localhost:${store.port}${path}`, { waitUntil: "load" });
  await page.waitForTimeout(slow ? 1500 : 300);
  const press = await pressSomething(page);
  const { lcp, cls } = await vitalsOf(page);
  await context.close();
  return { lcp, cls, press, kilobytes: bytes / 1024 };
}

async function slowDown(chrome: CDPSession): Promise<void> {
  await chrome.send("Network.emulateNetworkConditions", { offline: false, ...SLOW });
  await chrome.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** What a page lets one press: a question, a facet, the theme. */
async function pressSomething(page: Page): Promise<number> {
  await page.evaluate(() => {
    Object.assign(window, { presses: [] as number[] });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as never as { presses: number[] }).presses.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page
    .getByRole("button", { name: /theme|light|dark|appearance/i })
    .first()
    .click();
  await page.waitForTimeout(300);
  return page.evaluate(() => Math.max(0, ...(window as never as { presses: number[] }).presses));
}

function vitalsOf(page: Page): Promise<{ lcp: number; cls: number }> {
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
        setTimeout(() => resolve({ lcp, cls }), 100);
      }),
  );
}
