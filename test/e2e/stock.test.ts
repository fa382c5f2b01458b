/** Stock for an admin: reorder points, deliveries and counts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { closePages, expectNoProblems, loseResponses, openPage, settled } from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let hammer: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  hammer = await addProduct(admin, { name: "Demolition hammer", itemNumber: "DH 16-H", quantity: 100 });
  await placeFor(await register(store, "Ada"), hammer, 20);
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

const stock = async () => (await admin.call("findStock", { params: { id: hammer._id }, query: {} })).quantity;

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("a product below its reorder point is listed first, received and counted", async () => {
    const before = await stock();
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto("/dashboard/stock");
    await settled(page);
    const reorder = page.getByRole("textbox", { name: "Reorder point of Demolition hammer" });
    await reorder.fill("1,x");
    await reorder.press("Enter");
    await page.getByText("Enter a whole number without separators, such as 1490.").waitFor();
    await expectNoProblems(opened);
    await reorder.fill(String(before + 20 + width));
    await reorder.press("Enter");
    await page.getByText("1 tool is below its reorder point.").waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await page.getByRole("row").nth(1).getByRole("link", { name: "Demolition hammer", exact: true }).click();
    await page.getByRole("form", { name: "Change stock" }).waitFor();
    await settled(page);
    const pieces = page.getByLabel("Pieces received");
    await pieces.fill("1.5");
    await page.getByRole("button", { name: "Receive" }).click();
    await page.getByText("Enter a whole number.").waitFor();
    await pieces.fill("40");
    await page.getByLabel("Reference").fill("Works order 7724");
    await page.getByRole("button", { name: "Add 40" }).dblclick();
    await page.getByText(`${before + 40} in stock.`).waitFor();
    await page.getByRole("cell", { name: "Works order 7724" }).first().waitFor();
    expect(await stock()).toBe(before + 40);
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByLabel("Pieces counted").fill(String(before + 38));
    await page.getByLabel("Reason").press("Enter");
    await page.getByText(`${before + 38} in stock.`).waitFor();
    await page.getByRole("button", { name: "Correction" }).click();
    await page.getByLabel(/^Pieces to add/).fill("-9999");
    await page.getByLabel("Reason").fill("Scrapped");
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await page.getByText(/^Only \d+ pieces are in stock/).waitFor();
    await expectNoProblems(opened);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await opened.close();
  });
});

test("a reorder point that is saved keeps the focus, and what is typed meanwhile", async () => {
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/stock");
  await settled(page);
  const reorder = page.getByRole("textbox", { name: "Reorder point of Demolition hammer" });
  await reorder.fill("1,200");
  await reorder.press("Enter");
  await expect.poll(() => reorder.inputValue()).toBe("1200");
  expect(await reorder.evaluate((input) => input === document.activeElement)).toBe(true);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/reorder-point", async (route) => {
    await held;
    await route.continue();
  });
  await reorder.fill("1300");
  await reorder.press("Enter");
  await reorder.fill("1350");
  release();
  await page.getByText("Demolition hammer is reordered below 1,300.").waitFor();
  await settled(page);
  expect(await reorder.inputValue()).toBe("1350");
  await reorder.press("Enter");
  await page.getByText("Demolition hammer is reordered below 1,350.").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("a reorder point whose response was lost, or is awaited, can be taken back", async () => {
  const savedPoint = async () =>
    (await admin.call("findStock", { params: { id: hammer._id }, query: {} })).reorderPoint;
  await admin.call("setReorderPoint", { params: { id: hammer._id }, body: { reorderPoint: 1350 } });
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/stock");
  await settled(page);
  const reorder = page.getByRole("textbox", { name: "Reorder point of Demolition hammer" });
  const stop = await loseResponses(page, "**/reorder-point");
  await reorder.fill("1400");
  await reorder.press("Enter");
  await page.getByRole("row").getByRole("alert").waitFor();
  opened.expectProblem(/504/);
  expect(await savedPoint()).toBe(1400);
  stop();
  await reorder.fill("1350");
  await reorder.press("Enter");
  await page.getByText("Demolition hammer is reordered below 1,350.").waitFor();
  expect(await savedPoint()).toBe(1350);
  await settled(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/reorder-point", async (route) => {
    await held;
    await route.continue();
  });
  await reorder.fill("1450");
  await reorder.press("Enter");
  await reorder.fill("1350");
  await reorder.press("Enter");
  release();
  await page.getByText("Demolition hammer is reordered below 1,450.").waitFor();
  await settled(page);
  expect(await savedPoint()).toBe(1350);
  expect(await reorder.inputValue()).toBe("1350");
  await opened.close();
});

