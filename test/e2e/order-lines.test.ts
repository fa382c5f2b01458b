/** Orders of several lines for their buyers, on a phone and a desktop, by pointer and by keyboard. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Order, Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  intercept,
  loseResponses,
  openPage,
  settled,
} from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import {
  addProduct,
  cards,
  disablePolling,
  dropWebhooks,
  payOrder,
  placeOrderFor,
} from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
let tools: Product[];
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada");
  await dropWebhooks(store);
  await disablePolling(store);
  tools = [];
  for (let number = 1; number <= 7; number += 1) {
    const fields = { name: `Impact drill ID ${number}`, itemNumber: `ID-${number}`, quantity: 100_000 };
    const terms =
      number === 7 ? { minimum_order: 5, price: 20, price_breaks: [{ quantity: 10, price: 12.5 }] } : {};
    tools.push(await addProduct(admin, { ...fields, ...terms }));
  }
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

/** An order of this many products, 10 pieces and $125.00 each. */
const place = (lines = 7, buyer = ada) =>
  placeOrderFor(
    buyer,
    tools.slice(0, lines).map((tool) => [tool, 10]),
    { poNumber: "HFO-4471", contact: "Ingrid Halloran", note: "Dock 2, call first" },
  );

const detailsOf = ({ _id }: Order) => ada.call("findOrderDetails", { params: { id: _id } });
const statusesOf = async (order: Order) => (await detailsOf(order)).lines.map(({ status }) => status);

async function pay(page: Page, number: string, amount = "$875.00"): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date, month and year").fill("1239");
  await page.getByLabel(/^Security code/).fill("123");
  await page.getByRole("button", { name: `Pay ${amount}` }).click();
}

const rowOf = (page: Page, order: Order) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: `Order ${order.number}` }) });

