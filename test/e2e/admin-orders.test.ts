/** Orders of several lines for an admin: partial shipments, refunds, the pick list. */
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
import { addProduct, payOrder, placeOrderFor } from "../harness/orders.ts";
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
  tools = [];
  for (const name of ["Angle grinder", "Circular saw", "Jigsaw"])
    tools.push(
      await addProduct(admin, { name, itemNumber: `NO-${name.length}`, price: 12.5, quantity: 100_000 }),
    );
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

/** A paid order of 100 pieces of each tool at $12.50. */
async function placePaidOrder(poNumber = "HFO-4471"): Promise<Order> {
  const order = await placeOrderFor(
    ada,
    tools.map((tool) => [tool, 100]),
    { poNumber },
  );
  await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
  return order;
}

const detailsOf = ({ _id }: Order) => admin.call("findOrderDetails", { params: { id: _id } });
const openOrder = async (page: Page, order: Order) => {
  await page.goto(`/dashboard/order/${order._id}`);
  await settled(page);
};

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("a part of an order is shipped, undone, and the rest follows", async () => {
    const order = await placePaidOrder();
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await openOrder(page, order);
    const grinder = page.getByRole("textbox", { name: "Ship now, Angle grinder" });
    await grinder.fill("101");
    await page.getByText("100 are left on this line.").waitFor();
    expect(await page.getByRole("button", { name: /^Ship 200/ }).isDisabled()).toBe(true);
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Take 100" }).click();
    expect(await grinder.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "None" }).click();
    await grinder.fill("60");
    await grinder.press("Enter");
    await page.keyboard.type("100");
    await page.getByLabel("Carrier").fill("Kestrel Freight");
    await page.getByLabel("Tracking number").fill("KF 8841");
    await page.getByLabel("Tracking address").fill("kestrel.example");
    await page.getByRole("button", { name: "Ship 160 pieces" }).click();
    await page.getByText("Enter an address that begins with https://").waitFor();
    await page.getByLabel("Tracking address").fill("https://kestrel.example/KF8841");
    await page.getByRole("button", { name: "Ship 160 pieces" }).dblclick();
    await page.getByText("1 sent, 140 pieces to come").waitFor();
    expect((await detailsOf(order)).shipments).toMatchObject([
      { carrier: "Kestrel Freight", trackingNumber: "KF 8841", lines: [{ quantity: 60 }, { quantity: 100 }] },
    ]);
    await expectNoProblems(opened);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page
      .getByRole("region", { name: "Shipments" })
      .getByRole("button", { name: /^Undo the shipment/ })
      .click();
    await page.getByRole("region", { name: "Shipments" }).waitFor({ state: "detached" });
    expect((await detailsOf(order)).shipments).toEqual([]);
    await page.getByRole("button", { name: "Ship 300 pieces" }).click();
    await page.getByRole("form", { name: "Next shipment" }).waitFor({ state: "detached" });
    await expect.poll(async () => (await detailsOf(order)).status).toBe("shipped");
    await opened.close();
  });
});

test.each([
  { again: "20", isReloaded: false },
  { again: "20", isReloaded: true },
  { again: "19", isReloaded: false },
])(
  "a shipment whose response a proxy lost is sent once: again $again, reloaded $isReloaded",
  async ({ again, isReloaded }) => {
    const order = await placePaidOrder();
    const opened = await openPage(store, { user: admin, width: 1440 });
    const { page } = opened;
    await openOrder(page, order);
    await page.getByRole("button", { name: "None" }).click();
    await page.getByRole("textbox", { name: "Ship now, Angle grinder" }).fill("20");
    const stop = await loseResponses(page, "**/shipments");
    await page.getByRole("button", { name: "Ship 20 pieces" }).click();
    await page.getByRole("form", { name: "Next shipment" }).getByRole("alert").waitFor();
    opened.expectProblem(/504/);
    stop();
    if (isReloaded) {
      await page.evaluate(() => ["blur", "focus"].map((type) => window.dispatchEvent(new Event(type))));
      await page.getByText("1 sent, 280 pieces to come").waitFor();
    }
    if (again !== "20") await page.getByRole("textbox", { name: "Ship now, Angle grinder" }).fill(again);
    await page.getByRole("button", { name: `Ship ${again} pieces` }).click();
    if (again !== "20") {
      await page.getByText("20 of this line are shipped now, not 0.").waitFor();
      opened.expectProblem(/409/);
    }
    await page.getByText("1 sent, 280 pieces to come").waitFor();
    expect((await detailsOf(order)).shipments).toHaveLength(1);
    await opened.close();
  },
);

