/** The cart: typing, pasting, correcting, and signing in. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  intercept,
  loseResponses,
  openPage,
  settled,
  signInElsewhere,
  submitLogin,
} from "../harness/browser.ts";
import { addProduct, impactWrench } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let sander: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
  await addProduct(admin, { ...impactWrench, itemNumber: "IW 18-420", price: 128 });
  sander = await addProduct(admin, {
    name: "Random orbit sander",
    itemNumber: "RO 150-5",
    price: 96,
    minimum_order: 12,
    order_multiple: 12,
    quantity: 5000,
  });
  await addProduct(admin, {
    name: "Angle grinder",
    itemNumber: "AG 125-14",
    price: 76.5,
    minimum_order: 20,
    quantity: 236,
  });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const gridOf = (page: Page) => page.getByRole("grid", { name: "Lines of the cart" });
const summaryOf = (page: Page) => page.getByRole("complementary", { name: "Order summary" });

/** Pastes as from a spreadsheet. */
async function paste(page: Page, text: string) {
  await settled(page);
  await focusNewLine(page);
  await pasteAtFocus(page, text);
}

const focusNewLine = (page: Page) =>
  page.getByRole("combobox", { name: "Item number or name, new line" }).focus();

async function pasteAtFocus(page: Page, text: string) {
  await page.evaluate((rows) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", rows);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("pasted rows are checked, and each problem is fixed with one press", async () => {
    const opened = await openPage(store, { width, theme });
    const { page } = opened;
    await page.goto("/cart");
    await page.getByText("Empty. Type the first item number").waitFor();
    expect(await page.locator(".cart-start a").allTextContents()).toEqual([
      "All tools",
      "A saved list",
      "An earlier order",
    ]);
    await expectNoProblems(opened);
    await paste(
      page,
      "Item\tQuantity\niw18420\t460\nRO 150-5\t100\nAG-125-4\t80\nAG 125-14\t300\nIW 18-420\t40\n",
    );
    await page.getByRole("heading", { name: "5 rows and a heading pasted" }).waitFor();
    const summary = summaryOf(page);
    await summary.getByText("3 lines need a change before checkout.").waitFor();
    await page.getByText("Sold in multiples of 12. 100 is not one.").waitFor();
    await page.getByText("236 in stock, you asked for 300.").waitFor();
    await page.getByText("No tool has the item number AG-125-4.").waitFor();
    await page.getByText("Total $54,500.00, 3 lines need a change.").waitFor();
    const multiple = gridOf(page).getByText(width === 390 ? "RO 150-5, by 12" : "by 12", { exact: true });
    await multiple.filter({ visible: true }).waitFor();
    await expectNoProblems(opened);
    // 460 and 40 are one line now, at the price from 500
    expect(await summary.locator(".cart-total__sum").textContent()).toBe("$54,500.00");
    await page.getByRole("button", { name: "Take 108, Random orbit sander" }).click();
    await page.getByRole("button", { name: "Take 236, Angle grinder" }).click();
    await page.getByRole("button", { name: "Remove AG-125-4" }).click();
    await page.getByRole("link", { name: "Checkout" }).first().waitFor();
    expect(await summary.locator(".cart-total__sum").textContent()).toBe("$82,922.00");
    await expectNoProblems(opened);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page.reload();
    await summary.getByText("$82,922.00").waitFor();
    await opened.close();
  });
});

test("typing, correcting, undoing and removing lines by keyboard only", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await settled(page);
  const entry = page.getByRole("combobox", { name: "Item number or name, new line" });
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await entry.focus();
  await page.keyboard.type("sand");
  await page.getByRole("option", { name: /Random orbit sander/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => entry.evaluate((input) => input === document.activeElement)).toBe(false);
  await page.keyboard.type("24");
  await page.keyboard.press("Enter");
  await quantity.waitFor();
  expect(await entry.evaluate((input) => input === document.activeElement)).toBe(true);
  // the same tool again leads to its line
  await page.keyboard.type("RO 150");
  await page.getByRole("option", { name: /Random orbit sander/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Already line 1").waitFor();
  await expect.poll(() => quantity.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(() => quantity.inputValue()).toBe("36");
  await page.keyboard.type("100");
  await page.keyboard.press("Escape");
  expect(await quantity.inputValue()).toBe("36");
  await page.keyboard.type("12abc");
  await page.keyboard.press("Enter");
  await page.getByText("12abc is not a quantity. Enter a whole number.").waitFor();
  await page.keyboard.press("F8");
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantity.inputValue()).toBe("36");
  await quantity.focus();
  await page.keyboard.press("Shift+Delete");
  await page.getByText("Empty. Type the first item number").waitFor();
  await page.keyboard.press("Control+z");
  await quantity.waitFor();
  await opened.close();
});

test("Tab leads from the item number to the quantity in every new line; a line that is found keeps the focus", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await settled(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/lines/check", async (route) => {
    if (route.request().postData()?.includes('"ro1505"')) await promise;
    await route.fallback();
  });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await page.getByRole("combobox", { name: "Item number or name, new line" }).focus();
  for (const item of ["XX 1", "ro1505"]) {
    await page.keyboard.type(item);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Quantity, new line");
    await page.keyboard.press("Shift+Tab");
    expect(await focused()).toBe("Item number or name, new line");
    await page.keyboard.press("Tab");
    await page.keyboard.type("24");
    await page.keyboard.press("Enter");
  }
  await page.getByRole("textbox", { name: "Quantity, ro1505" }).focus();
  await page.keyboard.type("60");
  resolve();
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await quantity.waitFor();
  expect(await focused()).toBe("Quantity, Random orbit sander");
  await page.keyboard.press("Alt+ArrowUp"); // from what is typed
  await expect.poll(() => quantity.inputValue()).toBe("72");
  await page.keyboard.press("Control+z");
  await expect.poll(() => quantity.inputValue()).toBe("24");
  // the line that the undo removes
  await page.keyboard.press("Control+z");
  await quantity.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Quantity, XX 1");
  await opened.close();
});

test("Enter does not choose a tool that was suggested for less text", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await settled(page);
  await page.getByRole("combobox", { name: "Item number or name, new line" }).focus();
  await page.keyboard.type("sander");
  await page.getByRole("option", { name: /Random orbit sander/ }).waitFor();
  await page.route("**/catalog/suggestions?**", () => {}); // slow
  await page.keyboard.type("s with dust bag");
  await page.keyboard.press("Enter");
  await page.keyboard.type("24");
  await page.keyboard.press("Enter");
  await page.getByText("No tool has the item number sanders with dust bag.").waitFor();
  expect(await page.getByRole("textbox", { name: "Quantity, Random orbit sander" }).count()).toBe(0);
  await opened.close();
});

