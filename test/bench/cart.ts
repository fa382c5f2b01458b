/** The cart page with 5,000 lines in Chromium: long tasks of pasting, scrolling and editing, against a limit of 50 ms. */
import type pg from "pg";
import type { Browser, Page } from "playwright-core";
import { launch } from "./browser.ts";
import { generate } from "./generate.ts";
import { queryOnce, type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const LINES = 5_000;
const RUNS = 5;
const LIMIT_MS = 50;

export async function measureCart(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const browser = await launch();
  try {
    await generate(store.connection, 2 * LINES);
    return await measure(browser, store);
  } finally {
    await browser.close();
    await store.stop();
    remove();
  }
}

async function measure(browser: Browser, { port, connection }: RunningStore): Promise<Table> {
  const text = (await itemNumbers(connection)).map((item, at) => `${item}\t${(at % 90) + 10}`).join("\n");
  const longest: Record<string, number> = {};
  let heapMb = 0;
  let shownMs = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://localhost:${port}/cart`);
    await page.waitForFunction(() => !("takeEarlyEvents" in window)); // until the page is hydrated
    await watchTasks(page);
    const note = async (what: string) => {
      longest[what] = Math.max(longest[what] ?? 0, await longestTask(page));
    };
    const start = await page.evaluate(() => performance.now());
    await paste(page, text);
    await page.locator(".pad__name b, .pad__name a").first().waitFor();
    shownMs = Math.max(shownMs, (await page.evaluate(() => performance.now())) - start);
    await page.waitForFunction(() => !document.querySelector(".pad__skeleton"));
    await page.waitForTimeout(2_000);
    await note("Paste, until all lines are checked");
    await page.mouse.move(500, 500);
    for (let turn = 0; turn < 40; turn += 1) {
      await page.mouse.wheel(0, 800);
      await page.waitForTimeout(30);
    }
    await note("Scroll through 600 lines, a screen at a time");
    const cell = page.getByRole("textbox", { name: /^Quantity, / }).first();
    await cell.fill("250");
    await cell.press("Enter");
    await page.waitForTimeout(1_500);
    await note("Change a quantity");
    heapMb = Math.max(heapMb, await usedMegabytes(page));
    await page.close();
  }
  const rows = Object.entries(longest).map(([what, ms]) => {
    const shown = ms === 0 ? `under ${LIMIT_MS}` : formatInteger(ms);
    return [what, shown, ms <= LIMIT_MS ? "yes" : "**no**"];
  });
  for (const row of rows) printRow(row);
  return {
    title: `A cart of ${formatInteger(LINES)} lines in the browser`,
    head: ["What", "Longest task, ms", `At most ${LIMIT_MS} ms`],
    rows,
    note: `Chromium, a window of 1440 × 900, the longest of ${RUNS} runs. The first lines are shown with name and price at most ${formatInteger(shownMs)} ms after the paste. Memory of the page's scripts at most ${formatInteger(heapMb)} MB.`,
  };
}

async function itemNumbers(connection: pg.PoolConfig): Promise<string[]> {
  const rows = await queryOnce<{ item_number: string }>(
    connection,
    "SELECT item_number FROM shop.product WHERE item_number IS NOT NULL ORDER BY id LIMIT $1",
    [LINES],
  );
  return rows.map(({ item_number }) => item_number);
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole("combobox", { name: "Item number or name, new line" }).focus();
  await page.evaluate((rows) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", rows);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

export async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
  });
}

/** Since the last call; 0 if all took less than 50 ms, which are not reported. */
export function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { tasks } = window as unknown as { tasks: number[] };
    return Math.max(0, ...tasks.splice(0));
  });
}

async function usedMegabytes(page: Page): Promise<number> {
  const chrome = await page.context().newCDPSession(page);
  const { usedSize } = await chrome.send("Runtime.getHeapUsage");
  return usedSize / 2 ** 20;
}
