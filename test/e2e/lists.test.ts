/**
 * Saved lists: created, changed, added to the cart and deleted, on a phone and a desktop, by pointer and by keyboard.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  intercept,
  loseResponses,
  type OpenPage,
  openPage,
  settled,
} from "../harness/browser.ts";
import { addProduct, impactWrench } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let wrench: Product;
let grinder: Product;
let discontinued: Product;

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  wrench = await addProduct(admin, { ...impactWrench, itemNumber: "IW 18-400" });
  grinder = await addProduct(admin, {
    name: "Small angle grinder",
    itemNumber: "AG 125-14",
    price: 80,
    minimum_order: 5,
    quantity: 55,
  });
  discontinued = await addProduct(admin, { name: "Old planer", itemNumber: "OP 1" });
  await admin.call("deleteProduct", { params: { id: discontinued._id } });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const lineOf = ({ _id }: Product, quantity: number) => ({ productId: _id, quantity });
const save = (user: SignedIn, ...lines: { productId: string; quantity: number }[]) =>
  user.call("addSavedList", { body: { name: "Van restock", lines } });
const quantitiesOf = async (user: SignedIn, id: string) =>
  (await user.call("findSavedList", { params: { id } })).lines.map(({ quantity }) => quantity);

/** A list of a new user, on its page. */
async function openList(...lines: ReturnType<typeof lineOf>[]) {
  const user = await register(store);
  const { _id: id } = await save(user, ...lines);
  const visitor = await openPage(store, { user });
  await open(visitor.page, id);
  return { user, id, visitor, page: visitor.page };
}

async function open(page: Page, id: string) {
  await page.goto(`/dashboard/lists/${id}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

function pasteInto(field: Locator, rows: string) {
  return field.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, rows);
}

async function expectNoSidewaysScroll(page: Page) {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWide, "scrolls sideways").toBe(false);
}

/** All rules in the first theme; the others differ in colours. */
async function expectNoProblemsIn(themes: readonly ("light" | "dark")[], visitor: OpenPage) {
  for (const [at, colorScheme] of themes.entries()) {
    await visitor.page.emulateMedia({ colorScheme });
    await expectNoProblems(visitor, at === 0 ? "all" : "colours");
  }
}

describe.each([
  [1440, ["light"]],
  [900, ["dark"]],
  [390, ["dark", "light"]],
] as const)("at %i pixels, %s", (width, themes) => {
  const [theme] = themes;

  test("the lists and one list show totals and problems", async () => {
    const user = await register(store, "Ada Lovell");
    const { _id: id } = await save(user, lineOf(wrench, 100), lineOf(grinder, 60), lineOf(discontinued, 10));
    await user.call("addSavedList", { body: { name: "Site 14", lines: [lineOf(wrench, 20)] } });
    const visitor = await openPage(store, { user, width, height: 900, theme });
    const { page } = visitor;
    await page.goto("/dashboard/lists");
    await page.getByText("2 lists.").waitFor();
    await page.getByText("1 line no longer sold").waitFor();
    await page.getByText("1 line short of stock").waitFor();
    await page.getByText("$11,900.00").waitFor();
    await settled(page);
    await expectNoProblemsIn(themes, visitor);
    await expectNoSidewaysScroll(page);
    await page.getByRole("link", { name: "Van restock" }).click();
    await page.getByText("3 lines, 100 pieces, $11,900.00 today.").waitFor();
    await page.getByText("55 in stock, you asked for 60.").waitFor();
    await page.getByText("Old planer OP 1 is no longer sold.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/lists/${id}`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toBe(
      "\ufeffItem number,Quantity,Tool,Price,Total\r\nIW 18-400,100,Impact wrench,119.00,11900.00\r\n" +
        "AG 125-14,60,Small angle grinder,80.00,\r\nOP 1,10,Old planer,,\r\n",
    );
    await settled(page);
    await expectNoProblemsIn(themes, visitor);
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole("button", { name: "Take 55, Small angle grinder" }).click();
    await page.getByText("3 lines, 155 pieces, $16,300.00 today.").waitFor();
    await expect.poll(() => quantitiesOf(user, id)).toEqual([100, 55, 10]);
    await visitor.close();
  });

  test("an empty page and an empty list have instructions", async () => {
    const user = await register(store);
    const visitor = await openPage(store, { user, width, height: 900, theme });
    const { page } = visitor;
    await page.goto("/dashboard/lists");
    await page.getByText("No lists yet").waitFor();
    await expectNoProblemsIn(themes, visitor);
    await page.getByRole("button", { name: "New list" }).click();
    const dialog = page.getByRole("dialog", { name: "New list" });
    await dialog.getByRole("button", { name: "Save list" }).click();
    await dialog.getByText("Enter a name for this list.").waitFor();
    await expectNoProblemsIn(themes, visitor);
    await dialog.getByLabel("Name", { exact: true }).fill("Depot");
    await dialog.getByRole("button", { name: "Save list" }).click();
    await page.getByRole("heading", { name: "Depot", level: 1 }).waitFor();
    await page.getByText("Nothing in this list yet").waitFor();
    await settled(page);
    await expectNoProblemsIn(themes, visitor);
    await expectNoSidewaysScroll(page);
    await visitor.close();
  });
});