/** A buyer whose account has this many sanders in the cart. */
async function registerWithCart(quantity: number): Promise<SignedIn> {
  const one = await register(store);
  await one.call("saveCart", { body: { version: 0, lines: [{ productId: sander._id, quantity }] } });
  return one;
}

test("a visitor's cart is merged into the account's, with the larger quantities", async () => {
  await buyer.call("saveCart", {
    body: { version: 0, lines: [{ productId: sander._id, quantity: 120 }] },
  });
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "RO 150-5\t240\nXX 1\t5\n");
  await page.getByText("No tool has the item number XX 1.").waitFor();
  await page.goto("/login?from=%2Fcart");
  await submitLogin(page, buyer);
  await page.waitForURL(/\/cart$/);
  await page.getByText("The larger quantity was taken: Random orbit sander from 120 to 240.").waitFor();
  await page.getByText("No tool has the item number XX 1.").waitFor();
  await page.getByText("Saved on this device and in your account.").waitFor();
  await expect
    .poll(async () => (await buyer.call("findCart", {})).lines)
    .toMatchObject([{ productId: sander._id, quantity: 240 }]);
  await page.getByRole("button", { name: "Dismiss" }).first().press("Enter");
  await page.getByText("The larger quantity was taken").waitFor({ state: "detached" });
  await page.locator("h1:focus").waitFor();
  await opened.close();
});

test("a cart that is not loaded yet is not called empty", async () => {
  const ada = await registerWithCart(24);
  const opened = await openPage(store, { user: ada, width: 390 });
  const { page } = opened;
  const { held, release } = await holdResponse(page, /\/cart$/);
  await page.goto("/checkout");
  await held;
  await page.getByText("Checking the lines of your cart.").waitFor();
  expect(await page.getByText("Your cart is empty").count()).toBe(0);
  release();
  await page.getByText("1 line to one address.").waitFor();
  await opened.close();
});

test("a cart that cannot be loaded is not called empty, and is loaded later", async () => {
  const ada = await registerWithCart(24);
  const opened = await openPage(store, { user: ada, width: 390 });
  const { page } = opened;
  const end = await intercept(page, /\/cart$/, (route) =>
    route.request().resourceType() === "document" ? route.continue() : route.abort(),
  );
  await page.goto("/cart");
  await page.getByText("The cart of your account could not be loaded yet.").waitFor();
  await page.goto("/checkout");
  await page.getByText("The cart of your account could not be loaded yet.").waitFor();
  expect(await page.getByText("Your cart is empty").count()).toBe(0);
  end();
  await page.getByText("1 line to one address.").waitFor();
  opened.expectProblem(/ERR_FAILED/);
  await opened.close();
});

test("the cart leads to the login if the session has ended before it was loaded", async () => {
  const person = JSON.stringify({ email: "ended@buyers.example", name: "Ended" });
  const opened = await openPage(store, { storage: { "stator.person": person } });
  const { page } = opened;
  await page.goto("/cart");
  await page.getByRole("link", { name: "log in again" }).click();
  await page.waitForURL(/\/login\?from=%2Fcart/);
  await page.getByLabel("Email").waitFor();
  opened.expectProblem(/401/);
  await opened.close();
});

test("an account's cart is saved although a visitor's cannot be merged into it", async () => {
  const ada = await registerWithCart(24);
  const lines = [{ productId: crypto.randomUUID(), quantity: 5 }];
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  await page.goto("/docs");
  await page.evaluate(
    (visitor) => localStorage.setItem("stator.cart:", visitor),
    JSON.stringify({ lines, saved: null, raised: [] }),
  );
  await page.goto("/cart");
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await quantity.fill("36");
  await quantity.press("Enter");
  await expect.poll(async () => (await ada.call("findCart", {})).lines[0]?.quantity).toBe(36);
  await page.getByText("Saved on this device and in your account.").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("stator.cart:"))).toContain(lines[0]?.productId);
  opened.expectProblem(/422/);
  await opened.close();
});

test("rows are pasted anywhere on the page, and read from files of any spreadsheet", async () => {
  const opened = await openPage(store, { width: 390 });
  const { page } = opened;
  await page.goto("/cart");
  await settled(page);
  await pasteAtFocus(page, "RO 150-5, 24");
  await page.getByRole("heading", { name: "1 row pasted" }).waitFor();
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await expect.poll(() => quantity.inputValue()).toBe("24");
  const more = await page.getByRole("button", { name: "More, Random orbit sander" }).boundingBox();
  expect(more?.height, "the target of a finger").toBeGreaterThan(40);
  const files: [string, Buffer][] = [
    ["unicode.txt", Buffer.from("\ufeffPrice\tItem\tPieces\r\n96\tRO 150-5\t12\r\n", "utf16le")],
    ["western.csv", Buffer.from("Größe,Item,Quantity\r\nmittel,RO 150-5,1,200\r\n", "latin1")],
  ];
  for (const [at, [name, buffer]] of files.entries()) {
    await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer });
    await expect.poll(() => quantity.inputValue()).toBe(["36", "1,236"][at]);
  }
  const empty = {
    name: "stator-order.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Item number,Quantity\r\n"),
  };
  await page.getByLabel("CSV file").setInputFiles(empty);
  await page.getByText("There are no rows to paste.").waitFor();
  expect(await page.locator("[data-row]").count()).toBe(2); // of the sander and the entry
  await opened.close();
});

test("the same paste twice adds the quantities up, says so, and is undone", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  const rows = "IW 18-420\t20\nRO 150-5\t24\nXX 1\t5";
  const quantities = () =>
    gridOf(page)
      .locator("[data-index] .pad__qty input")
      .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
  await paste(page, rows);
  await expect.poll(quantities).toEqual(["20", "24", "5"]);
  await page.getByText("No tool has the item number XX 1.").waitFor();
  await paste(page, rows);
  await expect.poll(quantities).toEqual(["40", "48", "5", "5"]);
  const merged = page.locator(".paste dl > div", { hasText: "Merged into a line" });
  await expect.poll(() => merged.locator("dd").textContent()).toMatch(/^2/);
  await page.getByRole("button", { name: "Undo paste" }).click();
  await expect.poll(quantities).toEqual(["20", "24", "5"]);
  await opened.close();
});

const quantitiesIn = (page: Page) => () =>
  gridOf(page)
    .locator("[data-index] .pad__qty input")
    .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));