test("a quantity that is typed while a shipment is sent stays", async () => {
  const order = await placePaidOrder();
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await openOrder(page, order);
  await page.getByRole("button", { name: "None" }).click();
  await page.getByRole("textbox", { name: "Ship now, Angle grinder" }).fill("20");
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await intercept(page, "**/shipments", (route) => held.then(() => route.continue()));
  await page.getByRole("button", { name: "Ship 20 pieces" }).click();
  const jigsaws = page.getByRole("textbox", { name: "Ship now, Jigsaw" });
  await jigsaws.fill("5");
  letGo();
  await page.getByText("1 sent, 280 pieces to come").waitFor();
  expect(await jigsaws.inputValue()).toBe("5");
  await close();
});

test("a shipment that was undone can be sent again as it was", async () => {
  const order = await placePaidOrder();
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await openOrder(page, order);
  const form = page.getByRole("form", { name: "Next shipment" });
  for (const isUndone of [true, false]) {
    await page.getByRole("button", { name: "Ship 300 pieces" }).click();
    await form.waitFor({ state: "detached" });
    expect((await detailsOf(order)).shipments).toHaveLength(1);
    if (!isUndone) continue;
    await page
      .getByRole("region", { name: "Shipments" })
      .getByRole("button", { name: /^Undo the shipment/ })
      .click();
    await form.waitFor();
  }
  await close();
});

test("of two admins who ship the same pieces, the second sees what remains", async () => {
  const order = await placePaidOrder();
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await openOrder(page, order);
  const [line] = order.lines;
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId: line?._id ?? "", quantity: 30 }] },
  });
  await page.getByRole("button", { name: "Ship 300 pieces" }).click();
  await page.getByRole("alert").filter({ hasText: /left/ }).first().waitFor();
  opened.expectProblem(/409/);
  await page.getByRole("button", { name: "Ship the last 270 pieces" }).press("Enter");
  await page.getByRole("form", { name: "Next shipment" }).waitFor({ state: "detached" });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe(`Order ${order.number}`);
  await expect.poll(async () => (await detailsOf(order)).status).toBe("shipped");
  await opened.close();
});

test("some pieces of a line are refunded once, though the store fails; then the rest of the order", async () => {
  const order = await placePaidOrder();
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await openOrder(page, order);
  await page.getByRole("button", { name: "Refund 100 jigsaws" }).click();
  const pieces = page.getByRole("textbox", { name: "Pieces" });
  await page.getByLabel("Reason").fill("4 damaged");
  // an amount in the wrong field, and more pieces than were ordered
  for (const typed of ["12.50", "101"]) {
    await pieces.fill(typed);
    await pieces.press("Enter");
    await page.locator("[name=pieces]:focus[aria-invalid=true]").waitFor();
  }
  expect((await detailsOf(order)).refunds).toEqual([]);
  await pieces.fill("4");
  expect(await page.getByLabel("Amount in dollars").inputValue()).toBe("50.00");
  await expectNoProblems(opened);
  const stop = await intercept(page, "**/order/*/refund", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { detail: "The store failed." } });
  });
  await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
  await page.getByText("The store failed.").waitFor();
  opened.expectProblem(/500/);
  stop();
  await page.getByLabel("Reason").fill("4 pieces damaged");
  await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
  await page.getByText("$50.00 of this order is refunded now, not $0.00.").waitFor();
  opened.expectProblem(/409/);
  await page.getByLabel("Reason").fill("4 damaged");
  await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
  await page.getByText("$50.00 refunded to the card").waitFor();
  // the order is reloaded
  await page
    .getByRole("table", { name: /^Lines of order/ })
    .getByText("$50.00 refunded")
    .waitFor();
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await page.getByText("$3,700.00 of 3 lines go back to the card.").waitFor();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText("Enter a reason").waitFor();
  await dialog.getByLabel("Reason").fill("Ordered twice");
  await expectNoProblems(opened);
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.waitFor({ state: "detached" });
  // its button is gone
  await page.locator("h1:focus").waitFor();
  const refunds = (await detailsOf(order)).refunds.map(({ amount }) => amount);
  expect(refunds.reduce((sum, amount) => sum + amount, 0)).toBe(order.total);
  await opened.close();
});

