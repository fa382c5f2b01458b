/** Interactions before hydration, as on a slow connection, are replayed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage } from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore({ sample: true });
  buyer = await register(store, "Eve Early");
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

/** Opens a page whose script is held back until it is released. */
async function openEarly(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-[^/]*\.js/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("h1").waitFor();
  return resolve;
}

const isWaiting = (page: Page) => page.locator("html").getAttribute("data-early");

test("a button pressed twice is pressed once, and a progress bar runs until then", async () => {
  const opened = await openPage(store, { early: true });
  const { page } = opened;
  const hydrate = await openEarly(page, "/");
  expect(await isWaiting(page)).toBeNull();
  await page.getByRole("button", { name: /^Theme: as the system/ }).dblclick();
  expect(await isWaiting(page)).toBe("");
  hydrate();
  await page.getByRole("button", { name: "Theme: light. Switch to dark" }).waitFor();
  expect(await isWaiting(page)).toBeNull();
  await page.getByRole("button", { name: "Theme: light. Switch to dark" }).click();
  await page.getByRole("button", { name: /^Theme: dark/ }).waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("a form is not posted natively, but submitted with its input after hydration", async () => {
  const opened = await openPage(store, { early: true });
  const { page } = opened;
  const hydrate = await openEarly(page, "/login");
  await page.getByLabel("Email").fill(buyer.email);
  await page.getByLabel("Password", { exact: true }).fill(buyer.password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  expect(await isWaiting(page)).toBe("");
  expect(new URL(page.url()).pathname).toBe("/login");
  hydrate();
  await page.waitForURL("**/");
  await page.getByRole("button", { name: "Sign Out" }).waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("early input in a form of the dashboard is kept", async () => {
  const opened = await openPage(store, { user: buyer, early: true });
  const { page } = opened;
  const hydrate = await openEarly(page, "/dashboard/review");
  await page.getByLabel("Rating").fill("6");
  await page.getByRole("textbox", { name: "Review" }).fill("Came early.");
  hydrate();
  await page.getByText("Maximum 5 Star review available").waitFor();
  expect(await page.getByRole("textbox", { name: "Review" }).inputValue()).toBe("Came early.");
  await expectNoProblems(opened);
  await opened.close();
});

test("an order is placed, and none of its data is in a URL", async () => {
  const opened = await openPage(store, { user: buyer, early: true });
  const { page } = opened;
  const [tool] = await buyer.call("listProducts", { query: {} });
  const hydrate = await openEarly(page, `/product/${tool?._id}`);
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  await page.getByRole("button", { name: "Purchase" }).click();
  expect(await isWaiting(page)).toBe("");
  expect(new URL(page.url()).search).toBe("");
  hydrate();
  await page.waitForURL("**/dashboard/orders");
  const [order] = await buyer.call("listPurchasesOf", { params: { email: buyer.email }, query: {} });
  expect(order).toMatchObject({ address: "Unit 6, Canal Yard" });
  await expectNoProblems(opened);
  await opened.close();
});

test("rows pasted into the cart are added after its rows", async () => {
  const opened = await openPage(store, { early: true });
  const { page } = opened;
  const pasted = async (hydrate: () => void) => {
    const entry = page.getByRole("combobox", { name: "Item number or name, new line" });
    await entry.evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, "DD 18-60\t200\nAG 125-14\t80\n");
    expect(await isWaiting(page)).toBe("");
    hydrate();
    await page.getByRole("heading", { name: "2 rows pasted" }).waitFor();
    expect(await entry.inputValue()).toBe("");
  };
  await pasted(await openEarly(page, "/cart"));
  await page.getByText("2 lines, 280 pieces.").waitFor();
  // the same paste again
  await pasted(await openEarly(page, "/cart"));
  await page.getByText("2 lines, 560 pieces.").waitFor();
  await page.getByText("same tool twice").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("a filter that is chosen is applied", async () => {
  const opened = await openPage(store, { early: true });
  const { page } = opened;
  const hydrate = await openEarly(page, "/tools");
  await page.getByRole("checkbox", { name: /^120 V/ }).check();
  hydrate();
  await page.waitForURL(/voltage=120/);
  await expectNoProblems(opened);
  await opened.close();
});

test("a link works without waiting", async () => {
  const opened = await openPage(store, { early: true });
  const { page } = opened;
  await openEarly(page, "/");
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Blog" }).click();
  await page.waitForURL("**/blog");
  await opened.close();
});
