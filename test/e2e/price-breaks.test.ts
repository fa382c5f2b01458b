/** Price breaks and order multiples on the product page, and in an admin's form. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { addProduct, editProduct, impactWrench } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let wrench: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
  wrench = await addProduct(admin, {
    ...impactWrench,
    price: 128,
    price_breaks: [...(impactWrench.price_breaks ?? []), { quantity: 2000, price: 99 }],
  });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("the price follows the quantity, and a cheaper larger quantity is offered", async () => {
    const opened = await openPage(store, { user: buyer, width, theme });
    const { page } = opened;
    await page.goto(`/product/${wrench._id}`);
    await settled(page);
    const quantity = page.getByRole("spinbutton", { name: "Quantity" });
    const table = page.getByRole("table", { name: "Price breaks" });
    const active = table.locator("tr[aria-current=true]");
    // the break above the stock is omitted
    expect(await table.getByRole("row").count()).toBe(4);
    expect(await active.textContent()).toContain("20 to 99");
    // the break at 100 is too near to the minimum for a name
    expect(await page.locator(".gauge text").allTextContents()).toEqual(["500+"]);
    await quantity.fill("460");
    expect(await active.textContent()).toContain("100 to 499$119.00−7%");
    await page.getByText("460 × $119.00 = ").waitFor();
    await page.getByText("500 cost $240.00 less than 460.").waitFor();
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Take 500" }).press("Enter");
    await page.getByText("$54,500.00").first().waitFor();
    expect(await page.getByText("less than").count()).toBe(0);
    expect(await quantity.evaluate((field) => field === document.activeElement)).toBe(true);
    await quantity.fill("455");
    await page.getByText("Sold in multiples of 10. Take 450 or 460.").waitFor();
    expect(await active.count()).toBe(0);
    expect(await page.getByRole("button", { name: "Purchase" }).isDisabled()).toBe(true);
    await quantity.press("ArrowUp");
    expect(await quantity.inputValue()).toBe("460");
    await quantity.press("ArrowDown");
    expect(await quantity.inputValue()).toBe("450");
    await expectNoProblems(opened);
    await opened.close();
  });
});

test("a price break that rises while the page is open is reported with both prices", async () => {
  const risen = await addProduct(admin, impactWrench);
  const visitor = await openPage(store, { user: buyer });
  const { page } = visitor;
  await page.goto(`/product/${risen._id}`);
  await settled(page);
  const [hundred, fiveHundred] = impactWrench.price_breaks ?? [];
  await editProduct(admin, risen, {
    price_breaks: [hundred, { ...fiveHundred, price: 115 }] as typeof impactWrench.price_breaks,
  });
  await page.evaluate(() => {
    for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
  });
  await settled(page);
  const note = page.getByText(/\$109\.00.*\$115\.00/);
  expect(await note.count()).toBe(0);
  await page.getByRole("spinbutton", { name: "Quantity" }).fill("500");
  await note.waitFor();
  await visitor.close();
});

test("an order is placed at the price of its quantity", async () => {
  const opened = await openPage(store, { user: buyer });
  const { page } = opened;
  await page.goto(`/product/${wrench._id}`);
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  await page.getByRole("spinbutton", { name: "Quantity" }).fill("100");
  await page.getByRole("button", { name: "Purchase" }).click();
  await page.waitForURL("**/dashboard/orders");
  await page.getByText("$11,900.00").first().waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("an admin adds, corrects and removes price breaks", async () => {
  const product = await addProduct(admin, { name: "Edited wrench", price: 50, minimum_order: 10 });
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto(`/dashboard/editProduct/${product._id}`);
  await settled(page);
  await page.getByLabel("Sold in multiples of").fill("3");
  await page.getByRole("button", { name: "Add a break" }).click();
  await page.getByLabel("Quantity of break 1").fill("100");
  await page.getByLabel("Price of break 1").fill("60");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter a multiple of 3.").waitFor();
  await page.getByText("The price from 100 pieces must be lower than the one before.").waitFor();
  await expectNoProblems(opened);
  await page.getByLabel("Sold in multiples of").fill("5");
  await page.getByLabel("Price of break 1").fill("45");
  await page.getByRole("button", { name: "Save" }).click();
  const saved = () => admin.call("findProduct", { params: { id: product._id } });
  await expect.poll(saved).toMatchObject({ order_multiple: 5, price_breaks: [{ quantity: 100, price: 45 }] });
  await opened.close();
});

test("rows of a form move with their values, and the focus with them", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/addProduct");
  await settled(page);
  for (const [at, quantity] of ["100", "200", "300"].entries()) {
    await page.getByRole("button", { name: "Add a break" }).click();
    await expect.poll(() => focusedLabel(page)).toBe(`Quantity of break ${at + 1}`);
    await page.keyboard.type(quantity);
  }
  const quantities = () =>
    page
      .getByLabel(/^Quantity of break/)
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map((one) => one.value));
  await page.getByRole("button", { name: "Move break 3 up" }).press("Enter");
  expect(await quantities()).toEqual(["100", "300", "200"]);
  await expect.poll(() => focusedLabel(page)).toBe("Move break 2 up");
  await page.keyboard.press("Enter");
  expect(await quantities()).toEqual(["300", "100", "200"]);
  // the first row cannot move further
  await expect.poll(() => focusedLabel(page)).toBe("Quantity of break 1");
  await page.getByRole("button", { name: "Remove break 2" }).press("Enter");
  expect(await quantities()).toEqual(["300", "200"]);
  expect(await focusedLabel(page)).toBe("Remove break 2");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect.poll(() => page.locator(":focus").getAttribute("name")).toBe("name");
  await expectNoProblems(opened);
  await opened.close();
});

const focusedLabel = (page: Page) => page.locator(":focus").getAttribute("aria-label");