test("Undo paste takes back the paste, not what was changed after it", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t20");
  const quantity = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await expect.poll(quantitiesIn(page)).toEqual(["20"]);
  await paste(page, "RO 150-5\t24\nAG 125-14\t40");
  await page.getByRole("textbox", { name: "Quantity, Angle grinder" }).waitFor();
  await quantity.fill("30");
  await quantity.press("Enter");
  await expect.poll(quantitiesIn(page)).toEqual(["30", "24", "40"]);
  await page.getByRole("button", { name: "Undo paste" }).click();
  await expect.poll(quantitiesIn(page)).toEqual(["30"]);
  await opened.close();
});

test("Undo of Clear brings each line back once, and keeps what was added meanwhile", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t20\nRO 150-5\t24");
  await page.getByRole("textbox", { name: "Quantity, Random orbit sander" }).waitFor();
  const clear = page.getByRole("button", { name: "Clear" });
  const undo = page.locator(".toast__action", { hasText: "Undo" });
  await clear.click();
  await gridOf(page).focus();
  await page.keyboard.press("Control+z");
  await expect.poll(quantitiesIn(page)).toEqual(["20", "24"]);
  await undo.click();
  await page.waitForTimeout(200);
  expect(await quantitiesIn(page)()).toEqual(["20", "24"]);
  await clear.click();
  const navigation = page.getByRole("navigation", { name: "Main" }).first();
  await navigation.getByRole("link", { name: "Tools" }).click();
  await page.getByRole("button", { name: "Add Angle grinder to cart" }).click();
  await page.getByText("Added 20 angle grinders.").waitFor();
  await undo.click();
  await page.goto("/cart");
  await expect.poll(quantitiesIn(page)).toEqual(["20", "24", "20"]);
  await opened.close();
});

test("a paste whose tool is only in a line with an invalid quantity is not reported as merged", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "RO 150-5\t24");
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await quantity.fill("30 pcs");
  await quantity.press("Enter");
  await page.getByRole("button", { name: /^Take 30/ }).waitFor();
  await quantity.press("Alt+ArrowUp");
  await expect.poll(() => quantity.inputValue()).toBe("36");
  await quantity.fill("12abc");
  await quantity.press("Enter");
  await page.getByText("12abc is not a quantity. Enter a whole number.").waitFor();
  await paste(page, "RO 150-5\t36");
  await expect.poll(quantitiesIn(page)).toEqual(["12abc", "36"]);
  const figure = (label: string) => page.locator(".paste dl > div", { hasText: label }).locator("dd");
  await expect.poll(() => figure("Added, ready").textContent()).toMatch(/^1/);
  expect(await figure("Merged into a line").textContent()).toMatch(/^0/);
  await opened.close();
});

/** Keeps what the page wants to do later from running until it is released. */
async function holdTimers(page: Page): Promise<{ release(): Promise<void> }> {
  const held = await page.evaluateHandle(() => {
    const { setTimeout } = window;
    const callbacks: (() => void)[] = [];
    window.setTimeout = ((callback: () => void) => callbacks.push(callback)) as typeof setTimeout;
    return { callbacks, setTimeout };
  });
  return {
    release: () =>
      held.evaluate(({ callbacks, setTimeout }) => {
        window.setTimeout = setTimeout;
        for (const callback of callbacks) callback();
      }),
  };
}

test("two windows that change different lines at the same time keep both changes", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t20\nRO 150-5\t24\nXX 1\t5");
  await page.getByText("No tool has the item number XX 1.").waitFor();
  const other = await page.context().newPage();
  await other.goto("/cart");
  const field = (one: Page, tool: string) => one.getByRole("textbox", { name: `Quantity, ${tool}` });
  await field(other, "Random orbit sander").fill("48");
  // a change is stored a moment later: not before the first window has stored its own
  const timers = await holdTimers(other);
  await field(other, "Random orbit sander").dispatchEvent("focusout");
  await field(page, "Impact wrench").fill("30");
  await field(page, "Impact wrench").dispatchEvent("focusout");
  const stored = () => other.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(stored).toMatch(/quantity[^a-z]*30/);
  expect(await stored()).not.toMatch(/quantity[^a-z]*48/);
  await timers.release();
  for (const one of [page, other]) {
    await expect.poll(() => field(one, "Impact wrench").inputValue()).toBe("30");
    await expect.poll(() => field(one, "Random orbit sander").inputValue()).toBe("48");
    await one.getByText("No tool has the item number XX 1.").waitFor();
  }
  await expect.poll(stored).toMatch(/quantity[^a-z]*30.*quantity[^a-z]*48/);
  await opened.close();
});

test("what another window wrote, not yet visible to this one that replaced it, is added again", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t20\nRO 150-5\t24");
  const quantities = quantitiesIn(page);
  await expect.poll(quantities).toEqual(["20", "24"]);
  await settled(page);
  const key = "stator.cart:";
  const stored = () => page.evaluate((item) => localStorage.getItem(item) ?? "", key);
  await expect.poll(stored).toContain("price");
  const oldValue = await stored();
  const wrench = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await wrench.fill("30");
  await wrench.press("Enter");
  await expect.poll(stored).toMatch(/quantity":30/);
  // the browser reports that the other window's write was first
  const newValue = oldValue.replace('"quantity":24', '"quantity":48');
  await page.evaluate((event) => window.dispatchEvent(new StorageEvent("storage", event)), {
    key,
    oldValue,
    newValue,
  });
  await expect.poll(stored).toMatch(/quantity":30.*quantity":48/);
  await expect.poll(quantities).toEqual(["30", "48"]);
  // the other window wrote the same as this one first
  const before = await stored();
  await wrench.fill("40");
  await wrench.press("Enter");
  await expect.poll(stored).toMatch(/quantity":40/);
  const same = await stored();
  const changed = same.replace('"quantity":48', '"quantity":60');
  await page.evaluate(
    (events) => {
      for (const event of events) window.dispatchEvent(new StorageEvent("storage", event));
    },
    [
      { key, oldValue: before, newValue: same },
      { key, oldValue: same, newValue: changed },
    ],
  );
  await expect.poll(quantities).toEqual(["40", "60"]);
  await opened.close();
});

test("Undo of the only line leaves the focus at the heading", async () => {
  const opened = await openPage(store, { user: await register(store) });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "RO 150-5\t240");
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await page.getByText("Empty. Type the first item number").waitFor();
  await page.locator("h1:focus").waitFor();
  await opened.close();
});

test("the total is announced once, and a list price is read as one", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t100");
  const announced = page.getByRole("status").filter({ hasText: "$" });
  await announced.first().waitFor();
  expect(await announced.allTextContents()).toEqual(["Total $11,900.00."]);
  // again after Undo: the same text would not be announced
  await page.getByRole("button", { name: "Clear" }).click();
  await announced.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await announced.waitFor();
  await gridOf(page).getByRole("gridcell", { name: "$119.00 100+ instead of $128.00" }).waitFor();
  await opened.close();
});