test("My Orders shows older orders on further pages, which Back and a new order keep", async () => {
  const kim = await register(store, "Kim");
  const oldest = await place(3, kim);
  const [paid] = oldest.lines;
  if (!paid) throw new Error("The order has no lines.");
  await payOrder(store, kim, paid._id, { total: paid.total, purchaseId: paid._id });
  for (let placed = 0; placed < 51; placed += 1) await place(1, kim);
  const visitor = await openPage(store, { user: kim });
  const { page } = visitor;
  await page.goto("/dashboard/orders");
  const table = page.getByRole("table", { name: /^Your orders/ });
  const orders = () => table.locator("a.row-link").count();
  await expect.poll(orders).toBe(50);
  await page.getByText(/^On this page: 50 orders are waiting/).waitFor();
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect.poll(orders).toBe(2);
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain("listed");
  await expectNoProblems(visitor);
  // to an order and back
  await table.locator("a.row-link").last().click();
  await page.getByRole("heading", { level: 1, name: `Order ${oldest.number}` }).waitFor();
  await page.goBack();
  await expect.poll(orders).toBe(2);
  await place(1, kim);
  await page.evaluate(() => ["blur", "focus"].map((type) => window.dispatchEvent(new Event(type))));
  await expect.poll(orders).toBe(2);
  // what is left of it after its unpaid lines are cancelled
  const row = rowOf(page, oldest);
  await row.getByText("$375.00").waitFor();
  // three pictures fill the plate, and the number is seen to be a link
  const gap = await row.locator(".quad").evaluate((plate) => {
    const [all, last] = [plate, plate.lastElementChild ?? plate].map((part) => part.getBoundingClientRect());
    return [(all?.right ?? 0) - (last?.right ?? 0), (all?.bottom ?? 0) - (last?.bottom ?? 0)];
  });
  expect(gap).toEqual([0, 0]);
  const number = row.getByRole("link", { name: `Order ${oldest.number}`, exact: true });
  expect(await number.evaluate((link) => getComputedStyle(link).textDecorationColor)).not.toBe(
    "rgba(0, 0, 0, 0)",
  );
  await row.getByRole("button", { name: /^Cancel Order/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).click();
  await page.getByText("Orrder is cancelled successfully").waitFor();
  const single = page
    .getByRole("row")
    .filter({ has: page.locator(`a[href="/dashboard/order/${paid._id}"]`) });
  await single.getByText("$125.00").first().waitFor();
  expect(await row.count()).toBe(0);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect.poll(orders).toBe(50);
  await page.goto("/dashboard/orders?cursor=nonsense");
  await page.getByText("No such page").waitFor();
  await visitor.close();
});

describe("My Orders", () => {
  let zoe: SignedIn;
  let big: Order;
  let partly: Order;
  beforeAll(async () => {
    zoe = await register(store, "Zoe");
    partly = await place(3, zoe);
    await payOrder(store, zoe, partly._id, { total: partly.total, orderId: partly._id });
    await admin.call("shipOrder", {
      params: { id: partly._id },
      body: {
        lines: [{ purchaseId: partly.lines[0]?._id ?? "", quantity: 4 }],
        trackingNumber: "KF-0029",
      },
    });
    await place(1, zoe);
    big = await place(7, zoe);
  });

  const toggleOf = (page: Page, order: Order) =>
    page.getByRole("button", { name: `Lines of order ${order.number}` });
  const linesOf = (page: Page, order: Order) =>
    page.getByRole("table", { name: `Lines of order ${order.number}` });

  test.each([
    [[768, 1440], "light"],
    [[390], "dark"],
  ] as const)("at %s pixels, %s, has one row per order, which expands", async (widths, theme) => {
    const visitor = await openPage(store, { user: zoe, width: widths[0], height: 900, theme });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    await page.getByText("Two orders are waiting for payment: $1,000.00.").waitFor();
    // an order of a single line is unchanged
    await page.getByRole("link", { name: "Pay, 10 × Impact drill ID 1" }).waitFor();
    await toggleOf(page, big).click();
    const lines = linesOf(page, big).getByRole("link", { name: /^Impact drill/ });
    await expect.poll(() => lines.count()).toBe(7);
    // a window may grow after the page has loaded
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await rowOf(page, partly).getByText("4 of 30").waitFor();
      await settled(page);
      await expectNoProblems(visitor);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isWide, `scrolls sideways at ${width} pixels`).toBe(false);
    }
    await rowOf(page, big).getByRole("link", { name: "Pay" }).click();
    await page.getByRole("button", { name: "Pay $875.00" }).waitFor();
    await visitor.close();
  });

  test("expands and collapses a row with the arrow keys, and reports what could not be loaded", async () => {
    const visitor = await openPage(store, { user: zoe });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    const restore = await intercept(page, "**/orders/*");
    await toggleOf(page, big).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("The lines could not be loaded.").waitFor();
    visitor.expectProblem(/ERR_FAILED|Failed to load/);
    await expectNoProblems(visitor);
    restore();
    await page.getByRole("button", { name: "Try again" }).click();
    await linesOf(page, big).waitFor();
    await toggleOf(page, big).focus();
    await page.keyboard.press("ArrowLeft");
    await linesOf(page, big).waitFor({ state: "detached" });
    // shown at once when it is opened again, without another request
    const request = page.waitForRequest("**/orders/*", { timeout: 500 }).catch(() => null);
    await page.keyboard.press("Enter");
    await linesOf(page, big).waitFor();
    expect(await request).toBeNull();
    await visitor.close();
  });

  test("finds an order by its number, PO number, item or tracking number, and by status", async () => {
    const visitor = await openPage(store, { user: zoe });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    const search = page.getByRole("searchbox", { name: "Search my orders" });
    const found = page.getByRole("status").filter({ hasText: /found\.$/ });
    for (const [words, orders] of [
      [String(big.number), "1 order found."],
      ["KF-0029", "1 order found."],
      ["ID-7", "1 order found."],
      ["HFO-4471", "3 orders found."],
    ] as const) {
      await search.fill(words);
      await expect.poll(() => found.textContent(), { message: words }).toBe(orders);
    }
    await page
      .getByRole("navigation", { name: "Status" })
      .getByRole("link", { name: "Partly shipped" })
      .click();
    await expect.poll(() => found.textContent()).toBe("1 order found.");
    await rowOf(page, partly).waitFor();
    await search.fill("no such order");
    await page.getByText("No matching orders").waitFor();
    await expectNoProblems(visitor);
    await page.getByRole("button", { name: "Show all orders" }).click();
    await rowOf(page, big).waitFor();
    await visitor.close();
  });

  test("tracks, orders again and cancels whole orders", async () => {
    const order = await place(5, zoe);
    const visitor = await openPage(store, { user: zoe });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    await page.getByRole("button", { name: `Cancel Order, order ${order.number}` }).click();
    await page.getByRole("alertdialog").getByText("$625.00 will not be charged").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).click();
    await page.getByText("Orrder is cancelled successfully").waitFor();
    await rowOf(page, order).waitFor({ state: "detached" });
    await toggleOf(page, big).click();
    await page.getByRole("button", { name: `Order Again, order ${big.number}` }).click();
    await page.getByText("7 lines added.").waitFor();
    await page.goto("/dashboard/orders");
    await page.getByRole("link", { name: `Track, order ${partly.number}` }).click();
    await page.getByText("KF-0029").waitFor();
    await visitor.close();
  });
});