test("by keyboard: adds products, changes a quantity, removes a line and undoes that", async () => {
  const { user, id, visitor, page } = await openList();
  const entry = page.getByRole("combobox", { name: "Item number or name, new line" });
  await entry.focus();
  await page.keyboard.type("impact wr");
  await page.getByRole("option", { name: /Impact wrench/ }).waitFor();
  await expectNoProblems(visitor);
  await page.keyboard.press("Enter");
  await page.keyboard.type("200");
  await page.keyboard.press("Enter");
  await page.getByText("1 line, 200 pieces, $23,800.00 today.").waitFor();
  // any notation of an item number, and the minimum order without a quantity
  await page.keyboard.type("ag12514");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("2 lines, 205 pieces").waitFor();
  await expect.poll(() => quantitiesOf(user, id)).toEqual([200, 5]);

  const quantity = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await quantity.focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([210, 5]);
  await page.keyboard.type("12abc");
  await page.keyboard.press("Enter");
  await page.getByText("Enter a whole number.").waitFor();
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Add 2 lines to cart" }).click();
  await page.getByText("Correct the quantity of this line first.").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe("Quantity, Impact wrench");
  await page.keyboard.press("Control+z");
  expect(await quantity.inputValue()).toBe("210");
  expect(await quantitiesOf(user, id)).toEqual([210, 5]);
  await quantity.fill("1,205");
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("Quantity, Small angle grinder");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("Quantity, new line");
  await page.getByText("Sold in multiples of 10. 1,205 is not one.").waitFor();
  await page.getByRole("button", { name: "Take 1,210, Impact wrench" }).press("Enter");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([1210, 5]);

  await page.getByRole("button", { name: "Remove Impact wrench" }).press("Enter");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([5]);
  await expect.poll(focused).toBe("Quantity, Small angle grinder");
  await page.getByRole("button", { name: "Undo removing the line" }).press("Enter");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([1210, 5]);
  await quantity.focus();
  await page.keyboard.press("Shift+Delete");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([5]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([1210, 5]);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([5]);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("an unknown product is not added; similar ones are suggested; a product has one line", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 20));
  const entry = page.getByRole("combobox", { name: "Item number or name, new line" });
  await entry.fill("AG 125-4");
  const quantity = page.getByRole("textbox", { name: "Quantity, new line" });
  await quantity.fill("10");
  await quantity.press("Enter");
  await page.getByText("No tool has the item number AG 125-4.").waitFor();
  await expectNoProblems(visitor);
  expect(await quantitiesOf(user, id)).toEqual([20]);
  await page.getByRole("button", { name: "AG 125-14, Small angle grinder, AG 125-4" }).click();
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20, 10]);
  await entry.fill("iw18400");
  await entry.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Already line 1.").waitFor();
  await visitor.close();
});

