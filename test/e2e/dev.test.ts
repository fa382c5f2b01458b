/** `npm run dev`: an edited component and an edited stylesheet reach the open page without a reload. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openPage } from "../harness/browser.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { copyCheckout, type DevCheckout } from "../harness/dev-checkout.ts";
import type { TestStore } from "../harness/store.ts";

let checkout: DevCheckout;
let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  const { user, password, host, port, database: name } = database.connection;
  const place = new URLSearchParams({ host: String(host), port: String(port) });
  checkout = await copyCheckout();
  await checkout.start({ DATABASE_URL: `postgres://${user}:${password}@/${name}?${place}` });
});
afterAll(async () => {
  await closePages();
  expect(await checkout.stop()).toBe(0);
  await database.drop();
  checkout.remove();
});

test("an edit updates the open page, which keeps its input", async () => {
  const visitor = await openPage({ url: checkout.url } as TestStore);
  const { page } = visitor;
  await page.goto("/login");
  await page.waitForLoadState("networkidle");
  const documents: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
  const email = page.getByLabel("Email");
  await email.fill("ada@example.com");

  checkout.edit("app/pages/auth/auth-frame.tsx", "{children}", "{children}<p>Edited in development</p>");
  await page.getByText("Edited in development").waitFor();
  expect(await email.inputValue()).toBe("ada@example.com");

  checkout.edit("app/styles/auth.css", ".auth {", "body { outline: 7px solid }\n.auth {");
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).outlineWidth)).toBe("7px");
  expect(await email.inputValue()).toBe("ada@example.com");
  expect(documents).toEqual([]);
  expect(visitor.problems).toEqual([]);
  await visitor.close();
});

test("files with secrets are not served", async () => {
  for (const path of ["/data/secrets.json", "/.env"]) {
    const response = await fetch(checkout.url + path);
    expect([403, 404], path).toContain(response.status);
  }
});