describe("the page of an order", () => {
  test.each([
    [[1440], "light"],
    [[390, 768], "dark"],
  ] as const)("at %s pixels, %s, shows what was ordered, shipped and paid", async (widths, theme) => {
    const order = await place();
    const [first, second] = order.lines;
    await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
    const parts = [
      { purchaseId: first?._id ?? "", quantity: 10 },
      { purchaseId: second?._id ?? "", quantity: 4 },
    ];
    await admin.call("shipOrder", {
      params: { id: order._id },
      body: { lines: parts, carrier: "Kestrel Freight", trackingNumber: "KF 8841" },
    });
    await admin.call("refundPurchase", {
      params: { id: second?._id ?? "" },
      body: { amount: 25, reason: "2 damaged" },
    });
    const visitor = await openPage(store, { user: ada, width: widths[0], height: 900, theme });
    const { page } = visitor;
    // the id of one of its lines, as emails of that line have it
    await page.goto(`/dashboard/order/${second?._id}`);
    await page.getByRole("heading", { name: `Order ${order.number}`, level: 1 }).waitFor();
    const main = page.locator("main");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByText("7 lines, 70 pieces").waitFor();
      await settled(page);
      for (const words of [
        "HFO-4471",
        "14 of 70",
        "6 left",
        "none yet",
        "KF 8841",
        "\u2212$25.00",
        "$950.00",
        "\u2212$75.00",
      ])
        await main.getByText(words).first().waitFor();
      await main.getByRole("img", { name: "4 of 10 shipped" }).waitFor();
      await expectNoProblems(visitor);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isWide, `scrolls sideways at ${width} pixels`).toBe(false);
    }
    for (const name of [/^Order confirmation/, /^Invoice INV/, /^Credit note CN/, /^Packing slip \d/]) {
      const href = await main.getByRole("link", { name }).getAttribute("href");
      const pdf = await page.request.get(href ?? "");
      expect([pdf.status(), pdf.headers()["content-type"]], href ?? "").toEqual([200, "application/pdf"]);
    }
    const timeline = await main.locator(".timeline b").allTextContents();
    expect(timeline).toEqual(["Placed", "Paid", "Partly shipped", "Refunded, $25.00", "Shipment"]);
    await visitor.close();
  });

  test("cancels a line, then the order, by keyboard; cancelled lines stay", async () => {
    const order = await place(3);
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${order.number}`);
    await page.getByRole("button", { name: "Cancel line, 10 × Impact drill ID 2" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("$125.00 will not be charged").waitFor();
    await page.locator(":focus", { hasText: "Keep line" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("2 lines, 20 pieces").waitFor();
    await dialog.waitFor({ state: "detached" });
    await expectNoProblems(visitor);
    expect(await page.locator("main s", { hasText: "Impact drill ID 2" }).count()).toBe(1);
    // its button is gone
    await page.locator("h1:focus").waitFor();
    await page.getByRole("link", { name: "Pay $250.00" }).waitFor();
    await page.getByRole("button", { name: "Cancel Order" }).press("Enter");
    await dialog.getByText("$250.00 will not be charged").waitFor();
    await expectNoProblems(visitor);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel Order" }).press("Enter");
    await page.locator(":focus", { hasText: "Keep order" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("main .track", { hasText: "Cancelled" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await page.locator("main s", { hasText: "Impact drill" }).count()).toBe(3);
    await page.locator("h1:focus").waitFor();
    expect(await page.getByRole("button", { name: "Cancel Order" }).count()).toBe(0);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("adds its lines to the cart again, on top of its lines", async () => {
    const bob = await register(store, "Bob");
    const order = await place(3, bob);
    const visitor = await openPage(store, { user: bob });
    const { page } = visitor;
    const lines = async () => (await bob.call("findCart", {})).lines.map(({ quantity }) => quantity);
    for (const expected of [10, 20]) {
      await page.goto(`/dashboard/order/${order._id}`);
      await page.getByRole("button", { name: "Order Again" }).dblclick(); // adds them once
      await page.waitForURL("**/cart");
      await page.getByText("3 lines added.").waitFor();
      await expect.poll(lines).toEqual([expected, expected, expected]);
    }
    const old = await addProduct(admin, { name: "Discontinued drill" });
    const [tool] = tools;
    const other = await placeOrderFor(bob, [
      [old, 10],
      [tool as Product, 10],
    ]);
    await admin.call("deleteProduct", { params: { id: old._id } });
    await page.goto(`/dashboard/order/${other._id}`);
    await page.getByRole("button", { name: "Order Again" }).click();
    await page.getByText("2 lines added. 1 needs a change.").waitFor();
    await visitor.close();
  });

  test("saves its lines as a list, once, although the response is lost", async () => {
    const order = await place(3);
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${order._id}`);
    const stop = await loseResponses(page, "**/lists");
    const save = page.getByRole("button", { name: "Save as list" });
    await save.click();
    await page.getByText("The store is not ready. Try again in a moment.").waitFor();
    stop();
    await save.click();
    await page.getByRole("button", { name: "Open list" }).click();
    await page.waitForURL("**/dashboard/lists/*");
    visitor.expectProblem(/504/);
    const { lists } = await ada.call("listSavedLists", {});
    expect(lists).toMatchObject([{ name: `Order ${order.number}`, lineCount: 3, pieces: 30 }]);
    await visitor.close();
  });

  test("with a paid line offers to pay and cancel the others", async () => {
    const order = await place(3);
    const [first] = order.lines;
    await payOrder(store, ada, first?._id ?? "", { total: 125, purchaseId: first?._id });
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${order._id}`);
    await page.getByRole("link", { name: "Pay $250.00" }).waitFor();
    expect(await page.getByRole("button", { name: /^Cancel line/ }).count()).toBe(2);
    await expectNoProblems(visitor);
    await page.getByRole("button", { name: "Cancel Order" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText(`Cancel the unpaid lines of order ${order.number}?`).waitFor();
    await dialog.getByText("For the others $250.00 will not be charged").waitFor();
    await dialog.getByRole("button", { name: "Cancel Order" }).click();
    await page.getByText("1 line, 10 pieces").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.locator("main .track", { hasText: "Paid" }).waitFor();
    await admin.call("refundPurchase", { params: { id: first?._id ?? "" }, body: { reason: "Late" } });
    await page.reload();
    await page.locator("main .track", { hasText: "Refunded" }).waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("links an admin to each line, where it is shipped", async () => {
    const order = await place(2);
    await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${order.number}`);
    await page.getByRole("heading", { name: `Order ${order.number}`, level: 1 }).waitFor();
    await expectNoProblems(visitor);
    for (const name of ["Order Again", "Save as list", "Cancel Order"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    await page.getByRole("link", { name: "Impact drill ID 2" }).click();
    await page.waitForURL(`**/dashboard/order/${order.lines[1]?._id}`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(`Order ${order.number}`);
    const above = page.getByLabel("Breadcrumb").getByRole("link", { name: `Order ${order.number}` });
    expect(await above.getAttribute("href")).toBe(`/dashboard/order/${order.number}`);
    await page.getByRole("button", { name: /^Pending/ }).click();
    await page.locator("main .track--shipped").waitFor();
    await page.goto(`/dashboard/order/${order._id}`);
    await page.locator("main .track", { hasText: "Partly shipped" }).waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  });
});