test("what is typed or pasted while a line is being checked is kept", async () => {
  const { user, id, visitor, page } = await openList();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/lines/check", async (route) => {
    const { lines } = route.request().postDataJSON() as Input<"checkLines">["body"];
    if (lines.some(({ quantity }) => quantity === 20)) await promise;
    await route.fallback();
  });
  const entry = page.getByRole("combobox", { name: "Item number or name, new line" });
  await entry.fill("iw18400");
  await entry.press("Escape");
  await page.getByRole("textbox", { name: "Quantity, new line" }).fill("20");
  const check = page.waitForRequest("**/lines/check");
  await page.keyboard.press("Enter");
  await check;
  await pasteInto(entry, "iw18400\t30");
  await page.getByText("1 row pasted: 1 added.").waitFor();
  await entry.fill("ag12514");
  resolve();
  await page.getByText("Already line 1.").waitFor();
  expect(await entry.inputValue()).toBe("ag12514");
  await page.keyboard.press("Escape"); // the field has kept the focus
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([30, 5]);
  await visitor.close();
});

/** Types a new line; the check of its text waits until the returned function is called. */
async function typeHeldLine(page: Page, text: string, quantity: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/lines/check", async (route) => {
    const { lines } = route.request().postDataJSON() as Input<"checkLines">["body"];
    if (lines.some((line) => line.text === text)) await promise;
    await route.fallback();
  });
  await typeLine(page, text, quantity);
  return resolve;
}

async function typeLine(page: Page, text: string, quantity: string) {
  await page.getByRole("combobox", { name: "Item number or name, new line" }).fill(text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.type(quantity);
  const check = page.waitForRequest("**/lines/check");
  await page.keyboard.press("Enter");
  await check;
}

const focusOf = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName);

test("a line that becomes known keeps the focus and what is typed in it", async () => {
  const { user, id, visitor, page } = await openList(lineOf(grinder, 10));
  const release = await typeHeldLine(page, "iw18400", "20");
  await page.getByRole("row").getByText("iw18400").waitFor();
  await page.getByText("Saving your changes.").waitFor();
  await page.getByRole("textbox", { name: "Quantity, iw18400" }).focus();
  await page.keyboard.type("70");
  release();
  await expect.poll(() => quantitiesOf(user, id)).toEqual([10, 20]);
  expect(await focusOf(page)).toBe("Quantity, Impact wrench");
  await page.keyboard.press("Alt+ArrowUp"); // from what is typed
  await expect.poll(() => quantitiesOf(user, id)).toEqual([10, 80]);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("Undo takes back a line that is still being checked, or one that has the focus", async () => {
  const { user, id, visitor, page } = await openList(lineOf(grinder, 10));
  await page.getByRole("textbox", { name: "Quantity, Small angle grinder" }).fill("20");
  await page.keyboard.press("Enter");
  const release = await typeHeldLine(page, "iw18400", "40");
  await page.keyboard.press("Control+z");
  await page.getByRole("row").getByText("iw18400").waitFor({ state: "detached" });
  await page.getByText("Every change is saved as you make it.").waitFor();
  expect(await quantitiesOf(user, id)).toEqual([20]);
  await page.keyboard.press("Control+Shift+z");
  release();
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20, 40]);
  await page.getByRole("textbox", { name: "Quantity, Impact wrench" }).focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20]);
  await expect.poll(() => focusOf(page)).toBe("Quantity, Small angle grinder");
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([10]);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20, 40]);
  // a text that is not a quantity goes with its line
  await page.getByRole("textbox", { name: "Quantity, Impact wrench" }).fill("12abc");
  await page.keyboard.press("Shift+Delete");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20, 40]);
  await visitor.close();
});

test("a chosen suggestion for an unknown item number has the focus", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 20));
  await typeLine(page, "AG 125-4", "10");
  await page.getByText("Lines that need a correction are not saved yet.").waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.getByText("AG 125-4", { exact: true }).filter({ visible: true }).count()).toBe(1);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.keyboard.press("F8");
  expect(await focusOf(page)).toBe("AG 125-14, Small angle grinder, AG 125-4");
  await page.keyboard.press("Enter");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([20, 10]);
  await expect.poll(() => focusOf(page)).toBe("Quantity, Small angle grinder");
  await visitor.close();
});