test("undo and redo invert the changes of their window and keep those of another", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "IW 18-420\t20\nRO 150-5\t24\nXX 1\t5");
  await page.getByText("No tool has the item number XX 1.").waitFor();
  const other = await page.context().newPage();
  await other.goto("/cart");
  const expectLines = async (quantities: string[]) => {
    for (const one of [page, other])
      await expect
        .poll(() =>
          gridOf(one)
            .locator("[data-index] .pad__qty input")
            .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value)),
        )
        .toEqual(quantities);
  };
  await page.getByRole("textbox", { name: "Quantity, Random orbit sander" }).focus();
  await page.keyboard.press("Shift+Delete");
  await expectLines(["20", "5"]);
  await paste(other, "AG 125-14\t40");
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem("stator.cart:") ?? "{}").lines.at(-1)))
    .toMatchObject({ quantity: 40, price: 76.5 });
  await expectLines(["20", "5", "40"]);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await undo.click();
  await expectLines(["20", "24", "5", "40"]);
  await gridOf(page).focus();
  await page.keyboard.press("Control+Shift+z");
  await expectLines(["20", "5", "40"]);
  await page.keyboard.press("Control+z");
  await expectLines(["20", "24", "5", "40"]);
  await page.keyboard.press("Control+y");
  await expectLines(["20", "5", "40"]);
  await undo.click();
  await expectLines(["20", "24", "5", "40"]);
  const quantity = other.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await quantity.fill("30");
  await quantity.press("Enter");
  await expectLines(["30", "24", "5", "40"]);
  await undo.click(); // the paste
  await expectLines(["30", "40"]);
  expect(await undo.isDisabled()).toBe(true);
  expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true);
  // also if the other window was the first to check what this one added
  await settled(page); // a check under way would have no response either, and the page would not settle
  await page.route("**/lines/check", () => {});
  await focusNewLine(page);
  await pasteAtFocus(page, "AG 125-14\t20\nRO 150-5\t36");
  await expectLines(["30", "60", "36"]);
  await undo.click();
  await expectLines(["30", "40"]);
  await opened.close();
});

test("the press that returns to the window is not lost while prices and stock are checked again", async () => {
  const ada = await register(store);
  const saw = await addProduct(admin, { name: "Band saw", price: 100, minimum_order: 5, quantity: 100 });
  const lines = [{ productId: saw._id, quantity: 10, price: 100 }];
  await ada.call("saveCart", { body: { version: 0, lines } });
  const opened = await openPage(store, { user: ada });
  const { page } = opened;
  await page.goto("/cart");
  const checkout = page.getByRole("link", { name: "Checkout" }).first();
  await checkout.waitFor();
  await settled(page);
  let checks = 0;
  let held = Promise.withResolvers<void>();
  await page.route("**/lines/check", async (route) => {
    checks += 1;
    await held.promise;
    await route.continue();
  });
  const comeBack = () =>
    page.evaluate(() => ["blur", "focus"].map((type) => window.dispatchEvent(new Event(type))));
  await comeBack();
  await expect.poll(() => checks).toBe(1);
  await checkout.click();
  await page.waitForURL(/\/checkout$/);
  held.resolve();
  const place = page.getByRole("button", { name: "Place Order" }).first();
  await expect.poll(() => place.isEnabled()).toBe(true);
  await settled(page);
  held = Promise.withResolvers();
  checks = 0;
  await store.pool.query("UPDATE shop.product SET price_cents = 9000 WHERE id = $1", [saw._id]);
  await comeBack();
  await expect.poll(() => checks).toBe(1);
  expect(await place.isEnabled()).toBe(true);
  held.resolve();
  await summaryOf(page).locator(".cart-total__sum").filter({ hasText: "$900.00" }).waitFor();
  await opened.close();
});

test("a cart is not saved to the account of another user who signs in meanwhile", async () => {
  const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
  for (const [one, quantity] of [
    [before, 24],
    [after, 36],
  ] as const)
    await one.call("saveCart", { body: { version: 0, lines: [{ productId: sander._id, quantity }] } });
  const opened = await openPage(store, { user: before });
  const { page } = opened;
  await page.goto("/cart");
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await expect.poll(() => quantity.inputValue()).toBe("24");
  await settled(page);
  const asked = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  let isLost = false;
  await page.route("**/cart", async (route) => {
    if (route.request().method() !== "PUT" || isLost) return route.continue();
    isLost = true;
    asked.resolve();
    await lost.promise;
    await route.abort().catch(() => undefined); // given up already
  });
  await quantity.fill("48");
  await page.keyboard.press("Enter");
  await asked.promise;
  await signInElsewhere(page, after);
  lost.resolve();
  await expect.poll(() => quantity.inputValue()).toBe("36");
  // a request is repeated after a second
  await page.waitForTimeout(2500);
  expect((await after.call("findCart", {})).lines).toMatchObject([{ quantity: 36 }]);
  await expect.poll(() => quantity.inputValue()).toBe("36");
  // nor can Undo take over anything
  expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
  await opened.close();
});

test("a change whose response was lost can be taken back", async () => {
  const ada = await register(store);
  const lines = [{ productId: sander._id, quantity: 24, price: 96 }];
  await ada.call("saveCart", { body: { version: 0, lines } });
  const opened = await openPage(store, { user: ada });
  const { page } = opened;
  await page.goto("/cart");
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await expect.poll(() => quantity.inputValue()).toBe("24");
  await settled(page);
  const stop = await loseResponses(page, "**/cart");
  const savedQuantity = async () => (await ada.call("findCart", {})).lines[0]?.quantity;
  await quantity.fill("48");
  await page.keyboard.press("Enter");
  await page.getByText(/Not saved to your account since \d+:\d\d [AP]M\. Saved on this device\./).waitFor();
  expect(await savedQuantity()).toBe(48);
  await quantity.fill("24");
  await page.keyboard.press("Enter");
  stop();
  await page.getByText("Saved on this device and in your account.").waitFor();
  await expect.poll(savedQuantity).toBe(24);
  expect(await quantity.inputValue()).toBe("24");
  opened.expectProblem(/504/);
  await expectNoProblems(opened);
  await opened.close();
});