describe("the payment of an order", () => {
  test.each([
    ["a desk", 1280, "light"],
    ["a phone", 390, "dark"],
  ] as const)("on %s charges all its lines once", async (_, width, theme) => {
    const order = await place();
    const visitor = await openPage(store, { user: ada, width, height: 844, theme });
    const { page } = visitor;
    await page.goto(`/dashboard/payment/${width === 390 ? order.number : order._id}`);
    await page.getByRole("heading", { name: `Order ${order.number}` }).waitFor();
    await expectNoProblems(visitor);
    const lines = page.getByRole("listitem").filter({ hasText: /^Impact drill/, visible: true });
    expect(await lines.count()).toBe(width === 390 ? 0 : 5);
    const field = await page.getByLabel("Card number").boundingBox();
    expect(field?.y).toBeLessThan(844 - 100);
    await page.getByRole("button", { name: /^Show the (other 2|7) lines$/ }).click();
    expect(await lines.count()).toBe(7);
    expect(await page.locator("ul.lines-brief").evaluate((list) => list === document.activeElement)).toBe(
      true,
    );
    await pay(page, cards.good);
    await page.getByText("Your payment is complete.").waitFor();
    expect(new Set(await statusesOf(order))).toEqual(new Set(["paid"]));
    await expectNoProblems(visitor);
    await page.reload();
    await page.getByText("This order is paid.").waitFor();
    await visitor.close();
  });

  test("survives a refused card, then a lost response of the store", async () => {
    const order = await place(2);
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/payment/${order._id}`);
    await pay(page, cards.insufficientFunds, "$250.00");
    await page.getByText("Your card has insufficient funds.").waitFor();
    visitor.expectProblem(/402/);
    const isCharged = page.waitForResponse((response) => response.url().endsWith("/confirm"));
    const restore = await intercept(page, "**/payment/**", async (route) => {
      if (route.request().method() === "PATCH") await route.abort();
      else await route.continue();
    });
    await pay(page, cards.good, "$250.00");
    await isCharged;
    await page.getByText("Your card was charged.").waitFor();
    expect(await statusesOf(order)).toEqual(["unpaid", "unpaid"]);
    restore();
    await page.getByRole("button", { name: "Check status" }).click();
    await page.getByText("Your payment is complete.").waitFor();
    expect(await statusesOf(order)).toEqual(["paid", "paid"]);
    await visitor.close();
  });

  test("that a bank decides later is not paid again", async () => {
    const order = await place(2);
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/payment/${order._id}`);
    await pay(page, cards.processing, "$250.00");
    await page.getByText("Your payment is being processed.").waitFor();
    visitor.expectProblem(/409/);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("shows the new amount when a line was cancelled meanwhile, and charges that", async () => {
    const order = await place(3);
    const visitor = await openPage(store, { user: ada });
    const { page } = visitor;
    await page.goto(`/dashboard/payment/${order._id}`);
    await ada.call("cancelPurchase", { params: { id: order.lines[0]?._id ?? "" } });
    await pay(page, cards.good, "$375.00");
    await page.getByText("The order was changed. $250.00 is due now.").waitFor();
    await page.getByRole("button", { name: "Pay $250.00" }).click();
    await page.getByText("Your payment is complete.").waitFor();
    expect(await statusesOf(order)).toEqual(["unpaid", "paid", "paid"]);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)(
    "and of others together, at %i pixels, leaves one out and pays the rest",
    async (width, theme) => {
      const kim = await register(store, "Kim");
      const [first, second, third] = [await place(2, kim), await place(1, kim), await place(3, kim)];
      const visitor = await openPage(store, { user: kim, width, height: 844, theme });
      const { page } = visitor;
      await page.goto("/dashboard/orders");
      await page.getByRole("link", { name: "Pay 3 orders" }).click();
      await page.getByRole("heading", { name: "3 orders" }).waitFor();
      if (width === 390) await page.getByRole("button", { name: "Show the 3 orders" }).click();
      await expectNoProblems(visitor);
      await page.getByRole("link", { name: `Leave out Order ${first.number}` }).click();
      await page.getByRole("heading", { name: "2 orders" }).waitFor();
      await pay(page, cards.good, "$500.00");
      await page.getByText("Your payment is complete.").waitFor();
      expect(await page.getByText("Leave out").count()).toBe(0);
      await expectNoProblems(visitor);
      const statusOf = async ({ _id }: Order) =>
        (await kim.call("findOrderDetails", { params: { id: _id } })).status;
      expect(await Promise.all([first, second, third].map(statusOf))).toEqual(["unpaid", "paid", "paid"]);
      const { rows } = await store.pool.query(
        "SELECT DISTINCT transaction_id FROM shop.purchase WHERE order_id = ANY ($1)",
        [[second._id, third._id]],
      );
      expect(rows).toHaveLength(1);
      await page.reload();
      await page.getByText("This order is paid.").waitFor();
      await visitor.close();
    },
  );
});

/** The width of the page with the spacing of text that a reader may choose (WCAG 1.4.12). */
function widthWithTextSpacing(page: Page): Promise<number> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
    );
    document.adoptedStyleSheets.push(sheet);
    return document.documentElement.scrollWidth;
  });
}

