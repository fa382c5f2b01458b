/** The next page is read while the pointer or the focus rests on its link, and the press finds it in memory. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, openPage, settled } from "../harness/browser.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { change, offer } from "../harness/trade.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
  buyer = await register(store, "Ada Ahead");
});
afterAll(async () => {
  await closeBrowser();
  await store.stop();
});

/** Rests on a link until the page behind it was read by our script, `times` times by now. */
async function rest(page: Page, link: Locator, data: string, how: "hover" | "focus" = "hover", times = 1) {
  await settled(page);
  await link[how]();
  const read = () =>
    page.evaluate(
      (path) =>
        performance
          .getEntriesByType("resource")
          .filter(
            (one) => one.name.includes(path) && (one as PerformanceResourceTiming).initiatorType === "fetch",
          ).length,
      data,
    );
  await expect.poll(read).toBe(times);
  await settled(page);
}

/** What is asked for from a press on until the catalogue is there. */
async function askedBy(page: Page, press: () => Promise<void>): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await press();
  await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
  await settled(page);
  return asked;
}

const getStarted = (page: Page) => page.getByRole("link", { name: "Get Started" });
const buy = (page: Page, { name }: { name: string }) => page.getByRole("link", { name: `Buy Now, ${name}` });

test.each(["hover", "focus"] as const)("a press after a %s asks for nothing more", async (how) => {
  const opened = await openPage(store);
  const { page } = opened;
  await page.goto("/");
  await rest(page, getStarted(page), "/tools.data", how);
  const asked = await askedBy(page, () =>
    how === "hover" ? getStarted(page).click() : page.keyboard.press("Enter"),
  );
  expect(asked.filter((url) => /\.data\b|\/assets\//.test(url))).toEqual([]);
  expect(opened.problems).toEqual([]);
  await opened.close();
});

test("nor after a rest on a link whose address has blanks in it", async () => {
  const opened = await openPage(store, { person: buyer });
  const { page } = opened;
  const tools = await admin.call("listProducts", { query: {} });
  const tool = tools.find(({ category }) => category?.includes(" "));
  await page.goto(`/product/${tool?._id}`);
  const link = page.getByRole("link", { name: tool?.category ?? "", exact: true });
  await rest(page, link, "/tools.data?category=");
  const asked = await askedBy(page, () => link.click());
  expect(asked.filter((url) => /\.data\b/.test(url))).toEqual([]);
  expect(opened.problems).toEqual([]);
  await opened.close();
});

test("a tool that went meanwhile is told at the press, not before", async () => {
  const gone = await offer(admin, { name: "Aardvark drill" });
  const opened = await openPage(store, { person: buyer });
  const { page } = opened;
  await page.goto("/tools?q=aardvark");
  await admin.call("deleteProduct", { params: { id: gone._id } });
  await settled(page);
  await buy(page, gone).hover();
  await expect.poll(() => opened.problems.join()).toMatch(/404/);
  await settled(page);
  opened.expectProblem(/404/);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Tools");
  expect(opened.problems).toEqual([]);
  await buy(page, gone).click();
  await page.getByRole("heading", { name: "Nothing hangs here" }).waitFor();
  await opened.close();
});

test("who is not logged in stays where they are, until they press", async () => {
  const tool = await offer(admin, { name: "Badger saw" });
  const opened = await openPage(store);
  const { page } = opened;
  await page.goto("/tools?q=badger");
  await settled(page);
  await buy(page, tool).hover();
  await page.waitForRequest(/\/assets\/product-/);
  await settled(page);
  expect(new URL(page.url()).pathname).toBe("/tools");
  expect(opened.problems).toEqual([]);
  await buy(page, tool).click();
  await page.waitForURL((url) => url.pathname === "/login" && url.searchParams.get("from") !== null);
  await opened.close();
});

test("who comes back to a link, or rests on it for long, sees what is true at the press", async () => {
  const tool = await offer(admin, { name: "Cobra grinder", price: 10 });
  const opened = await openPage(store, { person: buyer });
  const { page } = opened;
  const reprice = async (price: number) =>
    change(admin, await admin.call("findProduct", { params: { id: tool._id } }), { price });
  await page.goto("/tools?q=cobra");
  await rest(page, buy(page, tool), `${tool._id}.data`);
  await reprice(11);
  await page.getByRole("heading", { level: 1 }).hover();
  await buy(page, tool).click();
  await page.getByText("$11.00 per piece").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Tools" }).hover();
  await rest(page, buy(page, tool), `${tool._id}.data`, "hover", 3);
  await reprice(12);
  await page.clock.setFixedTime(Date.now() + 6_000);
  await buy(page, tool).click();
  await page.getByText("$12.00 per piece").waitFor();
  expect(opened.problems).toEqual([]);
  await opened.close();
});