test("a whole order is refunded and restocked, though a line of it was restocked before", async () => {
  const order = await placePaidOrder();
  const [, second] = order.lines;
  await admin.call("refundPurchase", {
    params: { id: second?._id ?? "" },
    body: { amount: 1, reason: "Returned", returnToStock: true },
  });
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await openOrder(page, order);
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Ordered twice");
  await dialog.getByLabel("Restock all pieces").check();
  let requests = 0;
  const stop = await intercept(page, "**/order/*/refund", (route) => {
    requests += 1;
    return requests < 3
      ? route.continue()
      : route.fulfill({ status: 500, json: { detail: "The store failed." } });
  });
  await dialog.getByRole("button", { name: "Refund" }).click();
  const failure = dialog.getByText("2 of 3 lines refunded.");
  await failure.waitFor();
  opened.expectProblem(/500/);
  // back from another window, the order is loaded again
  const loaded = page.waitForResponse(/\.data/);
  await page.evaluate(() => {
    for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
  });
  await loaded;
  await page.getByText("$1,250.00 refunded").nth(1).waitFor();
  expect(await failure.isVisible()).toBe(true);
  stop();
  await dialog.getByRole("button", { name: "Refund the others" }).click();
  await dialog.waitFor({ state: "detached" });
  const { lines } = await detailsOf(order);
  expect(lines.map(({ refunded, returned }) => [refunded, returned])).toEqual(lines.map(() => [1250, true]));
  await opened.close();
});

test.each([
  [1440, "light"],
  [390, "dark"],
] as const)("a line says what its order says, and leads to it, at %i pixels, %s", async (width, theme) => {
  const order = await placeOrderFor(
    ada,
    tools.map((tool) => [tool, 10]),
    { poNumber: `LN-${width}`, contact: "Ingrid Halloran", note: "Dock 2, call first.\nClosed on Fridays." },
  );
  const opened = await openPage(store, { user: admin, width, theme });
  const { page } = opened;
  await page.goto(`/dashboard/manageOrder?q=LN-${width}`);
  await page.getByRole("link", { name: "Jigsaw" }).click();
  const delivery = page.locator("section", { has: page.getByRole("heading", { name: "Delivery" }) });
  await delivery.waitFor();
  expect(await delivery.locator("dt").allTextContents()).toEqual(
    expect.arrayContaining(["Ship to", "Contact", "Note", "PO number"]),
  );
  expect(await delivery.locator("dd").allTextContents()).toEqual([
    "Ada",
    ada.email,
    "Unit 6, Canal Yard",
    "Ingrid Halloran",
    "Dock 2, call first.\nClosed on Fridays.",
    `LN-${width}`,
  ]);
  await expectNoProblems(opened);
  await page.getByRole("link", { name: "See the whole order" }).click();
  await page.getByRole("table", { name: `Lines of order ${order.number}` }).waitFor();
  await opened.close();
});

test("the pick list adds up the pieces of all orders, and Manage All Orders finds an order by its numbers", async () => {
  // another one for a retry
  const poNumber = `RQ-${Date.now()}`;
  const order = await placePaidOrder(poNumber);
  const others = await admin.call("pickList", { query: {} });
  const all = others.products.find(({ productName }) => productName === "Jigsaw");
  expect(all?.pieces).toBe(all?.picks.reduce((sum, { pieces }) => sum + pieces, 0));
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto(`/dashboard/manageOrder?q=${poNumber.toLowerCase()}`);
  await page
    .getByRole("link", { name: `Order ${order.number}` })
    .first()
    .waitFor();
  expect(await page.getByRole("row", { name: /Order/ }).count()).toBe(3);
  await expectNoProblems(opened);
  await page
    .getByRole("link", { name: `Order ${order.number}` })
    .first()
    .click();
  await page.getByRole("form", { name: "Next shipment" }).waitFor();
  await page.getByRole("link", { name: "Pick list" }).click();
  await page.getByText("300 pieces of 3 tools for 1 order.").waitFor();
  await expectNoProblems(opened);
  const bad = await admin.send("pickList", { query: { orders: "1,x" } });
  expect(bad).toMatchObject({ status: 422 });
  await opened.close();
});
