/**
 * Admin tables with 100,000 rows of everything: each response against a limit of 100 ms, and the grid of products in
 * Chromium against one of 50 ms for a task. `BENCH_ADMIN=folder` keeps the filled database.
 */
import { resolve } from "node:path";
import pg from "pg";
import type { Page } from "playwright-core";
import { launch } from "./browser.ts";
import { tokenFor } from "./buyers.ts";
import { longestTask, watchTasks } from "./cart.ts";
import { generate } from "./generate.ts";
import { generateOrders } from "./generate-orders.ts";
import { percentiles } from "./load.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const NUMBER = 100_000;
const RUNS = 21;
const LIMIT_MS = 100;
const TASK_LIMIT_MS = 50;

const tables: [string, string[]][] = [
  [
    "Manage All Orders",
    [
      "/purchases",
      "/purchases?status=paid&sort=waiting",
      "/purchases?sort=total",
      "/purchases?q=buyer-4711",
      "/purchases?q=drill",
      "/purchases?buyer=Buyer+99",
      "/purchases?po=PO-99999",
      "/purchases?item=saw",
      "/purchases?from=2026-01-01&to=2026-01-31",
      "/purchases?age=30&sort=oldest",
    ],
  ],
  [
    "Manage Products",
    [
      "/admin/products",
      "/admin/products?low=1",
      "/admin/products?sort=name",
      "/admin/products?sort=price",
      "/admin/products?sort=stock",
      "/admin/products?q=drill+18",
      "/admin/products?limit=100&offset=50000",
      "/admin/products?limit=100&offset=99900&sort=name",
    ],
  ],
  [
    "Customers",
    [
      "/admin/customers",
      "/admin/customers?sort=revenue",
      "/admin/customers?sort=orders",
      "/admin/customers?sort=name",
      "/admin/customers?q=buyer+99",
    ],
  ],
  ["Stock", ["/admin/stock"]],
  ["Overview", ["/overview?period=days&zone=UTC"]],
  ["Audit log", ["/history", "/history?q=buyer-4711"]],
  ["Make Admin", ["/admin/users", "/admin/users?q=buyer-4711"]],
];

export async function measureAdministering(): Promise<Table> {
  const keptFolder = process.env.BENCH_ADMIN;
  const { folder, remove } = keptFolder
    ? { folder: resolve(keptFolder), remove: () => undefined }
    : temporaryFolder();
  const store = await startStore(folder);
  try {
    return await measure(store);
  } finally {
    await store.stop();
    remove();
  }
}

async function measure(store: RunningStore): Promise<Table> {
  await generate(store.connection, NUMBER);
  const client = new pg.Client(store.connection as pg.ClientConfig);
  await client.connect();
  await client.query("SET synchronous_commit = off");
  await generateOrders(client, { customers: NUMBER, orders: NUMBER }, () => undefined);
  await client.end();
  const { token, cookie } = await tokenFor(store, "sign-in", store.admin);
  const headers = { Authorization: `Bearer ${token}` };
  const rows: string[][] = [];
  for (const [name, paths] of tables) {
    for (const path of paths) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const started = performance.now();
        const response = await fetch(`http://127.0.0.1:${store.port}${path}`, { headers });
        const body = await response.text();
        times.push(performance.now() - started);
        if (!response.ok) throw new Error(`${path}: ${response.status} ${body.slice(0, 200)}`);
      }
      const { p50, p95 } = percentiles(times);
      rows.push([
        name,
        `\`${path}\``,
        formatInteger(p50),
        formatInteger(p95),
        p50 < LIMIT_MS ? "yes" : "**no**",
      ]);
      printRow(rows.at(-1) as string[]);
    }
  }
  return {
    title: `Tables of admins, with ${formatInteger(NUMBER)} products, customers and orders`,
    head: ["Page", "Request", "Median, ms", "p95, ms", `Median under ${LIMIT_MS} ms`],
    rows,
    note: `One client, ${RUNS} requests each, from sending the request to having read the response. ${await measureGrid(store, cookie)}`,
  };
}

/** Scrolls, edits, fills and selects in the grid of all products. */
async function measureGrid({ port }: RunningStore, cookie: string): Promise<string> {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const url = `http://localhost:${port}`;
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
    }),
  );
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/manageProduct?view=grid`);
  const cell = page.getByRole("textbox", { name: /^Price, / });
  await cell.first().waitFor();
  const rows = await page.getByRole("grid").getAttribute("aria-rowcount");
  if (Number(rows) <= NUMBER) throw new Error(`The grid has ${rows} rows.`);
  await page.waitForTimeout(1_000);
  await watchTasks(page);
  const scroll = async (by: number) => {
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(30);
  };
  await page.mouse.move(700, 600);
  for (let turn = 0; turn < 40; turn += 1) await scroll(800);
  for (let turn = 0; turn < 10; turn += 1) await scroll(400_000);
  await page.waitForTimeout(1_000);
  const scrolling = await longestTask(page);
  await edit(page);
  const editing = await longestTask(page);
  await browser.close();
  const shown = (ms: number) => (ms === 0 ? `under ${TASK_LIMIT_MS}` : formatInteger(ms));
  return (
    `The grid of Manage Products with all of them, in Chromium: the longest task is ${shown(scrolling)} ms while it is ` +
    `scrolled by screens and to its end, and ${shown(editing)} ms while 20 cells are typed, filled from above, undone ` +
    `and selected (limit ${TASK_LIMIT_MS} ms: ${Math.max(scrolling, editing) <= TASK_LIMIT_MS ? "kept" : "**not kept**"}).`
  );
}

async function edit(page: Page): Promise<void> {
  await page
    .getByRole("textbox", { name: /^Price, / })
    .first()
    .focus();
  for (let turn = 0; turn < 10; turn += 1) {
    await page.keyboard.type("99.50");
    await page.keyboard.press("Enter");
  }
  for (let turn = 0; turn < 10; turn += 1) {
    await page.keyboard.press("Control+d");
    await page.keyboard.press("ArrowDown");
  }
  await page.getByText(/changes in \d+ tools/).waitFor();
  for (let turn = 0; turn < 5; turn += 1) await page.keyboard.press("Shift+ArrowDown");
  for (let turn = 0; turn < 20; turn += 1) await page.keyboard.press("Control+z");
  await page.waitForTimeout(500);
}