test.each(["lost", "refused"])(
  "an order whose request was %s is not placed by another user who signs in meanwhile",
  async (how) => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const lines = [{ productId: sander._id, quantity: 24 }];
    await before.call("saveCart", { body: { version: 0, lines } });
    const opened = await openPage(store, { user: before });
    const { page } = opened;
    await page.goto("/checkout");
    await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
    await settled(page);
    const asked = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/orders", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      requests += 1;
      if (requests > 1) return route.continue();
      asked.resolve();
      await lost.promise;
      await (how === "lost" ? route.abort() : route.continue());
    });
    await placeOrder(page);
    await asked.promise;
    await signInElsewhere(page, after);
    await before.signOut();
    lost.resolve();
    // it would be repeated after a second
    await page.waitForTimeout(2500);
    expect((await after.call("listOrders", {})).orders).toEqual([]);
    expect(requests).toBe(1);
    await opened.close();
  },
);

test("a step from a quantity between two multiples leads to the nearer one", async () => {
  const ada = await register(store);
  const lines = [{ productId: sander._id, quantity: 25 }];
  await ada.call("saveCart", { body: { version: 0, lines } });
  const list = await ada.call("addSavedList", { body: { name: "Van restock", lines } });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  for (const path of ["/cart", `/dashboard/lists/${list._id}`]) {
    await page.goto(path);
    const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
    await page
      .getByText(/multiples of 12/)
      .first()
      .waitFor();
    await quantity.press("Alt+ArrowUp");
    await expect.poll(() => quantity.inputValue()).toBe("36");
    await quantity.fill("25");
    await quantity.press("Enter");
    await quantity.press("Alt+ArrowDown");
    await expect.poll(() => quantity.inputValue()).toBe("24");
  }
  await opened.close();
});

test("Next problem leads to each problem in turn", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "XX 1\t5\nRO 150-5\t24\nXX 2\t5");
  await page.getByText("No tool has the item number XX 2.").waitFor();
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest("[data-row]")?.textContent?.match(/XX \d/)?.[0]);
  for (const item of ["XX 1", "XX 2", "XX 1"]) {
    await page.getByRole("button", { name: "Next problem" }).first().click();
    await expect.poll(focusedRow).toBe(item);
  }
  await opened.close();
});

describe.each([1440, 390])("Checkout, pressed right after a quantity was typed, at %i pixels", (width) => {
  test("opens when the line is checked, or leads to what is wrong with it", async () => {
    const ada = await registerWithCart(24);
    const opened = await openPage(store, { user: ada, width });
    const { page } = opened;
    await page.goto("/cart");
    await settled(page);
    const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
    // the bar of a phone is the last one
    const checkout = page.getByRole("link", { name: "Checkout" }).filter({ visible: true }).last();
    const check = Promise.withResolvers<void>();
    await page.route("**/lines/check", async (route) => {
      await check.promise;
      await route.continue();
    });
    await quantity.fill("6000");
    await checkout.click();
    await page.locator("a[aria-busy]").first().waitFor();
    check.resolve();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toMatch(/^Take .*, Random orbit sander$/);
    expect(new URL(page.url()).pathname).toBe("/cart");
    await quantity.fill("36");
    await quantity.press("Enter");
    await settled(page);
    await quantity.fill("48");
    await checkout.click();
    await page.waitForURL(/\/checkout$/);
    await summaryOf(page).getByText("RO 150-5, 48 × $96.00").waitFor();
    await expectNoProblems(opened);
    await opened.close();
  });
});