test("an admin corrects a tracking number long after the shipment", async () => {
  const order = await place(1);
  await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
  const purchaseId = order.lines[0]?._id ?? "";
  const shipment = await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId, quantity: 10 }], carrier: "Northway", trackingNumber: "1Z 000" },
  });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/order/${order._id}`);
  await page.getByRole("button", { name: `Correct tracking, shipment ${shipment.number}` }).click();
  const dialog = page.getByRole("dialog", { name: `Tracking of shipment ${shipment.number}` });
  expect(await dialog.getByLabel("Carrier").inputValue()).toBe("Northway");
  await dialog.getByLabel("Tracking number").fill("1Z 999");
  await dialog.getByLabel("Tracking address").fill("northway.example");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter an address that begins with https://").waitFor();
  await dialog.getByLabel("Tracking address").fill("https://northway.example/1Z999");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.locator(".shipment", { hasText: "tracking number 1Z 999" }).waitFor();
  expect((await detailsOf(order)).shipments).toMatchObject([
    { carrier: "Northway", trackingNumber: "1Z 999", trackingUrl: "https://northway.example/1Z999" },
  ]);
  await page.goto(`/dashboard/order/${order._id}?lines=`);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("the longest names do not make a page wider than the window", async () => {
  const buyer = await register(store, "N".repeat(200), "long");
  const long = await addProduct(admin, { name: "T".repeat(130), itemNumber: "I".repeat(40) });
  const lines: [Product, number][] = [long, ...tools.slice(0, 2)].map((tool) => [tool, 10]);
  const texts = { poNumber: "P".repeat(40), contact: "C".repeat(120), note: "n".repeat(500) };
  const order = await placeOrderFor(buyer, lines, texts);
  const unpaid = await placeOrderFor(buyer, lines, texts);
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const purchaseId = order.lines[0]?._id ?? "";
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: {
      lines: [{ purchaseId, quantity: 7 }],
      carrier: "K".repeat(80),
      trackingNumber: "1".repeat(80),
    },
  });
  await admin.call("refundPurchase", {
    params: { id: purchaseId },
    body: { amount: 25, reason: "R".repeat(300) },
  });
  const visitor = await openPage(store, { user: buyer });
  const { page } = visitor;
  for (const path of ["orders", `order/${order._id}`, `order/${unpaid._id}`, `payment/${unpaid._id}`]) {
    await page.goto(`/dashboard/${path}`);
    if (path === "orders")
      await page
        .getByRole("button", { name: /^Lines of order/ })
        .last()
        .click();
    await settled(page);
    for (const width of [320, 390, 768, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, `${path} at ${width} pixels`).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await widthWithTextSpacing(page), `${path} with text spacing`).toBe(390);
  }
  await visitor.close();
});

test("the control that shows the lines after the hundredth moves the focus to the next one", async () => {
  const { rows } = await store.pool.query<{ id: string }>(
    `WITH added AS (
       INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
       SELECT 'Chuck key ' || number, '/tools/drill.svg', 100, 1000, 1, 'For drills.'
       FROM generate_series(1, 102) AS number RETURNING id, quantity
     )
     INSERT INTO shop.stock_movement (product_id, pieces, reason)
     SELECT id, quantity, 'received' FROM added RETURNING product_id AS id`,
  );
  const order = await ada.call("placeOrder", {
    body: { address: "Dock 2", lines: rows.map(({ id }) => ({ productId: id, quantity: 1 })) },
  });
  await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/order/${order._id}`);
  for (const caption of [`Lines of order ${order.number}`, /^Lines of order .* to be shipped$/]) {
    const table = page.getByRole("table", { name: caption, exact: true });
    const panel = page.locator(".panel").filter({ has: table });
    const last = await table.getByRole("row").last().textContent();
    await panel.getByRole("button", { name: "Show the other 2 lines" }).press("Enter");
    await expect.poll(() => table.getByRole("row").count()).toBe(103);
    const focused = table.locator("tr:focus");
    expect(await table.getByRole("row").nth(100).textContent()).toBe(last);
    expect(await focused.textContent()).toBe(await table.getByRole("row").nth(101).textContent());
  }
  await visitor.close();
});
