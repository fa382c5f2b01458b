/** The happy path of a buyer and of an admin by keyboard only: the focus is always visible. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closePages, type OpenPage, openPage, settled } from "../harness/browser.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

/** The focused element: its role or tag, and its accessible name. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const input = element as HTMLInputElement;
    const name =
      element.getAttribute("aria-label") ?? input.labels?.[0]?.textContent ?? element.textContent ?? "";
    return `${element.tagName.toLowerCase()} ${name.trim().replace(/\s+/g, " ").slice(0, 80)}`;
  });
}

/** Whether the focus is visible: an outline, or a changed border of the field. */
function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    // a heading or list focused by the page itself: not operable
    if (element.tabIndex < 0) return true;
    const related = [
      element,
      ...element.querySelectorAll("*"),
      element.parentElement,
      element.nextElementSibling,
    ];
    return related.some((one) => {
      if (!one) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
  });
}

/** Presses Tab until `target` has the focus; every stop on the way must be visible. Fails after `limit` stops. */
async function tabTo(page: Page, target: string | RegExp, limit = 60): Promise<void> {
  const stops: string[] = [];
  while (stops.length < limit) {
    await page.keyboard.press("Tab");
    // the ends of a dialog pass the focus to the other end
    await expect.poll(() => focused(page)).not.toBe("span ");
    const stop = await focused(page);
    stops.push(stop);
    if (!stop.startsWith("body")) expect(await isFocusVisible(page), `a mark around ${stop}`).toBe(true);
    if (typeof target === "string" ? stop === target : target.test(stop)) return;
  }
  throw new Error(`Tab never came to ${target}, only to:\n${stops.join("\n")}`);
}

/**
 * Presses Tab faster than the page renders, forwards and back; returns the focused elements outside of the dialog.
 */
async function stopsOutsideDialog(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const strayed: string[] = [];
    Object.assign(window, { strayed });
    document.addEventListener("focusin", ({ target }) => {
      const element = target as HTMLElement;
      if (!element.closest("[role=alertdialog]")) strayed.push(element.outerHTML.slice(0, 80));
    });
  });
  const { keyboard } = page;
  const presses = [...Array(12).fill("Tab"), ...Array(12).fill("Shift+Tab")] as string[];
  await Promise.all(presses.map((key) => keyboard.press(key)));
  return page.evaluate(() => (window as unknown as { strayed: string[] }).strayed);
}

