/** The product page: holding the stepper, keys of the quantity, the view transition of the plate. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  intercept,
  type OpenPage,
  openPage,
  returnTo,
  settled,
} from "../harness/browser.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn, verifyEmail } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let tool: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
  tool = await addProduct(admin, { name: "Held drill", minimum_order: 10, quantity: 1000 });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

async function visit(product: Product, width = 1280): Promise<OpenPage> {
  const opened = await openPage(store, { user: buyer, width });
  await opened.page.goto(`/product/${product._id}`);
  await opened.page.getByRole("spinbutton", { name: "Quantity" }).waitFor();
  await settled(opened.page);
  return opened;
}

const quantityOf = async (page: Page) =>
  Number(await page.getByRole("spinbutton", { name: "Quantity" }).inputValue());

describe("a name of one long word, and the largest total", () => {
  test.each([390, 1024, 1440])("stay within their boxes at %i pixels", async (width) => {
    const name = "Schlagbohrschraubendrehmaschinenaufbewahrungskoffer";
    const opened = await visit(
      await addProduct(admin, { name, price: 99_999.99, minimum_order: 1, quantity: 1_000_000 }),
      width,
    );
    const { page } = opened;
    await page.getByRole("spinbutton", { name: "Quantity" }).fill("9");
    await page.getByText("$899,999.91").waitFor();
    expect(await beyond(page, ".pdp__title h1", ".pdp__title"), "the name").toBeLessThanOrEqual(0);
    expect(await beyond(page, ".total__sum", ".total"), "the sum").toBeLessThanOrEqual(0);
    expect(await beyond(page, ".total", "html"), "the purchase order").toBeLessThanOrEqual(0);
    await opened.close();
  });

  /** By how many pixels the text of one element overflows the box of another, to the left or to the right. */
  const beyond = (page: Page, inner: string, outer: string) =>
    page.evaluate(
      ([words, box]) => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(words as string) as Element);
        const inside = range.getBoundingClientRect();
        const outside = (document.querySelector(box as string) as Element).getBoundingClientRect();
        return Math.max(outside.left - inside.left, inside.right - outside.right);
      },
      [inner, outer],
    );
});

describe("the stepper", () => {
  test("steps on press, and repeatedly while held, until it is released", async () => {
    const { page, close } = await visit(tool);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    await page.getByRole("button", { name: "Increase quantity" }).hover();
    await page.mouse.down();
    await expect.poll(() => quantityOf(page)).toBe(11);
    await page.clock.runFor(390);
    expect(await quantityOf(page)).toBe(11);
    // at 400 ms and five times after that; a step may wait for the previous one to be rendered
    await page.clock.runFor(40 + 60 * 5);
    await expect.poll(() => quantityOf(page)).toBeGreaterThanOrEqual(15);
    await page.mouse.up();
    const reached = await quantityOf(page);
    expect(reached).toBeLessThanOrEqual(17);
    await page.clock.runFor(2000);
    expect(await quantityOf(page)).toBe(reached);
    await close();
  });

  test("steps by one and by one minimum order with keys, and never beyond the limits", async () => {
    const { page, close } = await visit(tool);
    const keys: [string, number][] = [
      ["ArrowUp", 11],
      ["PageUp", 21],
      ["ArrowDown", 20],
      ["PageDown", 10],
      ["PageDown", 10],
    ];
    await page.getByRole("spinbutton", { name: "Quantity" }).focus();
    for (const [key, quantity] of keys) {
      await page.keyboard.press(key);
      await expect.poll(() => quantityOf(page), { message: key }).toBe(quantity);
    }
    await page.getByRole("spinbutton", { name: "Quantity" }).press("ArrowUp");
    const decrease = page.getByRole("button", { name: "Decrease quantity" });
    await decrease.press("Enter");
    await expect.poll(() => decrease.isDisabled()).toBe(true);
    expect(await decrease.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "250", exact: true }).click();
    await expect.poll(() => quantityOf(page)).toBe(250);
    const field = page.getByRole("spinbutton", { name: "Quantity" });
    await field.click();
    await page.mouse.wheel(0, 100);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    expect(await field.inputValue()).toBe("250");
    await page.getByText("250 × $12.50 =").waitFor();
    await page.getByText("$3,125.00").waitFor();
    await close();
  });
});