test("a delivery whose response a proxy lost is added once", async () => {
  const before = await stock();
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto(`/dashboard/stock/${hammer._id}`);
  await settled(page);
  const stop = await loseResponses(page, `**/products/${hammer._id}/stock`);
  await page.getByLabel("Pieces received").fill("7");
  await page.getByRole("button", { name: "Add 7" }).click();
  await page.getByRole("form", { name: "Change stock" }).getByRole("alert").waitFor();
  opened.expectProblem(/504/);
  stop();
  await page.getByRole("button", { name: "Add 7" }).click();
  await page.getByText(`${before + 7} in stock.`).waitFor();
  expect(await stock()).toBe(before + 7);
  await settled(page);

  // with a reference that was forgotten
  await page.getByLabel("Pieces received").fill("9");
  const stopAgain = await loseResponses(page, `**/products/${hammer._id}/stock`);
  await page.getByRole("button", { name: "Add 9" }).click();
  await page.getByRole("form", { name: "Change stock" }).getByRole("alert").waitFor();
  opened.expectProblem(/504/);
  stopAgain();
  await page.getByLabel("Reference").fill("Works order 7725");
  await page.getByRole("button", { name: "Add 9" }).click();
  await page.getByText("This stock has changed meanwhile.").waitFor();
  await page.getByRole("cell", { name: String(before + 16), exact: true }).waitFor();
  expect(await stock()).toBe(before + 16);
  opened.expectProblem(/409/);
  await expectNoProblems(opened);
  await opened.close();
});

test("a count that an order overtook is shown against the new stock before it is set", async () => {
  const before = await stock();
  const opened = await openPage(store, { user: admin, width: 390 });
  const { page } = opened;
  await page.goto(`/dashboard/stock/${hammer._id}`);
  await settled(page);
  await page.getByRole("button", { name: "Count" }).click();
  await page.getByLabel("Pieces counted").fill(String(before - 2));
  await placeFor(await register(store, "Grace"), hammer, 20);
  await page.getByRole("button", { name: `Set to ${before - 2}` }).click();
  await page.getByText("This stock has changed meanwhile.").waitFor();
  opened.expectProblem(/409/);
  await page.getByRole("definition").filter({ hasText: "+18" }).waitFor();
  expect(await stock()).toBe(before - 20);
  await page.getByLabel("Pieces counted").fill(String(before - 22));
  await page.getByRole("button", { name: `Set to ${before - 22}` }).click();
  await page.getByText(`${before - 22} in stock.`).waitFor();
  expect(await stock()).toBe(before - 22);
  await expectNoProblems(opened);
  await opened.close();
});

test("what is typed for one tool is not kept for the next, the kind of change is", async () => {
  await addProduct(admin, { name: "Bench grinder", quantity: 10 });
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/stock");
  for (const name of ["Demolition hammer", "Bench grinder"]) {
    await page.getByRole("link", { name: "Stock", exact: true }).last().click();
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await page.getByRole("button", { name: "Count" }).click();
  await page.getByLabel("Pieces counted").fill("12");
  await page.evaluate(() => history.go(-2));
  await page.getByRole("heading", { level: 1, name: "Demolition hammer" }).waitFor();
  expect(await page.getByLabel("Pieces counted").inputValue()).toBe("");
  await page.getByRole("button", { name: "Set", exact: true }).waitFor();
  await opened.close();
});

test("the search field is emptied with the search, however soon after typing", async () => {
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/stock");
  const search = page.getByRole("searchbox", { name: "Search tools" });
  await search.fill("no such tool");
  await page.getByRole("button", { name: "Show all tools" }).click();
  await page.getByRole("link", { name: "Demolition hammer", exact: true }).waitFor();
  await expect.poll(() => search.inputValue()).toBe("");
  expect(new URL(page.url()).search).toBe("");
  await opened.close();
});