test("a line that is not checked or not correct is not lost without a question", async () => {
  const { user, id, visitor, page } = await openList(lineOf(grinder, 10));
  const orders = page.getByRole("link", { name: "My Orders" }).first();
  const release = await typeHeldLine(page, "iw18400", "40");
  await orders.click();
  release();
  await page.waitForURL("**/dashboard/orders");
  expect(await quantitiesOf(user, id)).toEqual([10, 40]);

  await open(page, id);
  const restore = await intercept(page, "**/lines/check", (route) =>
    route.fulfill({ status: 504, contentType: "text/html", body: "Gateway Timeout" }),
  );
  await typeLine(page, "XX 99", "40");
  await page.getByText("The lines are checked again in a moment.").waitFor();
  await page.getByText("Your last changes are not saved yet.").waitFor();
  await orders.click();
  await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  restore();
  visitor.expectProblem(/504/);
  await page.getByText("No tool has the item number XX 99.").waitFor();
  await page.getByText("Lines that need a correction are not saved yet.").waitFor();
  await orders.click();
  await page.getByText("Lines of this list that need a correction are not saved").waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Delete list" }).click();
  await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
  await visitor.close();
});

test("a list whose tools are all no longer sold has nothing selected", async () => {
  const user = await register(store);
  const { _id: id } = await save(user, lineOf(discontinued, 10));
  const visitor = await openPage(store, { user });
  await open(visitor.page, id);
  await visitor.page.getByText("0 of 1 selected", { exact: true }).waitFor();
  expect(await visitor.page.getByRole("checkbox", { name: "Select all lines" }).isChecked()).toBe(false);
  await visitor.close();
});

test("pasted rows are added, merged or reported", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 20));
  await pasteInto(
    page.getByRole("combobox", { name: "Item number or name, new line" }),
    "Item\tQuantity\niw 18 400\t1,000\nAG 125-14\t10\nXX 99\t5\nOP 1\t5",
  );
  await page.getByText("4 rows pasted: 1 added, 1 merged into a line, 2 left out.").waitFor();
  await page.getByText("Line 4: No tool has the item number XX 99.").waitFor();
  await page.getByText("Line 5: No tool has the item number OP 1.").waitFor();
  await expect.poll(() => quantitiesOf(user, id)).toEqual([1020, 10]);
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Close the report" }).click();
  await page.locator("h1:focus").waitFor();
  await visitor.close();
});

