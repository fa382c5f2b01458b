/** Admin pages beyond the happy path: several admins at once, the keyboard, a lost connection. */
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
  returnTo,
  settled,
} from "../harness/browser.ts";
import { addProduct, editProduct, payFor, placeFor, placeOrderFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn, verifyEmail } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Bea Buyer");
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

async function paidOrderOf(name: string) {
  const purchase = await placeFor(buyer, await addProduct(admin, { name }));
  await payFor(store, buyer, purchase);
  return purchase;
}

/** Backdates the payment of an order. */
async function backdatePayment(id: string, hours: number): Promise<void> {
  await store.pool.query("UPDATE shop.purchase SET paid_at = now() - $2 * interval '1 hour' WHERE id = $1", [
    id,
    hours,
  ]);
}

/** The orders that a page ships from now on. */
function shipmentsOf(page: Page): string[] {
  const shipped: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") shipped.push(request.url().split("/").at(-1) ?? "");
  });
  return shipped;
}

/** Presses the point where the button is now, whenever called: the pointer does not move. */
async function pressTwice(page: Page, name: RegExp): Promise<() => Promise<void>> {
  const button = page.getByRole("button", { name });
  await settled(page);
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) as DOMRect;
  return () => page.mouse.click(x + width / 2, y + height / 2);
}