test("a cart that the browser has no room for is kept while the page is open, and says so", async () => {
  const opened = await openPage(store);
  const { page } = opened;
  await page.goto("/tools");
  await settled(page);
  await page.evaluate(() => {
    for (let size = 2 ** 20; size >= 1; size /= 2) {
      try {
        for (let part = 0; ; part += 1) localStorage.setItem(`full-${size}-${part}`, "x".repeat(size));
      } catch {
        // no room for this size
      }
    }
  });
  await page.getByRole("button", { name: "Add Random orbit sander to cart" }).click();
  await page.getByText("Added 12 random orbit sanders.").waitFor();
  await page.getByText("This browser has no room left for the cart.").waitFor();
  expect(await page.locator("html").getAttribute("data-cart")).toBe("1");
  await page.getByRole("link", { name: /^Cart/ }).first().click();
  await gridOf(page).getByText("Random orbit sander").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("checkout says which price rose since the line was added", async () => {
  const ada = await register(store);
  const lines = [{ productId: sander._id, quantity: 24, price: 90 }];
  await ada.call("saveCart", { body: { version: 0, lines } });
  const opened = await openPage(store, { user: ada, width: 390 });
  const { page } = opened;
  await page.goto("/checkout");
  await page.getByText("RO 150-5, 24 × $96.00, was $90.00").waitFor();
  await page.getByText("Where the pieces go").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("checkout of an empty cart leads to the cart", async () => {
  const opened = await openPage(store, { user: await register(store), width: 390 });
  const { page } = opened;
  await page.goto("/checkout");
  await page.getByRole("heading", { name: "Your cart is empty" }).waitFor();
  expect(await page.getByRole("button", { name: "Place Order" }).count()).toBe(0);
  await expectNoProblems(opened);
  await page.getByRole("link", { name: "Go to the cart" }).click();
  await page.waitForURL(/\/cart$/);
  await opened.close();
});

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("checkout at $width pixels, $theme", ({ width, theme }) => {
  test("places the ready lines as one order, paid next, and keeps a named address", async () => {
    const ada = await registerWithCart(24);
    const opened = await openPage(store, { user: ada, width, theme });
    const { page } = opened;
    await page.goto("/cart");
    await page.getByRole("link", { name: "Checkout" }).last().click();
    await page.getByRole("textbox", { name: "Address" }).waitFor();
    await placeOrder(page);
    await page.getByText("Address is required").waitFor();
    await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
    await page.getByLabel("Name of the place").fill("Canal Yard");
    await page.getByLabel("PO number").fill("PO-7741");
    await page.getByLabel("Note to the warehouse").fill("Dock 2");
    await expectNoProblems(opened);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page.reload(); // the input is kept
    await expect.poll(() => page.getByLabel("PO number").inputValue()).toBe("PO-7741");
    await placeOrder(page, 2);
    await page.waitForURL(/\/dashboard\/payment\//);
    const { orders } = await ada.call("listOrders", {});
    expect(orders).toMatchObject([{ poNumber: "PO-7741", total: 2304 }]);
    await expect.poll(async () => (await ada.call("findCart", {})).lines).toEqual([]);
    await expect
      .poll(async () => (await ada.call("listAddresses", {})).addresses)
      .toMatchObject([{ name: "Canal Yard", address: "Unit 6, Canal Yard" }]);
    await opened.close();
  });

  test("lines that changed meanwhile are decided before anything is ordered", async () => {
    const ada = await register(store);
    await ada.call("addAddress", {
      body: { name: "North depot", address: "8 Kiln Street", contact: "Ada", phone: "555 0119" },
    });
    const [saw, plane, gun] = await Promise.all([
      addProduct(admin, { name: "Table saw", price: 100, minimum_order: 5, quantity: 100 }),
      addProduct(admin, { name: "Planer", price: 50, minimum_order: 5, quantity: 100 }),
      addProduct(admin, { name: "Heat gun", price: 20, minimum_order: 5, quantity: 100 }),
    ]);
    const lines = [saw, plane, gun].map(({ _id: productId, price }) => ({ productId, quantity: 50, price }));
    await ada.call("saveCart", { body: { version: 0, lines } });
    const opened = await openPage(store, { user: ada, width, theme });
    const { page } = opened;
    await page.goto("/checkout");
    await page.getByRole("radio", { name: "North depot" }).waitFor();
    await page.getByRole("radio", { name: "Later, under My Orders" }).check();
    const summary = page.getByRole("complementary", { name: "Order summary" });
    await summary.locator(".cart-total__sum").filter({ hasText: "$8,500.00" }).waitFor();
    await store.pool.query("UPDATE shop.product SET price_cents = 12000 WHERE id = $1", [saw._id]);
    await store.pool.query("UPDATE shop.product SET quantity = 30 WHERE id = $1", [plane._id]);
    await store.pool.query("UPDATE shop.product SET archived_at = now() WHERE id = $1", [gun._id]);
    const check = Promise.withResolvers<void>();
    await page.route("**/lines/check", async (route) => {
      await check.promise;
      await route.continue();
    });
    await placeOrder(page);
    const heading = page.getByRole("heading", { name: "Three lines changed before the order was placed" });
    await heading.waitFor();
    // the current prices are not known yet
    await page.getByText("Checking prices and stock.").waitFor();
    expect(await page.getByRole("button", { name: "Accept all changes" }).isDisabled()).toBe(true);
    check.resolve();
    await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
    opened.expectProblem(/409/);
    expect((await ada.call("listOrders", {})).orders).toEqual([]);
    await summary.getByText("3 lines wait for your answer.").waitFor();
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Take 30, Planer" }).click();
    await page.getByRole("button", { name: "Undo, Planer" }).click();
    await page.getByRole("button", { name: "Take 30, Planer" }).click();
    await page.getByRole("button", { name: "Remove line, Heat gun" }).click();
    await page.getByRole("button", { name: "Accept the other 1" }).click();
    await page.getByText("Was $8,500.00. With these changes $7,500.00.").waitFor();
    await placeOrder(page);
    await page.waitForURL(/\/dashboard\/order\//);
    const { orders } = await ada.call("listOrders", {});
    expect(orders).toMatchObject([{ total: 7500, status: "unpaid" }]);
    expect(orders[0]?.lines).toHaveLength(2);
    expect(orders[0]?.lines[0]).toMatchObject({ address: "8 Kiln Street" });
    await opened.close();
  });
});

test("a reload keeps the chosen address and payment, so that a lost response does not order twice", async () => {
  const ada = await register(store);
  for (const name of ["North depot", "South depot"])
    await ada.call("addAddress", { body: { name, address: `1 ${name} Street` } });
  await ada.call("saveCart", { body: { version: 0, lines: [{ productId: sander._id, quantity: 12 }] } });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  await page.goto("/checkout");
  await page.getByText("From your address book").waitFor();
  const south = page.getByRole("radio", { name: "South depot" });
  const later = page.getByRole("radio", { name: "Later, under My Orders" });
  await south.check();
  await later.check();
  await page.route("**/orders", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  await placeOrder(page);
  await page.getByText("We do not know yet whether the order was placed. Checking.").waitFor();
  await page.unroute("**/orders");
  await page.reload();
  await south.waitFor();
  expect(await south.isChecked()).toBe(true);
  expect(await later.isChecked()).toBe(true);
  await placeOrder(page);
  await page.waitForURL(/\/dashboard\/order\//);
  opened.expectProblem(/ERR_FAILED|Failed to fetch/);
  const { orders } = await ada.call("listOrders", {});
  expect(orders.map(({ lines }) => lines[0]?.address)).toEqual(["1 South depot Street"]);

  // the browser saves the emptied cart, and on a slow machine the seen price before it
  const emptied = () => ada.call("findCart", {});
  await expect.poll(async () => (await emptied()).lines).toEqual([]);
  const { version } = await emptied();
  await ada.call("saveCart", { body: { version, lines: [{ productId: sander._id, quantity: 12 }] } });
  await page.goto("/checkout");
  await page.getByRole("radio", { name: "New address" }).check();
  const typed = "Unit 6, Canal Yard\nPort Harrow";
  await page.getByRole("textbox", { name: "Address" }).fill(typed);
  expect(await page.getByText(/of 500/).count(), "length of the note").toBe(0);
  await south.check();
  await page.getByLabel("PO number").fill("PO-7742");
  await page.getByRole("radio", { name: "New address" }).check();
  await page.reload();
  await expect.poll(() => page.getByRole("textbox", { name: "Address" }).inputValue()).toBe(typed);
  await opened.close();
});

test("contact and phone follow the chosen address after a reload too, but not what was typed", async () => {
  const ada = await register(store);
  for (const [name, contact, phone] of [
    ["North depot", "Nora", "555 0101"],
    ["South depot", "Sam", "555 0102"],
  ] as const)
    await ada.call("addAddress", { body: { name, address: `1 ${name} Street`, contact, phone } });
  await ada.call("saveCart", { body: { version: 0, lines: [{ productId: sander._id, quantity: 12 }] } });
  const opened = await openPage(store, { user: ada, width: 390 });
  const { page } = opened;
  const contact = page.locator("input[name=contact]");
  const phone = page.getByLabel("Phone");
  await page.goto("/checkout");
  await page.getByRole("radio", { name: "South depot" }).check();
  await page.getByLabel("PO number").fill("PO-7743");
  await page.reload();
  await page.getByRole("radio", { name: "South depot" }).waitFor();
  expect([await contact.inputValue(), await phone.inputValue()]).toEqual(["Sam", "555 0102"]);
  await page.getByRole("radio", { name: "North depot" }).check();
  expect([await contact.inputValue(), await phone.inputValue()]).toEqual(["Nora", "555 0101"]);
  await contact.fill("Nina");
  await page.reload();
  await page.getByRole("radio", { name: "South depot" }).check();
  expect([await contact.inputValue(), await phone.inputValue()]).toEqual(["Nina", "555 0102"]);
  await opened.close();
});

test("checkout loads an address book again that could not be loaded, and keeps a typed address", async () => {
  const ada = await register(store);
  await ada.call("addAddress", { body: { name: "North depot", address: "1 North Street" } });
  await ada.call("saveCart", { body: { version: 0, lines: [{ productId: sander._id, quantity: 12 }] } });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  const openWithoutBook = async () => {
    const stop = await intercept(page, /\/addresses$/, (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto("/checkout");
    await page.getByText("Your address book could not be loaded.").waitFor();
    stop();
    opened.expectProblem(/503/);
  };
  const retry = page.getByRole("main").getByRole("button", { name: "Try again" });
  const north = page.getByRole("radio", { name: "North depot" });
  await openWithoutBook();
  await retry.click();
  await north.waitFor();
  expect(await north.isChecked()).toBe(true);
  await expect.poll(() => north.evaluate((input) => input === document.activeElement)).toBe(true);
  await openWithoutBook();
  const address = page.getByRole("textbox", { name: "Address" });
  await address.fill("Unit 6, Canal Yard");
  await retry.click();
  await north.waitFor();
  expect(await page.getByRole("radio", { name: "New address" }).isChecked()).toBe(true);
  expect(await address.inputValue()).toBe("Unit 6, Canal Yard");
  await opened.close();
});

test.each([false, true])(
  "an order whose response was lost is placed once; after a reload: %s",
  async (reload) => {
    const ada = await registerWithCart(12);
    const opened = await openPage(store, { user: ada, width: 1440 });
    const { page } = opened;
    await page.goto("/checkout");
    await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
    let lost = 0;
    await page.route("**/orders", async (route) => {
      if (route.request().method() !== "POST" || lost === 3) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await placeOrder(page);
    await page.getByText("We do not know yet whether the order was placed. Checking.").waitFor();
    if (reload) {
      lost = 3;
      await page.reload();
      await settled(page);
      await placeOrder(page);
    }
    await page.waitForURL(/\/dashboard\/payment\//);
    opened.expectProblem(/ERR_FAILED|Failed to fetch/);
    expect((await ada.call("listOrders", {})).orders).toHaveLength(1);
    await opened.close();
  },
);

test.each(["the session has ended", "there are too many requests"])(
  "an order whose response was lost is placed once, although %s when it is sent again",
  async (why) => {
    const ada = await registerWithCart(12);
    const opened = await openPage(store, { user: ada, width: 1440 });
    const { page } = opened;
    await page.goto("/checkout");
    await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
    await settled(page);
    const stop = await loseResponses(page, "**/orders");
    await placeOrder(page);
    await page.getByText("We do not know yet whether the order was placed. Checking.").waitFor();
    if (why === "the session has ended") {
      await ada.signOut();
      stop();
      await submitLogin(page, ada);
      await page.waitForURL(/\/checkout/);
    } else {
      const detail = "Too many attempts.";
      const body = { type: "about:blank", status: 429, title: "Too Many Requests", detail };
      const allow = await intercept(page, "**/orders", (route) => route.fulfill({ status: 429, json: body }));
      await page.getByText(detail).waitFor();
      stop();
      allow();
    }
    await settled(page);
    await placeOrder(page);
    await page.waitForURL(/\/dashboard\/payment\//);
    opened.expectProblem(/504|401|429/);
    const { rowCount } = await store.pool.query("SELECT FROM shop.purchase WHERE email = $1", [ada.email]);
    expect(rowCount).toBe(1);
    await opened.close();
  },
);

test("after a reload, checkout says that an order may have been placed, but not after one that was refused", async () => {
  const last = await addProduct(admin, { name: "Last sander", minimum_order: 12, quantity: 12 });
  const ada = await register(store);
  await ada.call("saveCart", { body: { version: 0, lines: [{ productId: last._id, quantity: 12 }] } });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  const warning = page.getByText("We do not know whether your last order was placed.");
  await page.goto("/checkout");
  await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
  await settled(page);
  await ada.signOut();
  await placeOrder(page);
  await submitLogin(page, ada);
  await page.waitForURL(/\/checkout/);
  await settled(page);
  expect(await warning.count()).toBe(0);

  await loseResponses(page, "**/orders");
  await placeOrder(page);
  await page.getByText("We do not know yet whether the order was placed. Checking.").waitFor();
  await page.reload();
  // its stock is that of the order
  await page.getByText("1 line needs a change and stays in the cart.").waitFor();
  await warning.waitFor();
  await page.getByRole("alert").getByRole("link", { name: "My Orders" }).click();
  await page.waitForURL(/\/dashboard\/orders/);
  opened.expectProblem(/504|401/);
  await expectNoProblems(opened);
  await opened.close();
});

test("after a failure of the store, checkout says that the order may have been placed", async () => {
  const ada = await register(store);
  await ada.call("saveCart", {
    body: { version: 0, lines: [{ productId: sander._id, quantity: 12, price: 96 }] },
  });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  await page.goto("/checkout");
  await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
  await settled(page);
  const problem = { status: 500, detail: "The store failed." };
  const contentType = "application/problem+json";
  await page.route("**/orders", (route) => route.fulfill({ status: 500, contentType, json: problem }));
  await placeOrder(page);
  const alert = page.getByRole("alert").filter({ hasText: "whether your last order was placed" });
  await alert.getByRole("link", { name: "My Orders" }).waitFor();
  opened.expectProblem(/500/);
  await expectNoProblems(opened);
  await opened.close();
});

test("pieces that another window adds while an order is placed stay in the cart", async () => {
  const ada = await register(store);
  const lines = [{ productId: sander._id, quantity: 12, price: 96 }];
  await ada.call("saveCart", { body: { version: 0, lines } });
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  await page.goto("/checkout");
  await page.getByRole("textbox", { name: "Address" }).fill("Unit 6, Canal Yard");
  await settled(page);
  const asked = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  await page.route("**/orders", async (route) => {
    asked.resolve();
    await allowed.promise;
    await route.continue();
  });
  await placeOrder(page);
  await asked.promise;
  const other = await page.context().newPage();
  await other.goto("/cart");
  await other.getByRole("textbox", { name: "Quantity, Random orbit sander" }).fill("36");
  await other.keyboard.press("Enter");
  const savedQuantities = async () => (await ada.call("findCart", {})).lines.map(({ quantity }) => quantity);
  await expect.poll(savedQuantities).toEqual([36]);
  // the browser shows what one window stored to others a moment later
  const savedHere = () =>
    page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key) ?? "").saved.lines[0].quantity,
      `stator.cart:${ada.email}`,
    );
  await expect.poll(savedHere).toBe(36);
  allowed.resolve();
  await page.waitForURL(/\/dashboard\/payment\//);
  await expect.poll(savedQuantities).toEqual([24]);
  await opened.close();
});

test("products are added from the list and the product page; the header shows the lines", async () => {
  const ada = await register(store);
  const opened = await openPage(store, { user: ada, width: 1440 });
  const { page } = opened;
  await page.goto("/tools");
  await settled(page);
  const cart = page.getByRole("link", { name: /^Cart/ });
  const wrench = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await wrench.fill("25");
  await wrench.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Sold in multiples of 10." }).waitFor();
  await expectNoProblems(opened);
  await page.getByRole("button", { name: "Take 30" }).click();
  await page.getByText("Added 30 impact wrenches.").waitFor();
  await page.getByText("30 in cart").waitFor();
  await wrench.fill("70");
  await wrench.press("Enter");
  await page.getByText("100 in cart").waitFor();
  expect(await wrench.evaluate((field) => field === document.activeElement)).toBe(false);
  await page.getByRole("button", { name: "Add Random orbit sander to cart" }).dblclick(); // adds them once
  await page.getByText("12 in cart").waitFor();
  expect(new URL(page.url()).search).toBe("");
  expect(await cart.textContent()).toMatch(/Cart/);
  expect(await page.evaluate(() => document.documentElement.dataset.cart)).toBe("2");
  await expectNoProblems(opened);
  await page.goto(`/product/${sander._id}`);
  await page.getByRole("button", { name: "Add to cart, 12 in it" }).dblclick();
  await page.getByRole("button", { name: "Add to cart, 24 in it" }).waitFor();
  await page.getByRole("button", { name: "Cart, 2 lines" }).click();
  await page.waitForURL(/\/cart$/);
  await expect
    .poll(async () => (await ada.call("findCart", {})).lines.map(({ quantity }) => quantity))
    .toEqual([100, 24]);
  await page.getByRole("button", { name: "Save as list" }).click();
  await page.getByRole("button", { name: "Open list" }).click();
  await page.waitForURL(/\/dashboard\/lists\//);
  // on another device it is loaded before the cart page is opened
  const other = await openPage(store, { user: ada, width: 390, theme: "dark" });
  await other.page.goto("/");
  await expect.poll(() => other.page.evaluate(() => document.documentElement.dataset.cart)).toBe("2");
  await expectNoProblems(other);
  await other.close();
  await opened.close();
});

test("a tool that a full cart has no room for is not added, and the cart says so", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/tools");
  await page.evaluate(() => {
    const lines = Array.from({ length: 5000 }, () => ({ productId: crypto.randomUUID(), quantity: 1 }));
    localStorage.setItem("stator.cart:", JSON.stringify({ lines }));
  });
  await page.reload();
  await settled(page);
  const wrench = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
  await wrench.fill("30");
  await wrench.press("Enter");
  await page
    .getByText("Nothing was added: a cart has at most 5,000 lines. Remove some of them first.")
    .waitFor();
  expect(await wrench.inputValue()).toBe("30");
  await opened.close();
});

test("an admin has no cart", async () => {
  const opened = await openPage(store, { user: admin, width: 1440 });
  await opened.page.goto("/tools");
  await settled(opened.page);
  expect(await opened.page.getByRole("link", { name: /^Cart/ }).isVisible()).toBe(false);
  expect(await opened.page.getByRole("button", { name: /to cart$/ }).count()).toBe(0);
  await opened.close();
});

test("5,000 pasted rows stay responsive, and few of them are rendered", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await page.getByText("Empty. Type the first item number").waitFor();
  const rows = Array.from({ length: 5200 }, (_, at) => `XX ${at}\t${at + 1}`).join("\n");
  await paste(page, rows);
  await page
    .getByText("This paste has 5,200 rows. A cart holds 5,000. The first 5,000 were added.")
    .waitFor();
  await page.getByText("No tool has the item number XX 3.").waitFor();
  await summaryOf(page).getByText("5,000 lines need a change before checkout.").waitFor({ timeout: 30_000 });
  expect(await gridOf(page).getByRole("row").count()).toBeLessThan(150);
  // what is typed stays when its line is scrolled out of view
  const quantity = page.getByRole("textbox", { name: "Quantity, XX 2", exact: true });
  await quantity.fill("77");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole("textbox", { name: "Quantity, XX 4999", exact: true }).waitFor();
  expect(await gridOf(page).getByRole("row").count()).toBeLessThan(150);
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await quantity.inputValue()).toBe("77");
  expect(await quantity.evaluate((cell) => cell === document.activeElement)).toBe(true);
  await quantity.press("Enter");
  // a line more is refused, and stays as it was typed
  const item = page.getByRole("combobox", { name: "Item number or name, new line" });
  await item.fill("XX 6000");
  await page.getByRole("textbox", { name: "Quantity, new line" }).fill("12");
  await page.keyboard.press("Enter");
  await page
    .getByText("Nothing was added: a cart has at most 5,000 lines. Remove some of them first.")
    .waitFor();
  expect(await item.inputValue()).toBe("XX 6000");
  expect(await page.getByRole("textbox", { name: "Quantity, new line" }).inputValue()).toBe("12");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => quantity.inputValue()).toBe("3");
  await page.getByRole("button", { name: "Undo paste" }).click();
  await page.getByText("Empty. Type the first item number").waitFor();
  await opened.close();
});

test("a paste of more than 10 MB is refused at once and changes nothing", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  await paste(page, "RO 150-5\t24");
  const quantity = page.getByRole("textbox", { name: "Quantity, Random orbit sander" });
  await expect.poll(() => quantity.inputValue()).toBe("24");
  await paste(page, "RO 150-5\t24\n".repeat(900_000));
  await page.getByText("This paste is larger than 10 MB. Divide it and paste the parts.").waitFor();
  expect(await quantity.inputValue()).toBe("24");
  await opened.close();
});

/** Presses the visible button: on a phone the one at the bottom. */
async function placeOrder(page: Page, times = 1) {
  await page.getByRole("button", { name: "Place Order" }).last().click({ clickCount: times });
}

test("a button that its own press removes leaves the focus at the heading", async () => {
  const opened = await openPage(store, { width: 1440 });
  const { page } = opened;
  await page.goto("/cart");
  const press = async (name: string) => {
    await page.getByRole("button", { name }).press("Enter");
    await page.getByRole("button", { name }).waitFor({ state: "detached" });
    return page.evaluate(() => document.activeElement?.textContent);
  };
  await paste(page, "RO 150-5\t100\nAG 125-14\t300\n");
  expect(await press("Fix 2 at once")).toBe("Cart");
  expect(await press("Close the report")).toBe("Cart");
  expect(await press("Clear")).toBe("Cart");
  await opened.close();
});