test("the selected lines are added to the cart, on top of its lines", async () => {
  const { user, visitor, page } = await openList(
    lineOf(wrench, 100),
    lineOf(grinder, 60),
    lineOf(discontinued, 10),
  );
  const cart = async () =>
    (await user.call("findCart", {})).lines.map(({ productId, quantity }) => [productId, quantity]);
  await page.getByText("2 of 3 selected", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Add 2 lines to cart" }).dblclick(); // adds them once
  await page.getByText("2 lines added to your cart. 1 needs a change.").waitFor();
  await expect.poll(cart).toEqual([
    [wrench._id, 100],
    [grinder._id, 60],
  ]);
  await page.getByRole("checkbox", { name: "Select Small angle grinder" }).uncheck();
  await page.getByRole("button", { name: "Add 1 line to cart" }).click();
  await expect.poll(cart).toEqual([
    [wrench._id, 200],
    [grinder._id, 60],
  ]);
  await page.getByRole("checkbox", { name: "Select all lines" }).check();
  await page.getByText("2 of 3 selected", { exact: true }).waitFor();
  await expectNoProblems(visitor);
  await page.goto("/dashboard/lists");
  await page.getByRole("button", { name: "New list" }).click();
  await page.getByLabel("Name", { exact: true }).fill("From the cart");
  await page.getByLabel("With the 2 lines of your cart").check();
  await page.getByRole("button", { name: "Save list" }).click();
  await page.getByRole("heading", { name: "From the cart", level: 1 }).waitFor();
  await page.getByText("2 lines, 200 pieces").waitFor();
  await visitor.close();
});

test("a list is added to the cart from the page of lists without what is no longer sold", async () => {
  const user = await register(store, "Ada Lovell");
  await save(user, lineOf(wrench, 100), lineOf(grinder, 60), lineOf(discontinued, 10));
  await user.call("addSavedList", { body: { name: "Gone", lines: [lineOf(discontinued, 10)] } });
  const visitor = await openPage(store, { user, width: 390 });
  const { page } = visitor;
  await page.goto("/dashboard/lists");
  await page.getByRole("button", { name: "Add to cart, Van restock" }).click();
  await page.getByText("2 lines added to your cart. 1 needs a change. 1 is no longer sold.").waitFor();
  await expect
    .poll(async () => (await user.call("findCart", {})).lines.map(({ productId }) => productId))
    .toEqual([wrench._id, grinder._id]);
  expect(await page.getByRole("button", { name: "Add to cart, Gone" }).isDisabled()).toBe(true);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("two tabs keep both changes; of the same quantity the later one wins", async () => {
  const user = await register(store);
  const { _id: id } = await save(user, lineOf(wrench, 100), lineOf(grinder, 10));
  const [one, other] = [await openPage(store, { user }), await openPage(store, { user })];
  await open(one.page, id);
  await open(other.page, id);
  const type = async (page: Page, name: string, quantity: string) => {
    await page.getByRole("textbox", { name: `Quantity, ${name}` }).fill(quantity);
    await page.keyboard.press("Enter");
  };
  await type(one.page, "Impact wrench", "200");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([200, 10]);
  await type(other.page, "Small angle grinder", "20");
  await other.page.getByText("This list was also changed elsewhere. Both changes are kept.").waitFor();
  other.expectProblem(/409/);
  await expect.poll(() => quantitiesOf(user, id)).toEqual([200, 20]);
  expect(await other.page.getByRole("textbox", { name: "Quantity, Impact wrench" }).inputValue()).toBe("200");
  await type(one.page, "Small angle grinder", "30");
  await one.page.getByText("Both changes are kept.").waitFor();
  one.expectProblem(/409/);
  await expect.poll(() => quantitiesOf(user, id)).toEqual([200, 30]);

  await user.call("deleteSavedList", { params: { id } });
  await type(one.page, "Impact wrench", "300");
  await one.page.getByText("This list was deleted elsewhere.").waitFor();
  one.expectProblem(/404/);
  await expectNoProblems(one);
  await one.page.getByRole("button", { name: "Save it as a new list" }).click();
  await one.page.waitForURL((url) => !url.pathname.endsWith(id));
  await expect.poll(() => quantitiesOf(user, new URL(one.page.url()).pathname.slice(-36))).toEqual([300, 30]);
  await one.close();
  await other.close();
});

test.each([
  ["a request", /\/lists\/[\w-]+$/],
  ["the connection", /\/lists\/[\w-]+$|\/readyz$/],
])("a change is saved before another page opens, also when %s was lost", async (_, lost) => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 100));
  const quantity = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await quantity.fill("200");
  await page.getByRole("link", { name: "Lists" }).first().click();
  await page
    .getByRole("row", { name: /Van restock/ })
    .getByText("200")
    .waitFor();
  await page.getByRole("link", { name: "Van restock" }).click();

  await page.getByText("1 line, 200 pieces").waitFor();
  const restore = await intercept(page, lost, (route) =>
    route.request().method() === "PUT" || route.request().url().endsWith("/readyz")
      ? route.abort()
      : route.continue(),
  );
  await quantity.fill("300");
  await page.keyboard.press("Enter");
  await page.getByText("Your last changes are not saved yet.").waitFor();
  await page.getByRole("link", { name: "My Orders" }).first().click();
  await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  restore();
  await expect.poll(() => quantitiesOf(user, id), { timeout: 20_000 }).toEqual([300]);
  await page.getByText("Every change is saved as you make it.").waitFor();
  await visitor.close();
});