test("long words and large figures fit, on a desktop and on a phone", async () => {
  const long = await addProduct(admin, {
    name: "Reciprocating-and-oscillating demolition hammer with anti-vibration handle, SDS-max",
    price: 8999.99,
    minimum_order: 90,
    quantity: 1_000_000,
    description: `${"Unbreakable".repeat(30)} and then some words that can be broken. `.repeat(3),
  });
  for (const width of [1280, 390, 320]) {
    const opened = await visit(long, width);
    const room = await opened.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(room[0], `at ${width}`).toBeLessThanOrEqual(room[1] ?? 0);
    await opened.page.goto("/tools?view=grid");
    await opened.page.getByRole("heading", { name: long.name }).waitFor();
    const grid = await opened.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(grid[0], `the grid at ${width}`).toBeLessThanOrEqual(grid[1] ?? 0);
    await opened.close();
  }
});

test("the focused button of the purchase order is visible in a low window", async () => {
  const { page, close } = await visit(tool);
  await page.setViewportSize({ width: 1366, height: 650 });
  const button = page.getByRole("button", { name: "Purchase" });
  await button.focus();
  const bottom = async () =>
    ((await button.boundingBox())?.y ?? 0) + ((await button.boundingBox())?.height ?? 0);
  await expect.poll(bottom).toBeLessThanOrEqual(650);
  await close();
});

describe("from a card to its product", () => {
  /** Records whether the plate of a card was named for the view transition. */
  async function followed(motion: boolean): Promise<string[]> {
    const { page, close } = await openPage(store, { user: buyer, motion });
    await page.goto("/tools?view=grid");
    await settled(page);
    await page.evaluate(() => {
      const named: string[] = [];
      Object.assign(window, { named });
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const transition = start(update);
        void transition.ready.then(
          () => {
            const moves = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
            named.push(
              ...moves
                .filter((move) => move.getComputedTiming().duration !== 0)
                .map((move) => move.pseudoElement ?? "")
                .filter((part) => part.includes("tool-plate")),
            );
          },
          () => undefined,
        );
        return transition;
      };
    });
    await page.getByRole("link", { name: `Buy Now, ${tool.name}` }).click();
    await page.getByRole("heading", { level: 1, name: tool.name }).waitFor();
    await page.waitForTimeout(300);
    const named = await page.evaluate(() => (window as unknown as { named: string[] }).named);
    await close();
    return named;
  }

  test("the plate moves along", async () => {
    expect((await followed(true)).length).toBeGreaterThan(0);
  });

  test("and does not with reduced motion", async () => {
    expect(await followed(false)).toEqual([]);
  });
});

test("price and stock are current when a lost connection is back", async () => {
  const drill = await addProduct(admin, {
    name: "Lost drill",
    minimum_order: 10,
    quantity: 1000,
    price: 100,
  });
  const opened = await visit(drill);
  const { page } = opened;
  const restore = await intercept(page, "**/readyz");
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await page.getByText("You are offline.").waitFor();
  await store.pool.query("UPDATE shop.product SET price_cents = 9000 WHERE id = $1", [drill._id]);
  restore();
  await page.getByText("$90.00 per piece").waitFor();
  await opened.close();
});

test("a late response does not replace the price that the response to an order has", async () => {
  const drill = await addProduct(admin, {
    name: "Late drill",
    minimum_order: 10,
    quantity: 1000,
    price: 100,
  });
  const { page, expectProblem, close } = await visit(drill);
  const { held, release } = await holdResponse(page, `**/products/${drill._id}`);
  await returnTo(page);
  await held;
  await store.pool.query("UPDATE shop.product SET price_cents = 9000 WHERE id = $1", [drill._id]);
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  const purchase = page.getByRole("button", { name: "Purchase", exact: true });
  await purchase.click();
  await page.getByText("$90.00 per piece").waitFor();
  release();
  await settled(page);
  await purchase.click();
  await page.waitForURL("**/dashboard/orders");
  expectProblem(/409|422/);
  await close();
});

test("a stock alert stays shown when the state before it responds later", async () => {
  const { _id: id } = await addProduct(admin, { name: "Awaited saw", minimum_order: 10, quantity: 0 });
  const fresh = await register(store);
  await verifyEmail(store.pool, fresh.email);
  const { page, close } = await openPage(store, { user: await logIn(store, fresh) });
  const { held, release } = await holdResponse(page, `**/products/${id}/alert`);
  await page.goto(`/product/${id}`);
  await held;
  await page.getByRole("button", { name: "Email me when it can be ordered" }).click();
  const text = page.getByText(`We send one email to ${fresh.email}`);
  await text.waitFor();
  release();
  await settled(page);
  expect(await text.isVisible()).toBe(true);
  await close();
});