describe("shipping", () => {
  test("a double click on Pending ships once, and the row says Shipped", async () => {
    await paidOrderOf("Twice clicked saw");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder?status=paid");
    let requests = 0;
    page.on("request", (request) => {
      if (request.method() === "PATCH") requests += 1;
    });
    await page.getByRole("button", { name: /^Pending, ship 10 Twice clicked saw/ }).dblclick();
    await page.getByText("Product shipping successfully").waitFor();
    await page
      .getByRole("row", { name: /Twice clicked saw/ })
      .getByText("Shipped")
      .waitFor();
    expect(requests).toBe(1);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("by keyboard alone the focus stays at the order that was shipped", async () => {
    await paidOrderOf("Keyboard saw");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder?status=paid");
    await page.getByRole("button", { name: /^Pending.*Keyboard saw/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Product shipping successfully").waitFor();
    const row = page.getByRole("row", { name: /Keyboard saw/ });
    const holdsFocus = () => row.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(holdsFocus).toBe(true);
    await expectNoProblems(visitor);
    // Undo is the next tab stop
    await row.getByRole("button", { name: /^Undo the shipment of 10 Keyboard saw/ }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Shipment undone. The buyer gets no email.").waitFor();
    await row.getByRole("button", { name: /^Pending, ship 10 Keyboard saw/ }).waitFor();
    await expect.poll(holdsFocus).toBe(true);
    await visitor.close();
  });

  test("is reverted on the screen when the store cannot be reached, with the reason", async () => {
    await paidOrderOf("Offline saw");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder?status=paid");
    await page.route("**/shipment/**", (route) => route.abort());
    const pending = page.getByRole("button", { name: /^Pending.*Offline saw/ });
    await pending.click();
    await page.getByText("There is no connection to the store.").waitFor();
    await pending.waitFor();
    visitor.expectProblem(/shipment|ERR_FAILED/);
    await visitor.close();
  });

  test("two presses at the same point, where another admin was first, ship one order; its row shows the new state", async () => {
    await paidOrderOf("Next saw in the list");
    const { _id } = await paidOrderOf("Saw that another admin ships");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder?status=paid");
    const shipped = shipmentsOf(page);
    const press = await pressTwice(page, /^Pending, ship 10 Saw that another admin ships/);
    const tab = page.getByRole("link", { name: /^Paid, to ship/ });
    const waiting = Number((await tab.textContent())?.replace(/\D/g, ""));
    await admin.call("shipPurchase", { params: { id: _id } });
    await press();
    await page.getByText("This order is already shipped.").waitFor();
    await settled(page);
    await press();
    await settled(page);
    expect(shipped).toEqual([_id]);
    await page.getByRole("row", { name: /Saw that another admin ships.*Shipped/ }).waitFor();
    await page.getByRole("button", { name: /^Pending, ship 10 Next saw in the list/ }).waitFor();
    expect(Number((await tab.textContent())?.replace(/\D/g, ""))).toBe(waiting - 1);
    visitor.expectProblem(/409/);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("stays shown when a reload that began before it responds later", async () => {
    const { _id } = await paidOrderOf("Saw of a returning admin");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder");
    await settled(page);
    const { held, release } = await holdResponse(page, "**/dashboard/manageOrder.data*");
    await returnTo(page);
    await held;
    const shipments = shipmentsOf(page);
    await page.getByRole("button", { name: /^Pending, ship 10 Saw of a returning admin/ }).click();
    await page.getByText("Product shipping successfully").waitFor();
    release();
    await settled(page);
    await page.getByRole("row", { name: /Saw of a returning admin.*Shipped/ }).waitFor();
    expect(shipments).toEqual([_id]);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("undone at once, counts as unshipped also when the count before that responds later", async () => {
    await paidOrderOf("Saw of an undecided admin");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder");
    await settled(page);
    const count = page.getByRole("img", { name: /to ship$/ });
    const before = await count.getAttribute("aria-label");
    const { held, release } = await holdResponse(page, /\/purchases\?limit=1$/);
    await page.getByRole("button", { name: /^Pending, ship 10 Saw of an undecided admin/ }).click();
    await held;
    await page
      .getByRole("button", { name: /^Undo the shipment of 10 Saw of an undecided admin/ })
      .first()
      .click();
    await page.getByText("Shipment undone.").waitFor();
    await page.getByRole("button", { name: /^Pending, ship 10 Saw of an undecided admin/ }).waitFor();
    release();
    await settled(page);
    expect(await count.getAttribute("aria-label")).toBe(before);
    await visitor.close();
  });

  test("without a connection leaves the list unchanged, with the reason", async () => {
    await paidOrderOf("Saw in a tunnel");
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder?status=paid");
    const pending = page.getByRole("button", { name: /^Pending.*Saw in a tunnel/ });
    await pending.waitFor();
    await settled(page);
    await page.context().setOffline(true);
    await pending.click();
    await page.locator(".toast").filter({ hasText: "There is no connection to the store." }).waitFor();
    await settled(page);
    await pending.waitFor();
    expect(await page.getByRole("main").getByRole("button", { name: "Try again" }).count()).toBe(0);
    visitor.expectProblem(/shipment|orders|ERR_/);
    await visitor.close();
  });
});

describe("the list of orders", () => {
  test("keeps search, status and page in the URL, and has an empty state", async () => {
    await placeFor(buyer, await addProduct(admin, { name: "Findable planer" }));
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder");
    await page.getByLabel("Search orders").fill("findable bea");
    await page.waitForURL((url) => url.searchParams.get("q") === "findable bea");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.reload();
    await page.getByRole("rowheader", { name: "Findable planer", exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Oldest first");
    await page.getByRole("link", { name: /^Shipped/ }).click();
    await page.getByRole("heading", { name: "No matching orders" }).waitFor();
    await expectNoProblems(visitor);
    await page.getByRole("button", { name: "Show all orders" }).click();
    await page.waitForURL((url) => url.search === "");
    await visitor.close();
  });

  test("keeps a search whose results are late when a tab is chosen, and shows none that a view replaced", async () => {
    await admin.call("saveView", { body: { name: "To ship", query: "status=paid", zone: "UTC" } });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder");
    const search = page.getByLabel("Search orders");
    for (const link of [/^Shipped/, /^To ship/]) {
      const { held, release } = await holdResponse(page, "**/dashboard/manageOrder.data*");
      await search.fill(`planer ${link}`);
      await held;
      await page.getByRole("link", { name: link }).click();
      await page.waitForURL((url) => url.searchParams.has("status"));
      release();
      await settled(page);
      const query = new URL(page.url()).searchParams.get("q") ?? "";
      expect(query).toBe(String(link) === "/^Shipped/" ? `planer ${link}` : "");
      await expect.poll(() => search.inputValue()).toBe(query);
      await search.fill("");
      await page.waitForURL((url) => !url.searchParams.has("q"));
    }
    await visitor.close();
  });
});

test("of two admins editing one product the second sees both values, and keeps only their own changes", async () => {
  const tool = await addProduct(admin, { name: "Shared lathe", price: 100, quantity: 50 });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/editProduct/${tool._id}`);
  await page.getByLabel(/^Quantity/).fill("70");
  await editProduct(admin, tool, { price: 120 });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Another admin has changed this tool").waitFor();
  const conflict = page.getByRole("alert").getByRole("row", { name: /Price/ });
  expect(await conflict.locator("th, td").allTextContents()).toEqual(["Price", "not changed", "120.00"]);
  visitor.expectProblem(/409/);
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Keep my changes" }).click();
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Save");
  expect(await page.getByLabel(/^Price/).inputValue()).toBe("120.00");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/dashboard/manageProduct");
  const now = await admin.call("findProduct", { params: { id: tool._id } });
  expect(now).toMatchObject({ price: 120, quantity: 70, version: 3 });
  await visitor.close();
});

test("a product deleted by another admin cannot be saved, and is left without a prompt", async () => {
  const tool = await addProduct(admin, { name: "Deleted lathe" });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/editProduct/${tool._id}`);
  await page.getByLabel(/^Quantity/).fill("70");
  await admin.call("deleteProduct", { params: { id: tool._id } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "This tool is not in the catalogue" }).waitFor();
  await page.getByRole("link", { name: "Back to the list" }).first().click();
  await page.waitForURL("**/dashboard/manageProduct");
  visitor.expectProblem(/404/);
  await visitor.close();
});

test("the overview of a new store shows its first days; its columns are reached with the arrow keys, and its data is also a table", async () => {
  await paidOrderOf("Counted saw");
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/overview");
  await settled(page);
  const chart = page.getByRole("group", { name: /^Revenue per day, 7 days/ });
  const columns = chart.getByRole("img");
  await expect.poll(() => columns.count()).toBe(7);
  await columns.last().focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => columns.nth(5).evaluate((column) => column === document.activeElement)).toBe(true);
  await page.getByText("Show data").first().click();
  await expect
    .poll(() => page.getByRole("table", { name: "Revenue per day" }).getByRole("row").count())
    .toBe(8);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("the overview links to what needs attention", async () => {
  const { _id } = await paidOrderOf("Disputed saw");
  await store.pool.query("UPDATE shop.purchase SET disputed_at = now() WHERE id = $1", [_id]);
  await store.pool.query(
    `SELECT graphile_worker.add_job('send-mail', '{}', run_at := now() + interval '1 hour', job_key := 'refused');
     UPDATE graphile_worker._private_jobs SET last_error = 'Try later' WHERE key = 'refused'`,
  );
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/overview");
  const alerts = page.getByRole("status").filter({ hasText: "Payment disputed" });
  await alerts.getByText("1 email could not be delivered yet").waitFor();
  await expectNoProblems(visitor);
  await alerts.getByRole("link", { name: "1 email" }).click();
  await page.getByRole("heading", { name: "Failed" }).waitFor();
  await page.goBack();
  await alerts.getByRole("link", { name: "10 × Disputed saw" }).click();
  await page.waitForURL(`**/dashboard/order/${_id}`);
  await visitor.close();
});

test("two presses at the same point of the shipping clock ship one order, which keeps its place until the next visit", async () => {
  const { _id } = await paidOrderOf("First saw of the clock");
  const next = await paidOrderOf("Second saw of the clock");
  const part = [{ purchaseId: next._id, quantity: 4 }];
  await admin.call("shipOrder", { params: { id: next._id }, body: { lines: part } });
  await backdatePayment(_id, 900);
  await backdatePayment(next._id, 899);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/overview");
  const shipped = shipmentsOf(page);
  const press = await pressTwice(page, /^Pending, ship 10 × First saw of the clock/);
  await press();
  await page.getByText("Product shipping successfully").waitFor();
  await settled(page);
  await press();
  await settled(page);
  expect(shipped).toEqual([_id]);
  const first = page.getByRole("listitem").filter({ hasText: "First saw of the clock" });
  await first.getByText("Shipped").waitFor();
  await expectNoProblems(visitor);
  // by keyboard the focus moves to the element in its place
  await page.getByRole("button", { name: /ship 6 × Second saw of the clock/ }).press("Enter");
  const second = page.getByRole("listitem").filter({ hasText: "Second saw of the clock" });
  await second.getByText("Shipped").waitFor();
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Awaiting shipment");
  await page.reload();
  await page.getByRole("heading", { name: "Awaiting shipment" }).waitFor();
  expect(await first.or(second).count()).toBe(0);
  await visitor.close();
});

test("an order of the shipping clock that another admin ships keeps its place, without its button", async () => {
  const { _id } = await paidOrderOf("Clock saw of another admin");
  const next = await paidOrderOf("Clock saw below it");
  await backdatePayment(_id, 800);
  await backdatePayment(next._id, 799);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/overview");
  const shipped = shipmentsOf(page);
  const press = await pressTwice(page, /^Pending, ship 10 × Clock saw of another admin/);
  await admin.call("shipPurchase", { params: { id: _id } });
  await press();
  await page.getByText("This order is already shipped.").waitFor();
  await settled(page);
  await press();
  await settled(page);
  expect(shipped).toEqual([_id]);
  const row = page.getByRole("listitem").filter({ hasText: "Clock saw of another admin" });
  await row.getByText("Not waiting").waitFor();
  visitor.expectProblem(/409/);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("overview and command palette link to the orders with the longest wait, in that order", async () => {
  const placedFirst = await paidOrderOf("Placed first, paid last");
  const paidFirst = await paidOrderOf("Placed last, paid first");
  await backdatePayment(placedFirst._id, 1000);
  await backdatePayment(paidFirst._id, 2000);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const rows = () => page.locator("tbody").getByRole("rowheader").allTextContents();
  const inOrder = ["Placed last, paid first", "Placed first, paid last"];
  await page.goto("/dashboard/overview");
  await page.getByRole("link", { name: /past 72 hours/ }).click();
  await expect.poll(async () => (await rows()).slice(0, 2)).toEqual(inOrder);
  expect(await page.getByRole("combobox", { name: "Sort" }).inputValue()).toBe("waiting");
  await expectNoProblems(visitor);
  // only paid orders wait
  await page.getByRole("link", { name: /^Unpaid/ }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Sort" }).inputValue()).toBe("newest");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, tool, buyer or order" }).fill("paid orders to ship");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await rows()).slice(0, 2)).toEqual(inOrder);
  await visitor.close();
});

test("a few letters and Enter open an order", async () => {
  const { _id } = await placeFor(buyer, await addProduct(admin, { name: "Rare engraver" }));
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/overview");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await settled(page);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Page, tool, buyer or order" });
  const place = await field.boundingBox();
  await field.fill("engraver");
  await page.getByRole("option", { name: /^10 × Rare engraver/ }).waitFor();
  expect(await field.boundingBox()).toEqual(place);
  await expectNoProblems(visitor);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/dashboard/order/${_id}`);
  const lines = (await Promise.all([addProduct(admin), addProduct(admin)])).map(
    (one) => [one, 10] as [Product, number],
  );
  const order = await placeOrderFor(buyer, lines, { poNumber: "ENGRAVE-7" });
  await settled(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, tool, buyer or order" }).fill("ENGRAVE-7");
  await page.getByRole("option", { name: `Order ${order.number}, 2 lines` }).click();
  await page.waitForURL(`**/dashboard/order/${order._id}`);
  await visitor.close();
});

test("Enter before any result waits for the first one; a selected line opens at once", async () => {
  const { _id } = await addProduct(admin, { name: "Patient lathe" });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  let gate = Promise.withResolvers<void>();
  await page.route(/\/(orders|products)\?.*q=patient/, (route) => gate.promise.then(() => route.continue()));
  await page.goto("/dashboard/overview");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const field = page.getByRole("combobox", { name: "Page, tool, buyer or order" });
  await settled(page);
  await page.keyboard.press("Control+k");
  await field.fill("patient");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Searching" }).waitFor({ state: "attached" });
  await expectNoProblems(visitor);
  gate.resolve();
  await page.waitForURL(`**/dashboard/editProduct/${_id}`);
  await settled(page);

  gate = Promise.withResolvers();
  await page.keyboard.press("Control+k");
  await field.fill("patient");
  await page.getByRole("option", { name: "Users matching “patient”" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/makeAdmin?q=patient");
  gate.resolve();

  await page.getByRole("heading", { name: "Make Admin" }).waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("nothing has this name");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "No results here." }).waitFor({ state: "attached" });
  expect(new URL(page.url()).pathname).toBe("/dashboard/makeAdmin");
  await visitor.close();
});

test("a palette reopened while it closes after Enter keeps the focus", async () => {
  const { _id } = await addProduct(admin, { name: "Hasty lathe" });
  const { page, close } = await openPage(store, { user: admin, motion: true });
  const gate = Promise.withResolvers<void>();
  await page.route(/\/(orders|products)\?.*q=hasty/, (route) => gate.promise.then(() => route.continue()));
  await page.goto("/dashboard/overview");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const field = page.getByRole("combobox", { name: "Page, tool, buyer or order" });
  await settled(page);
  await page.keyboard.press("Control+k");
  await field.fill("hasty");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Searching" }).waitFor({ state: "attached" });
  // a slow processor renders the next page after the palette was reopened
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 12 });
  // as soon as it closes, from within the page: faster than any user
  await page.evaluate(() => {
    const popup = document.querySelector(".palette");
    const watch = new MutationObserver(() => {
      watch.disconnect();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
    });
    watch.observe(popup as Element, { attributeFilter: ["data-closed"] });
  });
  gate.resolve();
  await page.waitForURL(`**/dashboard/editProduct/${_id}`);
  await page.getByRole("option", { name: "Overview" }).waitFor();
  await field.fill("make admin");
  expect(new URL(page.url()).pathname).toBe(`/dashboard/editProduct/${_id}`);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/makeAdmin");
  await close();
});

test("Enter, pressed twice in the palette, does not press the button that had the focus", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin, { name: "Twice pressed vice" }));
  await payFor(store, buyer, purchase);
  const { page, close } = await openPage(store, { user: admin });
  await page.goto("/dashboard/manageOrder?q=vice");
  await settled(page);
  await page.getByRole("button", { name: /^Pending, ship/ }).focus();
  await page.keyboard.press("Control+k");
  const slow = Promise.withResolvers<void>();
  await page.route(/reviews\.data/, (route) => slow.promise.then(() => route.continue()));
  const field = page.getByRole("combobox", { name: "Page, tool, buyer or order" });
  await field.fill("reviews");
  await page.keyboard.press("Enter");
  await field.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.keyboard.press("Enter");
  slow.resolve();
  await page.waitForURL("**/dashboard/reviews");
  await settled(page);
  const { shipments } = await admin.call("findOrderDetails", { params: { id: purchase._id } });
  expect(shipments).toEqual([]);
  await close();
});

test("text typed right after Ctrl K, before the palette is loaded, is in its field", async () => {
  await addProduct(admin, { name: "Early burnisher" });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const slow = Promise.withResolvers<void>();
  await page.route(/\/assets\/palette/, (route) => slow.promise.then(() => route.continue()));
  await page.goto("/dashboard/manageProduct");
  await page.getByRole("searchbox", { name: "Search tools in the catalogue" }).focus();
  await settled(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("burnishes");
  await page.keyboard.press("Backspace");
  await page.getByRole("status").filter({ hasText: "burnishe" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("r");
  slow.resolve();
  const field = page.getByRole("combobox", { name: "Page, tool, buyer or order" });
  await expect.poll(() => field.inputValue()).toBe("burnisher");
  await page.getByRole("option", { name: /^Edit Early burnisher/ }).waitFor();
  await expectNoProblems(visitor);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/editProduct/*");
  await visitor.close();
});

test("a palette that cannot be loaded leaves the page and its input", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.route(/\/assets\/palette/, (route) => route.abort());
  await page.goto("/dashboard/addProduct");
  await settled(page);
  await page.getByLabel("Name").fill("Half typed saw");
  await page.keyboard.press("Control+k");
  await page.getByText("The command palette could not be loaded.").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("Half typed saw");
  visitor.expectProblem(/palette/);
  await visitor.close();
});

describe("an order's own page", () => {
  test("ships a paid order, and its progress takes the focus", async () => {
    const { _id } = await paidOrderOf("Saw of its own page");
    const part = [{ purchaseId: _id, quantity: 4 }];
    await admin.call("shipOrder", { params: { id: _id }, body: { lines: part } });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${_id}`);
    await page.getByRole("button", { name: /^Pending/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Product shipping successfully").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: /^Shipped/ })
      .waitFor();
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Progress");
    await expectNoProblems(visitor);
    const toast = page.getByRole("status").filter({ hasText: "Product shipping successfully" });
    await toast.getByRole("button", { name: /^Undo the shipment of 6 Saw of its own page/ }).click();
    await page.getByText("Shipment undone. The buyer gets no email.").waitFor();
    await toast.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Pending, ship it/ }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Shipment undone" }).waitFor();
    await visitor.close();
  });

  test("cancels an unpaid order after a confirmation, and returns to the list; its audit log stays", async () => {
    const { _id } = await placeFor(buyer, await addProduct(admin, { name: "Cancelled saw" }));
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/order/${_id}`);
    await page.getByText("Waiting for the buyer's card payment.").waitFor();
    await page.getByRole("button", { name: "Cancel Order" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).click();
    await page.getByText("Orrder is cancelled successfully").waitFor();
    await page.waitForURL("**/dashboard/manageOrder");
    await page.goto(`/dashboard/order/${_id}`);
    await page.getByRole("link", { name: "View audit log" }).click();
    await page.getByRole("row", { name: /Order cancelled.*cancelled by: an admin/ }).waitFor();
    visitor.expectProblem(/404/);
    await expectNoProblems(visitor);
    await visitor.close();
  });
});

test("on a phone the menu shows the current page, also when the number of orders to ship arrives late", async () => {
  await paidOrderOf("Counted in the menu");
  const { page, close } = await openPage(store, { user: admin, width: 390, height: 844 });
  const counted = Promise.withResolvers<void>();
  await page.route(/\/orders\?limit=1$/, (route) => counted.promise.then(() => route.continue()));
  await page.goto("/dashboard/emails");
  const end = () =>
    page
      .getByRole("navigation", { name: "Dashboard" })
      .getByRole("link", { name: "Emails" })
      .evaluate((link) => link.getBoundingClientRect().right);
  await expect.poll(end).toBeLessThanOrEqual(390);
  counted.resolve();
  await page.getByRole("img", { name: /to ship$/ }).waitFor({ state: "attached" });
  await expect.poll(end).toBeLessThanOrEqual(390);
  await close();
});

test("on a phone a refused product shows the reason in view, though its button is far below", async () => {
  const visitor = await openPage(store, { user: admin, width: 390, height: 844 });
  const { page } = visitor;
  await page.route("**/products", (route) => route.abort());
  await page.goto("/dashboard/addProduct");
  const typed = { Name: "Lost saw", Price: "12.5", Quantity: "100", Minimum: "10", Description: "A saw." };
  for (const [label, text] of Object.entries({ ...typed, Picture: "/tools/jigsaw.svg" }))
    await page.getByRole("textbox", { name: new RegExp(`^${label}`) }).fill(text);
  await page.getByRole("button", { name: "Add Product" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "There is no connection to the store." });
  await expect.poll(async () => (await refusal.boundingBox())?.y).toBeGreaterThan(100);
  expect((await refusal.boundingBox())?.y).toBeLessThan(700);
  visitor.expectProblem(/products|ERR_FAILED/);
  await expectNoProblems(visitor);
  await visitor.close();
});

describe("a tool whose response is lost or late", () => {
  test("is added once", async () => {
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/addProduct");
    const typed = { Name: "Only saw", Price: "12.5", Quantity: "100", Minimum: "10", Description: "A saw." };
    for (const [label, text] of Object.entries({ ...typed, Picture: "/tools/jigsaw.svg" }))
      await page.getByRole("textbox", { name: new RegExp(`^${label}`) }).fill(text);
    const stop = await loseResponses(page, /\/products$/);
    const add = page.getByRole("button", { name: "Add Product" });
    await add.click();
    await page.getByRole("alert").getByText(/store/).waitFor();
    stop();
    visitor.expectProblem(/504/);
    await add.click();
    await page.getByText("Product Added SuccessFully").waitFor();
    const { products } = await admin.call("searchProducts", { query: { q: "Only saw" } });
    expect(products).toHaveLength(1);
    await visitor.close();
  });

  test("is edited without a conflict with itself, and keeps what is typed meanwhile", async () => {
    const tool = await addProduct(admin, { name: "Late saw" });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/editProduct/${tool._id}`);
    await settled(page);
    const category = page.getByLabel("Category");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page
      .getByLabel(/^Price/)
      .first()
      .fill("77");
    const stop = await loseResponses(page, `**/products/${tool._id}`);
    await save.click();
    await page.getByRole("alert").getByText(/store/).waitFor();
    stop();
    visitor.expectProblem(/504/);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/products/${tool._id}`, async (route) => {
      if (route.request().method() === "PUT") await held;
      await route.continue();
    });
    await save.click();
    await page.getByText("More about this tool").click();
    await category.fill("Sawing");
    release();
    await page.getByText("Late saw is saved").waitFor();
    await settled(page);
    expect(await category.inputValue()).toBe("Sawing");
    await save.click();
    await page.waitForURL(/manageProduct/);
    expect(await admin.call("findProduct", { params: { id: tool._id } })).toMatchObject({
      price: 77,
      category: "Sawing",
    });
    await visitor.close();
  });

  test("is edited back to what it was", async () => {
    const tool = await addProduct(admin, { name: "Lost saw", price: 70 });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/editProduct/${tool._id}`);
    await settled(page);
    const price = page.getByLabel(/^Price/).first();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await price.fill("7");
    const stop = await loseResponses(page, `**/products/${tool._id}`);
    await save.click();
    await page.getByRole("alert").getByText(/store/).waitFor();
    stop();
    visitor.expectProblem(/504/);
    await price.fill("70.00");
    await save.click();
    await page.waitForURL(/manageProduct/);
    expect(await admin.call("findProduct", { params: { id: tool._id } })).toMatchObject({ price: 70 });
    await expectNoProblems(visitor);
    await visitor.close();
  });
});

test("an empty new line of technical data is no error", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/addProduct");
  await page.getByText("More about this tool").click();
  await page.getByRole("button", { name: "Add a row" }).click();
  await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("Name of row 1");
  await page.keyboard.press("Tab");
  expect(await page.getByText("A value is required.").count()).toBe(0);
  await page.keyboard.press("Tab");
  await page.getByText("A value is required.").waitFor();
  await visitor.close();
});

test("a line of technical data that is removed leaves the focus at the one before, or at Add", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/addProduct");
  await page.getByText("More about this tool").click();
  for (const line of [1, 2]) {
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByRole("textbox", { name: `Name of row ${line}` }).waitFor();
  }
  const focused = () => page.locator(":focus").evaluate((one) => one.ariaLabel ?? one.textContent);
  await page.getByRole("button", { name: "Remove row 2" }).press("Enter");
  await expect.poll(focused).toBe("Name of row 1");
  await page.getByRole("button", { name: "Remove row 1" }).press("Enter");
  await expect.poll(focused).toBe("Add a row");
  const width = page.getByRole("textbox", { name: /^Width/ });
  await width.fill("wide");
  await width.blur();
  await page.getByText("Enter a number above 0.").waitFor();
  await width.fill("82");
  await page.getByText("Enter a number above 0.").waitFor({ state: "detached" });
  expect(await width.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await width.isVisible()).toBe(true);
  await visitor.close();
});

test("an admin who needs step-up before a refund or granting a role gets a link to it", async () => {
  const { email } = await register(store, "Nearly Admin");
  await verifyEmail(store.pool, email);
  await store.pool.query(
    `UPDATE identity.session SET "confirmedAt" = now() - interval '61 minutes'
     WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
    [admin.email],
  );
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  // a refund stays as it was typed, since the link opens another tab
  await page.goto(`/dashboard/order/${(await paidOrderOf("Returned saw"))._id}`);
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  const refund = page.getByRole("dialog");
  await refund.getByLabel("Reason").fill("Sent back");
  expect(await refund.getByRole("alert").count()).toBe(0);
  await refund.getByRole("button", { name: "Refund", exact: true }).click();
  const [account] = await Promise.all([
    page.waitForEvent("popup"),
    refund.getByRole("link", { name: "Open Account in a new tab" }).click(),
  ]);
  await account.waitForURL("**/dashboard/account");
  await account.getByLabel("Your password").first().waitFor();
  await account.close();
  expect(await refund.getByLabel("Reason").inputValue()).toBe("Sent back");
  visitor.expectProblem(/403/);
  await expectNoProblems(visitor);
  await page.goto("/dashboard/makeAdmin?q=nearly");
  await page.getByRole("button", { name: `Make Admin, ${email}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make Admin" }).click();
  await page.getByRole("button", { name: "Go to Account" }).click();
  await page.waitForURL("**/dashboard/account");
  await page.getByLabel("Your password").first().fill(admin.password);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Confirmed for the next hour.").waitFor();
  visitor.expectProblem(/403/);
  await visitor.close();
});

test("an admin closes the account of another admin, and not their own", async () => {
  const { email } = await register(store, "Lena Leaver");
  await admin.call("makeAdmin", { params: { email }, body: { confirmUnconfirmed: true } });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/makeAdmin?role=admin");
  await page.getByRole("row", { name: admin.email }).waitFor();
  expect(await page.getByRole("button", { name: `Close account, ${admin.email}` }).count()).toBe(0);
  await page.getByRole("button", { name: `Close account, ${email}` }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("The admin role ends").waitFor();
  await question.getByRole("button", { name: "Close account" }).click();
  await page.getByText("The account of Lena Leaver is closed.").waitFor();
  await page.getByRole("row", { name: email }).waitFor({ state: "detached" });
  await expectNoProblems(visitor);
  await visitor.close();
});

test("an email that is no longer among the failed ones leaves the focus at their heading", async () => {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM generate_series(1, 2) AS n, graphile_worker.add_job('send-mail',
       json_build_object('mail', 'securityNotice', 'email', 'failed-' || n || '@x.example'),
       run_at := now() + n * interval '1 day')`,
  );
  await store.pool.query(
    "UPDATE graphile_worker._private_jobs SET last_error = 'Mailbox full' WHERE id = ANY ($1)",
    [rows.map(({ id }) => id)],
  );
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/emails");
  await intercept(page, "**/admin/emails/*/retry", async (route) => {
    await store.pool.query("DELETE FROM graphile_worker._private_jobs WHERE id = $1", [rows.shift()?.id]);
    await route.fulfill({ json: { modifiedCount: 1 } });
  });
  await page.getByRole("button", { name: "Try again, email to failed-1@x.example" }).press("Enter");
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Failed");
  await visitor.close();
});

test("an email of the outbox is shown in a frame without scripts, and as text", async () => {
  await expect.poll(async () => (await admin.call("listEmails", {})).all).toBeGreaterThan(0);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const frame = page.frameLocator("iframe");
  const isLoaded = frame.locator("body").filter({ hasText: "Stator" });
  // the frame loads before the page's script
  await page.route("**/assets/emails-*.js", async (route) => {
    await isLoaded.waitFor();
    await route.continue();
  });
  await page.goto("/dashboard/emails");
  await isLoaded.waitFor();
  const heights = () =>
    page.evaluate(() => {
      const { clientHeight, contentDocument } = document.querySelector("iframe") as HTMLIFrameElement;
      return [clientHeight, contentDocument?.documentElement.scrollHeight];
    });
  await expect.poll(async () => new Set(await heights()).size).toBe(1);
  await page.getByRole("button", { name: "Text" }).click();
  await page.locator("pre").filter({ hasText: "Stator" }).waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});

test("the frame of an email of which nothing has arrived yet is fitted when it has loaded", async () => {
  await placeFor(await register(store), await addProduct(admin));
  await expect.poll(async () => (await admin.call("listEmails", {})).all).toBeGreaterThan(0);
  const visitor = await openPage(store, { user: admin, fresh: true });
  const { page } = visitor;
  await page.addInitScript(() => {
    const real = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentDocument");
    const reads = Object.assign(window, { frameReads: 0 });
    Object.defineProperty(HTMLIFrameElement.prototype, "contentDocument", {
      get() {
        reads.frameReads += 1;
        return reads.frameReads === 1 ? { URL: "/outbox", documentElement: null } : real?.get?.call(this);
      },
    });
  });
  await page.route("**/outbox/*/page", async (route) => {
    await page.waitForFunction(() => (window as unknown as { frameReads: number }).frameReads > 0);
    await route.continue();
  });
  await page.goto("/dashboard/emails", { waitUntil: "commit" });
  const frame = page.locator("iframe");
  await page.frameLocator("iframe").locator("body").filter({ hasText: "Stator" }).waitFor();
  await expect.poll(() => frame.evaluate(({ clientHeight }) => clientHeight)).not.toBe(240);
  await expectNoProblems(visitor);
  await visitor.close();
});