test("a change whose response was lost can be taken back", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 100), lineOf(grinder, 10));
  await settled(page);
  const stop = await loseResponses(page, `**/lists/${id}`);
  const quantity = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await quantity.fill("200");
  await page.keyboard.press("Enter");
  await page.getByText("Your last changes are not saved yet.").waitFor();
  expect(await quantitiesOf(user, id)).toEqual([200, 10]);
  await quantity.fill("100");
  await page.keyboard.press("Enter");
  stop();
  await page.getByText("Every change is saved as you make it.").waitFor();
  expect(await quantitiesOf(user, id)).toEqual([100, 10]);
  expect(await quantity.inputValue()).toBe("100");
  expect(await page.getByText("This list was also changed elsewhere.").count()).toBe(0);
  visitor.expectProblem(/504/);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("a list that the store refuses to save says why, and is saved when it can be", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 100));
  await settled(page);
  const detail = "A list has at most 5,000 lines.";
  const restore = await intercept(page, `**/lists/${id}`, (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({
          status: 422,
          contentType: "application/problem+json",
          body: JSON.stringify({ detail }),
        })
      : route.continue(),
  );
  const quantity = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await quantity.fill("200");
  await page.keyboard.press("Enter");
  await page.getByText(`Your last changes are not saved. ${detail}`).waitFor();
  await page.getByText("The message above says why.").waitFor();
  expect(await page.getByText("when the connection is back").count()).toBe(0);
  visitor.expectProblem(/422/);
  await expectNoProblems(visitor);
  restore();
  await page.getByRole("button", { name: "Save again" }).click();
  await page.getByText("Every change is saved as you make it.").waitFor();
  expect(await page.getByText("Your last changes are not saved.").count()).toBe(0);
  expect(await quantitiesOf(user, id)).toEqual([200]);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await quantity.focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([100]);
  await page.keyboard.press("Control+y");
  await expect.poll(() => quantitiesOf(user, id)).toEqual([200]);
  await visitor.close();
});

test("a name that is typed is not lost by a press beside its dialog, nor cut off", async () => {
  const { user, id, visitor, page } = await openList(lineOf(wrench, 100));
  await settled(page);
  const dialog = page.getByRole("dialog", { name: "Rename the list" });
  await page.getByRole("button", { name: "Rename" }).click();
  await dialog.waitFor();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rename" }).click();
  const name = dialog.getByLabel("Name", { exact: true });
  await name.selectText();
  await page.keyboard.insertText("Depot north ".repeat(7));
  await page.mouse.click(5, 5);
  await dialog.getByRole("button", { name: "Rename" }).click();
  await dialog.getByText("Use at most 80 characters.").waitFor();
  expect(await name.inputValue()).toHaveLength(84);
  await expectNoProblems(visitor);
  await name.fill("Depot north");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect
    .poll(async () => (await user.call("findSavedList", { params: { id } })).name)
    .toBe("Depot north");
  await visitor.close();
});

test("a list is renamed, copied, deleted and restored", async () => {
  const user = await register(store);
  const { _id: id } = await save(user, lineOf(wrench, 100));
  const visitor = await openPage(store, { user });
  const { page } = visitor;
  const namesOf = async () =>
    (await user.call("listSavedLists", {})).lists.map(({ name }) => name).toSorted();
  await open(page, id);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bus restock");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Bus restock", level: 1 }).waitFor();
  await expect.poll(namesOf).toEqual(["Bus restock"]);
  await page.getByRole("button", { name: "Copy list" }).click();
  await page.getByRole("heading", { name: "Bus restock, copy", level: 1 }).waitFor();
  expect(await namesOf()).toEqual(["Bus restock", "Bus restock, copy"]);
  await page.getByRole("button", { name: "Delete list" }).click();
  await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
  expect(await namesOf()).toEqual(["Bus restock"]);
  await page.getByRole("button", { name: "Undo deleting Bus restock, copy" }).click();
  await page.getByRole("heading", { name: "Bus restock, copy", level: 1 }).waitFor();
  await page.goto("/dashboard/lists");
  await page.getByRole("button", { name: "Delete Bus restock, copy" }).press("Enter");
  await expect.poll(namesOf).toEqual(["Bus restock"]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Lists");
  await page.getByRole("button", { name: "Undo deleting Bus restock, copy" }).click();
  await page.getByRole("link", { name: "Bus restock, copy" }).waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});

