/** The header's search field: suggestions, keyboard, and the hand-over to the tools page. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  intercept,
  openPage,
  settled,
} from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { register } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const fieldOf = (page: Page) => page.getByRole("combobox", { name: "Search tools" });
const optionsOf = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");

async function openField(options: Parameters<typeof openPage>[1] = {}, path = "/blog") {
  const opened = await openPage(store, options);
  await opened.page.goto(path);
  await settled(opened.page);
  return { ...opened, opened, field: fieldOf(opened.page), options: optionsOf(opened.page) };
}

test("slash focuses it; products are suggested with number, picture and price; keys select and open one", async () => {
  const { opened, page, field, options, close } = await openField();
  await page.keyboard.press("/");
  await page.keyboard.type("hammerdrill");
  const first = options.first();
  await first.waitFor();
  expect(await first.textContent()).toBe("Hammer drillHD 850-2$109.00");
  expect(await first.locator("img").getAttribute("src")).toBe("/tools/hammer-drill.svg");
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  await expectNoProblems(opened);
  await page.keyboard.press("ArrowDown");
  expect(await first.getAttribute("aria-selected")).toBe("true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await first.waitFor({ state: "detached" });
  expect([await field.inputValue(), await field.getAttribute("aria-expanded")]).toEqual([
    "hammerdrill",
    "false",
  ]);
  await page.keyboard.press("ArrowDown");
  await first.waitFor();
  await page.keyboard.press("ArrowUp");
  expect(await options.last().getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  // buying needs a login first
  await page.waitForURL("**/login?from=%2Fproduct%2F**");
  await close();
});

test("Enter without a selection shows all results, and the field follows Back", async () => {
  const { page, field, options, close } = await openField();
  await field.pressSequentially("saw", { delay: 20 });
  await options.first().waitFor();
  expect(await options.count(), "at most eight, and the way to all").toBeLessThanOrEqual(9);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tools?q=saw");
  await page.getByText("7 tools for “saw”").waitFor();
  expect(await field.inputValue()).toBe("saw");
  await field.fill("jigsaw");
  await page.getByText(/^\d tools? for “jigsaw”/).waitFor();
  await page.goBack();
  await page.waitForURL("**/blog");
  await expect.poll(() => field.inputValue()).toBe("");
  await close();
});

test("text typed while a page loads stays; text of the page before does not", async () => {
  const { page, field, options, close } = await openField({ user: await register(store) }, "/");
  await field.fill("saw");
  await options.first().waitFor();
  const { held, release } = await holdResponse(page, "**/product/*.data*");
  await options.first().click();
  await held;
  await field.fill("sander");
  release();
  await page.waitForURL("**/product/*");
  await settled(page);
  expect(await field.inputValue()).toBe("sander");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Blog" }).first().click();
  await page.waitForURL("**/blog");
  await expect.poll(() => field.inputValue()).toBe("");
  await field.press("ArrowDown");
  await settled(page);
  expect(await options.count(), "suggestions of no text").toBe(0);
  await close();
});

test("on the tools page the list updates, filters stay, and arrow down moves to the first product", async () => {
  const { page, field, options, close } = await openField({}, "/tools?power=Mains");
  await field.fill("sander");
  await page.waitForURL(
    (url) => url.search === "?q=sander&power=Mains" || url.search === "?power=Mains&q=sander",
  );
  await page.getByRole("link", { name: "Buy Now, Rotary hammer" }).waitFor({ state: "detached" });
  expect(await options.count()).toBe(0);
  await page.keyboard.press("ArrowDown");
  expect(await page.locator(":focus").getAttribute("aria-label")).toMatch(/^Buy Now, .* sander/);
  await close();
});

test("only the last text is searched for, and failed suggestions do not stop a search", async () => {
  const { opened, page, field, options, close } = await openField();
  const queries: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/catalog/suggestions") queries.push(url.searchParams.get("q") ?? "");
  });
  await field.pressSequentially("angle", { delay: 10 });
  await options.first().waitFor();
  expect(queries).toEqual(["angle"]);
  await field.fill("xyzzy");
  await page.getByText("No tool matches “xyzzy”.").waitFor();
  const { held, release } = await holdResponse(page, "**/catalog/suggestions**");
  await field.fill("angle");
  await held;
  expect(await page.getByText("No tool matches “angle”.").count(), "before the response").toBe(0);
  release();
  await options.first().waitFor();
  await intercept(page, "**/catalog/suggestions**");
  await field.pressSequentially(" grinder", { delay: 10 });
  await page.getByText("Suggestions could not be loaded. Press Enter to search.").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tools?q=angle+grinder");
  opened.expectProblem(/ERR_FAILED|Failed to fetch/);
  await close();
});

test("text typed before hydration is kept, and gets suggestions", async () => {
  const { page, close } = await openPage(store, { early: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-[^/]*\.js/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto("/blog", { waitUntil: "commit" });
  await page.locator("h1").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("jigs");
  resolve();
  await optionsOf(page).filter({ hasText: "Jigsaw" }).waitFor();
  expect(await fieldOf(page).inputValue()).toBe("jigs");
  await close();
});
