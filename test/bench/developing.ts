/** `npm run dev`: the time until an edit is on the screen, and until the store has restarted. */
import { chromium, type Page } from "playwright-core";
import { copyCheckout } from "../harness/dev-checkout.ts";
import { findChromium } from "../harness/find-chromium.ts";
import { median } from "./compare.ts";
import { formatInteger, type Table } from "./table.ts";

const EDITS = 7;
const RESTARTS = 5;

export async function measureDeveloping(): Promise<Table> {
  const checkout = await copyCheckout();
  await checkout.start();
  const { path, environment } = await findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment } as Record<string, string>,
  });
  const page = await browser.newPage();
  await page.goto(`${checkout.url}/login`, { waitUntil: "networkidle" });
  const component: number[] = [];
  const style: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    component.push(
      await timeUntil(page, `document.body.innerText.includes("edit ${edit}.")`, () =>
        checkout.edit("app/pages/auth/auth-frame.tsx", "{children}", `{children}edit ${edit}.`),
      ),
    );
    style.push(
      await timeUntil(page, `getComputedStyle(document.body).outlineWidth === "${edit + 1}px"`, () =>
        checkout.edit("app/styles/auth.css", ".auth {", `body { outline: ${edit + 1}px solid }\n.auth {`),
      ),
    );
    await page.waitForTimeout(300);
  }
  await browser.close();
  const ready: number[] = [];
  const firstPage: number[] = [];
  for (let count = 0; count < RESTARTS; count += 1) {
    const before = performance.now();
    await checkout.stop();
    const started = checkout.start();
    while (!(await isReady(checkout.url))) await new Promise((done) => setTimeout(done, 20));
    ready.push(performance.now() - before);
    await started;
    firstPage.push(performance.now() - before);
  }
  await checkout.stop();
  checkout.remove();
  return {
    title: "Developing",
    head: ["What", "Limit", "Figure"],
    rows: [
      [
        `Component edited to changed page, median of ${EDITS}`,
        "200 ms",
        `${formatInteger(median(component))} ms`,
      ],
      [
        `Stylesheet edited to changed page, median of ${EDITS}`,
        "200 ms",
        `${formatInteger(median(style))} ms`,
      ],
      [`Server stopped and ready again, median of ${RESTARTS}`, "2 s", seconds(median(ready))],
      [
        `The same to the first page, which Vite compiles, median of ${RESTARTS}`,
        "",
        seconds(median(firstPage)),
      ],
    ],
    note: "`npm run dev` on the login page, in Chromium. A restart includes the embedded PostgreSQL.",
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function timeUntil(page: Page, condition: string, edit: () => void): Promise<number> {
  const changed = page.waitForFunction(condition, null, { polling: "raf" });
  const before = performance.now();
  edit();
  await changed;
  return performance.now() - before;
}