test.each([1440, 900, 390])("at %i pixels, long names stay inside the window", async (width) => {
  const user = await register(store);
  const itemNumber = `${"W".repeat(36)}${width}`;
  const long = await addProduct(admin, { name: "M".repeat(200), itemNumber, quantity: 1_000_000 });
  const name = `${"N".repeat(72)}\u{1F527}${"N".repeat(6)}`;
  const { _id: id } = await user.call("addSavedList", { body: { name, lines: [lineOf(long, 999_990)] } });
  const visitor = await openPage(store, { user, width, height: 900 });
  const { page } = visitor;
  await page.goto("/dashboard/lists");
  await page.getByRole("link", { name }).waitFor();
  await settled(page);
  await expectNoSidewaysScroll(page);
  await open(page, id);
  await settled(page);
  await expectNoSidewaysScroll(page);
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Copy list" }).click();
  await page.getByRole("heading", { name: `${"N".repeat(72)}, copy`, level: 1 }).waitFor();
  await visitor.close();
});

test("a deleted list can be restored for ten seconds, by F6 from anywhere on the page", async () => {
  const user = await register(store);
  await save(user, lineOf(wrench, 20));
  const { page, close } = await openPage(store, { user });
  await page.goto("/dashboard/lists");
  await settled(page);
  await page.clock.install();
  await page.getByRole("button", { name: "Delete Van restock" }).press("Enter");
  await page.getByRole("button", { name: "Undo deleting Van restock" }).waitFor();
  await page.clock.runFor(8_000);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("F6");
  expect(await focused()).toBe("Undo");
  await page.clock.runFor(15_000);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Van restock" }).waitFor();
  expect(await focused()).toBe("Lists");
  await close();
});

test("a list that is deleted with a double click can be restored once", async () => {
  const user = await register(store);
  await save(user, lineOf(wrench, 20));
  const { page, close } = await openPage(store, { user });
  await page.goto("/dashboard/lists");
  await page.getByRole("button", { name: "Delete Van restock" }).dblclick();
  await page.getByText("No lists yet").waitFor();
  await settled(page);
  expect(await page.getByRole("button", { name: "Undo deleting Van restock" }).count()).toBe(1);
  await close();
});

test("of a list of 1,000 lines the ones in view are rendered, and all are added up and selected", async () => {
  const user = await register(store);
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Bit ' || n, '/tools/drill.svg', 100, 500, 5, 'A bit.' FROM generate_series(1, 1000) AS n RETURNING id`,
  );
  const { _id: id } = await save(user, ...rows.map(({ id: productId }) => ({ productId, quantity: 5 })));
  const visitor = await openPage(store, { user });
  const { page } = visitor;
  await open(page, id);
  await page.getByText("1,000 lines, 5,000 pieces, $5,000.00 today.").waitFor();
  const grid = page.getByRole("grid", { name: "Lines of Van restock" });
  expect(await grid.getAttribute("aria-rowcount")).toBe("1002");
  expect(await grid.getByRole("row").count()).toBeLessThan(60);
  await page.getByRole("textbox", { name: "Quantity, Bit 1", exact: true }).focus();
  await page.keyboard.press("Control+End");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe("Item number or name, new line");
  await page.keyboard.press("ArrowUp");
  await expect.poll(focused).toBe("Select Bit 1000");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(focused).toBe("Quantity, Bit 1000");
  await page.getByRole("button", { name: "Add 1,000 lines to cart" }).click();
  await page.getByText("1,000 lines added to your cart.").waitFor();
  await visitor.close();
});