test("the panel of a tool that was sold out meanwhile takes the focus of the form, and gives it back", async () => {
  const hammer = await addProduct(admin, { name: "Sold hammer", quantity: 1000 });
  const { page, expectProblem, close } = await visit(hammer);
  const setStock = (quantity: number) =>
    store.pool.query("UPDATE shop.product SET quantity = $2 WHERE id = $1", [hammer._id, quantity]);
  const focused = (name: string) =>
    expect
      .poll(() =>
        page.getByRole("heading", { name }).evaluate((heading) => heading === document.activeElement),
      )
      .toBe(true);
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  await setStock(3);
  await page.getByRole("button", { name: "Purchase", exact: true }).press("Enter");
  await focused("Not available now");
  expectProblem(/422/);
  await setStock(1000);
  await page.getByRole("button", { name: "Email me when it can be ordered" }).press("Enter");
  await focused("Sold hammer");
  await setStock(3);
  // also a press before hydration
  await page.reload();
  await page.getByRole("button", { name: "Email me when it can be ordered" }).press("Enter");
  const sent = page.getByText("Open the link that we sent to");
  await expect.poll(() => sent.evaluate((text) => text === document.activeElement)).toBe(true);
  await close();
});

test("an order of the last pieces whose response is lost is sent again, and placed once", async () => {
  const saw = await addProduct(admin, { name: "Last saw", minimum_order: 10, quantity: 15 });
  const { page, expectProblem, close } = await visit(saw);
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  const stop = await intercept(page, "**/purchase", async (route) => {
    await route.fetch();
    await lost;
    await route.fulfill({ status: 504, contentType: "text/html", body: "Gateway Timeout" });
  });
  const countPlaced = async () =>
    (await store.pool.query("SELECT FROM shop.purchase WHERE product_id = $1", [saw._id])).rowCount;
  const purchase = page.getByRole("button", { name: "Purchase", exact: true });
  await purchase.click();
  await expect.poll(countPlaced).toBe(1);
  // its pieces are gone, and its price is another one, before its response is lost
  await store.pool.query("UPDATE shop.product SET quantity = 15, price_cents = 9000 WHERE id = $1", [
    saw._id,
  ]);
  const fresh = page.waitForResponse(`**/products/${saw._id}`);
  await returnTo(page);
  await (await fresh).finished();
  lose();
  await page.getByText("If your order was placed, it is not placed twice").waitFor();
  stop();
  await store.pool.query("UPDATE shop.product SET quantity = 5 WHERE id = $1", [saw._id]);
  await returnTo(page);
  await settled(page);
  await purchase.click();
  await page.waitForURL("**/dashboard/orders");
  expectProblem(/504/);
  expect(await countPlaced()).toBe(1);
  await close();
});

test("a quantity that cannot be ordered has no total", async () => {
  const opened = await visit(tool);
  const { page } = opened;
  const total = page.locator(".total output");
  const quantity = page.getByRole("spinbutton", { name: "Quantity" });
  expect(await total.textContent()).toContain("$125.00");
  for (const wrong of ["9", "1001"]) {
    await quantity.fill(wrong);
    await expect.poll(() => total.textContent()).toBe("–");
    const error = page.locator(`#${await quantity.getAttribute("aria-describedby")}`);
    // an alert would interrupt who types 100 after the first digit
    expect(await error.getAttribute("role")).toBe("status");
  }
  await quantity.fill("20");
  await expect.poll(() => total.textContent()).toContain("$250.00");
  await expectNoProblems(opened);
  await opened.close();
});

test("a quantity with separators is read, unless it can mean two numbers", async () => {
  const opened = await visit(tool);
  const { page } = opened;
  const total = page.locator(".total output");
  const quantity = page.getByRole("spinbutton", { name: "Quantity" });
  await quantity.fill("20.000");
  await page.getByText("Enter a whole number.").waitFor();
  expect(await total.textContent()).toBe("–");
  expect(await page.getByRole("button", { name: "Purchase", exact: true }).isDisabled()).toBe(true);
  await quantity.fill("1,000");
  await expect.poll(() => total.textContent()).toContain("$12,500.00");
  expect(await quantity.inputValue()).toBe("1,000");
  await quantity.press("ArrowDown");
  expect(await quantity.inputValue()).toBe("999");
  await quantity.fill("pieces");
  await quantity.press("ArrowUp");
  await expect.poll(() => quantity.inputValue()).toBe("10");
  await expectNoProblems(opened);
  await opened.close();
});

test("a phone shows price, quantity and a link to the form at the bottom, until the form is in view", async () => {
  const opened = await visit(tool, 390);
  const { page } = opened;
  const bar = page.locator(".buy-bar");
  await bar.waitFor();
  expect(await bar.textContent()).toContain("$12.50× 10 pieces");
  await expectNoProblems(opened);
  await bar.getByRole("link", { name: "Purchase" }).click();
  await expect
    .poll(() => page.getByLabel("Address").evaluate((field) => field === document.activeElement))
    .toBe(true);
  await bar.waitFor({ state: "detached" });
  await opened.close();
});