/** The page's heading has the focus, as after every navigation. */
async function atHeading({ page }: OpenPage, words: string): Promise<void> {
  await expect.poll(() => focused(page), { timeout: 10_000 }).toBe(`h1 ${words}`);
}

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test("a buyer goes from the home page to a paid order", async () => {
  const buyer = await openPage(store);
  const { page } = buyer;
  const { keyboard } = page;
  await page.goto("/");
  await settled(page);

  await keyboard.press("Tab");
  expect(await focused(page)).toBe("a Skip to content");
  await keyboard.press("Enter");
  await tabTo(page, "a Get Started");
  await keyboard.press("Enter");
  await atHeading(buyer, "Tools");

  // slash focuses the search, arrow down its results
  await keyboard.press("/");
  expect(await focused(page)).toBe("input Search tools");
  await keyboard.type("jigsaw");
  await keyboard.press("Enter");
  await page.getByRole("link", { name: "Buy Now, Drill driver" }).waitFor({ state: "detached" });
  await keyboard.press("ArrowDown");
  expect(await focused(page)).toMatch(/^a Buy Now, Jigsaw/);
  await keyboard.press("Enter");

  await page.waitForURL(/\/login\?from=/);
  await atHeading(buyer, "Login");
  await tabTo(page, "a Create an account");
  await keyboard.press("Enter");
  await page.waitForURL(/\/register/);
  await atHeading(buyer, "Register");
  await tabTo(page, "input Name");
  await keyboard.type("Kay Board");
  await tabTo(page, "input Email");
  await keyboard.type("kay@buyers.example");
  await tabTo(page, /^input Password/);
  await keyboard.type("12345");
  await keyboard.press("Enter");
  await see(page, "Password should be at least 6 charecter");
  expect(await focused(page), "the first field with a mistake").toMatch(/^input Password/);
  await keyboard.type(" and not a common one");
  await keyboard.press("Enter");

  await page.waitForURL(/\/product\//);
  await page.getByRole("form", { name: "Purchase order" }).waitFor();
  await tabTo(page, "textarea Address");
  await keyboard.type("Unit 6, Canal Yard");
  await tabTo(page, "input Quantity");
  const quantity = page.getByLabel("Quantity", { exact: true });
  const minimum = Number(await quantity.inputValue());
  await keyboard.press("ArrowUp");
  await expect.poll(() => quantity.inputValue()).toBe(String(minimum + 1));
  await keyboard.press("PageUp");
  await expect.poll(() => quantity.inputValue()).toBe(String(2 * minimum + 1));
  await tabTo(page, "button Increase quantity");
  await keyboard.press("Space");
  await expect.poll(() => quantity.inputValue()).toBe(String(2 * minimum + 2));
  await tabTo(page, "button Purchase");
  await keyboard.press("Enter");
  await see(page, "Purchased Successfully");
  await page.waitForURL("**/dashboard/orders");
  await atHeading(buyer, "My Orders");

  await tabTo(page, /^a Pay\b/);
  await keyboard.press("Enter");
  await atHeading(buyer, "Payment");
  await page.getByLabel("Card number").waitFor();
  await tabTo(page, /^input Card number/);
  await keyboard.type("4242424242424242");
  await tabTo(page, /^input Expiry date/);
  await keyboard.type("1234");
  await tabTo(page, /^input Security code/);
  await keyboard.type("123");
  await keyboard.press("Enter");
  await see(page, "Congratulation your payment is done successdully");
  expect(buyer.problems).toEqual([]);
  await buyer.close();
});

test("an order is cancelled; the dialog holds the focus, Escape keeps the order, and the focus returns", async () => {
  const user = await register(store, "Cara Cancel");
  const [tool] = await user.call("listProducts", {});
  if (!tool) throw new Error("The sample catalogue is empty.");
  await placeFor(user, tool);
  const buyer = await openPage(store, { user });
  const { page } = buyer;
  await page.goto("/dashboard/orders");
  await page.getByRole("button", { name: /^Cancel Order/ }).waitFor();
  await tabTo(page, /^button Cancel Order/);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("button Keep order");
  // cycles within the dialog
  await tabTo(page, "button Cancel Order", 5);
  await tabTo(page, "button Keep order", 5);
  expect(await stopsOutsideDialog(page), "Tab held down").toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toMatch(/^button Cancel Order/);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("button Keep order");
  await tabTo(page, "button Cancel Order", 5);
  await page.keyboard.press("Enter");
  await see(page, "Orrder is cancelled successfully");
  await atHeading(buyer, "My Orders");
  expect(buyer.problems).toEqual([]);
  await buyer.close();
});

test("an admin logs in, ships, adds a tool, deletes it and makes an admin", async () => {
  const user = await register(store, "Nadia Next");
  await payFor(store, user, await placeFor(user, await addProduct(admin, { name: "Keyed drill" })));
  const opened = await openPage(store);
  const { page } = opened;
  const { keyboard } = page;
  await page.goto("/dashboard/manageOrder");
  await page.waitForURL(/\/login/);
  // Enter submits the form only after hydration
  await page.waitForFunction(() => Object.keys(document.forms[0] ?? {}).some((key) => /^__react/.test(key)));
  await tabTo(page, "input Email");
  await keyboard.type(store.admin.email);
  await tabTo(page, /^input Password/);
  await keyboard.type(store.admin.password);
  await keyboard.press("Enter");
  await page.waitForURL("**/dashboard/manageOrder");
  await page.getByRole("button", { name: /^Pending.*Keyed drill/ }).waitFor();
  await tabTo(page, /^button Pending.*Keyed drill/);
  await keyboard.press("Enter");
  await see(page, "Product shipping successfully");

  await open(opened, "Add A Tool");
  for (const [label, words] of [
    [/^input Name/, "A drill of keys"],
    [/^input Price/, "12.5"],
    [/^input Quantity/, "100"],
    [/^input Minimum order/, "10"],
    [/^textarea Description/, "Typed, not clicked."],
    [/^input Picture/, "/tools/drill-driver.svg"],
  ] as const) {
    await tabTo(page, label);
    await keyboard.type(words);
  }
  await keyboard.press("Enter");
  await see(page, "Product Added SuccessFully");

  await open(opened, "Manage Products");
  await tabTo(page, "input Search tools in the catalogue");
  await keyboard.type("drill of keys");
  await page.getByText(/^1 of \d+ tools/).waitFor({ state: "attached" });
  await tabTo(page, /^button Delete.*A drill of keys/);
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatch(/^button Keep/);
  await tabTo(page, "button Delete", 5);
  await keyboard.press("Space");
  await see(page, "Orrder is deleted successfully");

  await open(opened, "Make Admin");
  await page.getByRole("button", { name: `Make Admin, ${user.email}` }).waitFor();
  await tabTo(page, `button Make Admin, ${user.email}`);
  await keyboard.press("Enter");
  await tabTo(page, "button Make Admin", 5);
  await keyboard.press("Enter");
  await page.getByRole("alertdialog", { name: /without a confirmed address/ }).waitFor();
  await page.getByRole("button", { name: "Make Admin", exact: true }).waitFor({ state: "detached" });
  // the first dialog keeps the focus until it has faded out
  const focusedDialog = () =>
    page.evaluate(() => document.activeElement?.closest("[role=alertdialog]")?.textContent);
  await expect.poll(focusedDialog).toContain("without a confirmed address");
  await tabTo(page, "button Make Admin anyway", 5);
  await keyboard.press("Enter");
  await see(page, "Admin created successfully");
  expect(opened.problems).toEqual([]);
  await opened.close();
});

test("a link that is gone after it was pressed leaves the focus at the heading", async () => {
  const user = await register(store);
  const paid = await placeFor(user, await addProduct(admin));
  await payFor(store, user, paid);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/order/${paid._id}`);
  await page.getByRole("link", { name: "Ship a part, or with a tracking number" }).press("Enter");
  await page.getByRole("textbox", { name: /^Ship now/ }).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^h1 Order/);
  await visitor.close();
});

/** From any focus, via the top of the page, to an entry of the dashboard's menu. */
async function open(opened: OpenPage, entry: string): Promise<void> {
  await tabTo(opened.page, new RegExp(`^a ${entry}`), 200);
  await opened.page.keyboard.press("Enter");
  await atHeading(opened, entry);
}

describe("a long list", () => {
  test("of products: the next page is a few keys away, past the filters and the rows", async () => {
    for (let number = 1; number <= 6; number += 1) await addProduct(admin, { name: `Filler ${number}` });
    const visitor = await openPage(store);
    const { page } = visitor;
    await page.goto("/tools");
    await settled(page);
    await page.getByRole("combobox", { name: "Search tools" }).focus();
    await tabTo(page, "a Skip to results", 10);
    await page.keyboard.press("Enter");
    expect(await focused(page)).toMatch(/^strong \d+ tools$/);
    await tabTo(page, "a Skip to pagination", 5);
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("a Next page");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "First page" }).waitFor();
    // the focused element is in view again, and not behind us at the end of the page
    await expect.poll(() => focused(page)).toMatch(/^strong \d+ tools$/);
    await visitor.close();
  });

  test("of an admin: likewise", async () => {
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageProduct");
    await page.getByRole("link", { name: "Next" }).waitFor();
    await page.getByRole("searchbox", { name: "Search tools in the catalogue" }).focus();
    await tabTo(page, "a Skip to pagination", 10);
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("a Next");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Previous" }).waitFor();
    await tabTo(page, "a Skip to pagination", 3);
    await visitor.close();
  });
});

describe("the menu of a phone", () => {
  test("opens with Enter, closes with Escape and returns the focus", async () => {
    const visitor = await openPage(store, { width: 390 });
    const { page } = visitor;
    await page.goto("/");
    await settled(page);
    await tabTo(page, "summary Menu");
    await page.keyboard.press("Enter");
    await tabTo(page, "a Blog", 5);
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("summary Menu");
    await page.getByRole("link", { name: "Blog" }).first().waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await tabTo(page, "a Blog", 5);
    await page.keyboard.press("Enter");
    await atHeading(visitor, "Blog");
    await visitor.close();
  });
});

test("a phone's search button shows the search, and a suggestion can be pressed", async () => {
  const { page, close } = await openPage(store, { width: 390 });
  const field = page.getByRole("combobox", { name: "Search tools" });
  const hasFocus = () => field.evaluate((element) => element === document.activeElement);
  await page.goto("/blog");
  await settled(page);
  await page.locator(".hdr__find").click();
  expect(await hasFocus()).toBe(true);
  expect((await field.boundingBox())?.width).toBeGreaterThan(300);
  await page.keyboard.type("jigsaw");
  await page.getByRole("option", { name: /^Jigsaw/ }).click();
  await page.waitForURL("**/login?from=**");
  await close();
});

test("forced colours show the focus of a quantity in the list", async () => {
  const { page, close } = await openPage(store);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/tools");
  await page
    .getByRole("textbox", { name: /^Quantity/ })
    .first()
    .focus();
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineColor } = getComputedStyle(document.activeElement as HTMLElement);
    return `${outlineStyle} ${outlineColor}`;
  });
  expect(outline).toMatch(/^solid (?!.*, 0\))/);
  await page.emulateMedia({ forcedColors: null });
  await close();
});

describe("on a phone, no focused element is covered", () => {
  test("by the menu, which closes when the focus leaves it", async () => {
    const { page, close } = await openPage(store, { width: 390 });
    await page.goto("/");
    await settled(page);
    await tabTo(page, "summary Menu");
    await page.keyboard.press("Enter");
    await tabTo(page, "a Get Started", 10);
    await page.getByRole("link", { name: "Login" }).first().waitFor({ state: "hidden" });
    await close();
  });

  test("by the bar with the total, in a window as low as a rotated phone", async () => {
    const buyer = await register(store, "Rosa Rotate");
    const [tool] = await buyer.call("listProducts", {});
    if (!tool) throw new Error("The sample catalogue is empty.");
    const lines = [{ productId: tool._id, quantity: tool.minimum_order }];
    await buyer.call("saveCart", { body: { version: 0, lines } });
    const list = await buyer.call("addSavedList", { body: { name: "Van restock", lines } });
    for (const path of ["/cart", "/checkout", `/dashboard/lists/${list._id}`]) {
      const { page, close } = await openPage(store, { width: 667, height: 375, user: buyer });
      await page.goto(path);
      await settled(page);
      for (let stops = 0; stops < 40; stops += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => !document.activeElement?.closest("main"))) continue;
        expect(await page.evaluate(isFocusInView), `${path}, ${await focused(page)}`).toBe(true);
      }
      await close();
    }
  });

  test("by the header and the dashboard's menu, on the way back up", async () => {
    const buyer = await register(store, "Bea Back");
    const { page, close } = await openPage(store, { width: 390, height: 700, user: buyer });
    await page.goto("/dashboard/account");
    await page.getByRole("button", { name: "Delete my account" }).focus();
    let stops = 0;
    for (; (await focused(page)) !== "a Add a Review" && stops < 60; stops += 1) {
      expect(await page.evaluate(isFocusInView), await focused(page)).toBe(true);
      await page.keyboard.press("Shift+Tab");
    }
    expect(stops).toBeGreaterThan(5);
    expect(stops).toBeLessThan(60);
    await close();
  });
});

/** Whether the focused element is not covered. */
function isFocusInView(): boolean {
  const focus = document.activeElement as HTMLElement;
  const { x, y, width, height } = focus.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return top !== null && (focus.contains(top) || top.contains(focus));
}

test("the questions open and close with Enter and Space", async () => {
  const visitor = await openPage(store);
  const { page } = visitor;
  await page.goto("/");
  await settled(page);
  await tabTo(page, /Are the tools authentic/);
  const open = () => page.evaluate(() => document.activeElement?.closest("details")?.open);
  const before = await open();
  await page.keyboard.press("Enter");
  await expect.poll(open).toBe(!before);
  await page.keyboard.press("Space");
  await expect.poll(open).toBe(before);
  await visitor.close();
});

test("single-key shortcuts are switched off and on in the account", async () => {
  await placeFor(await register(store, "Otto Off"), await addProduct(admin), 10);
  const { page, close } = await openPage(store, { width: 1440, user: admin });
  const open = async (path: string) => {
    await page.goto(path);
    await settled(page);
  };
  const focusedAfter = async (key: string, path: string) => {
    await open(path);
    await page.keyboard.press(key);
    return focused(page);
  };
  const shortcuts = page.getByRole("checkbox", { name: "Single-key shortcuts" });
  await open("/dashboard/account");
  await shortcuts.uncheck();
  expect(await focusedAfter("j", "/dashboard/manageOrder")).toMatch(/^body/);
  expect(await focusedAfter("/", "/tools")).toMatch(/^body/);

  await open("/dashboard/account");
  await shortcuts.check();
  expect(await focusedAfter("j", "/dashboard/manageOrder")).toMatch(/^input Select/);
  await close();
});
