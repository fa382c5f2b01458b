/** Manage All Orders on a desktop: filters, saved views, keyboard, and shipping several orders together. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Order, Product } from "../../api/entities.ts";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct, payOrder, placeOrderFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let tool: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  tool = await addProduct(admin, { name: "Angle grinder", price: 12.5, quantity: 100_000 });
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

async function placePaidOrder(buyer: SignedIn, poNumber: string): Promise<Order> {
  const order = await placeOrderFor(buyer, [[tool, 100]], { poNumber });
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  return order;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

const shipmentsOf = async ({ _id }: Order) =>
  (await admin.call("findOrderDetails", { params: { id: _id } })).shipments;

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("selected orders are shipped together; a refused one shows why and does not stop the others", async () => {
    const buyer = await register(store, `Ada ${width}`);
    // the list has the newest first
    const orders = [
      await placePaidOrder(buyer, "third"),
      await placePaidOrder(buyer, "second"),
      await placePaidOrder(buyer, "first"),
    ];
    const [third, second, first] = orders as [Order, Order, Order];
    const unpaid = await placeOrderFor(buyer, [[tool, 10]]);
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto(`/dashboard/manageOrder?buyer=Ada+${width}`);
    await settled(page);
    const all = page.getByRole("checkbox", { name: "Select all on this page" });
    await all.check();
    await page.getByText("4 lines selected").waitFor();
    await all.uncheck();
    for (const key of ["j", "x", "j", "x", "j", "x", "j", "k", "j", "x"]) await page.keyboard.press(key);
    await page.getByText("4 lines selected").waitFor();
    await page.getByText("3 orders, 300 pieces to ship").waitFor();
    const pickList = await page
      .getByRole("region", { name: "Selected orders" })
      .getByRole("link")
      .getAttribute("href");
    expect(pickList).toBe(
      `/dashboard/pick-list?orders=${[first, second, third].map(({ number }) => number).join(",")}`,
    );
    await expectNoProblems(opened);

    await page.keyboard.press("s");
    await page.getByText(`Order ${unpaid.number} of Ada ${width}, 10 Angle grinder, is not paid.`).waitFor();
    expect(await shipmentsOf(first)).toEqual([]);
    await page.keyboard.type("Kestrel Freight");
    await page.getByRole("button", { name: "First carrier for all" }).click();
    await page.getByRole("textbox", { name: `Tracking number, order ${first.number}` }).fill("KF 1");
    await page.keyboard.press("Enter");
    await page.keyboard.type("KF 2");
    await page.getByRole("region", { name: "Ship 3 orders" }).getByRole("link").first().click();
    await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(
      await page.getByRole("textbox", { name: `Tracking number, order ${second.number}` }).inputValue(),
    ).toBe("KF 2");
    await expectNoProblems(opened);
    await admin.call("shipPurchase", { params: { id: second.lines[0]?._id ?? "" } });
    opened.problems.length = 0;
    await page.getByRole("button", { name: "Ship 3 orders" }).click();
    await page.getByText("This order is already shipped.").waitFor();
    await page.getByText("2 of 3 orders shipped.").waitFor();
    expect(await shipmentsOf(first)).toMatchObject([{ carrier: "Kestrel Freight", trackingNumber: "KF 1" }]);
    expect(await shipmentsOf(second)).toMatchObject([{}]);
    expect(await shipmentsOf(third)).toMatchObject([{ carrier: "Kestrel Freight" }]);
    await page
      .getByRole("button", { name: `Undo the shipment of 100 pieces of order ${third.number}` })
      .click();
    await page.getByText("Shipment undone", { exact: true }).waitFor();
    await page.getByText("1 of 3 orders shipped.").waitFor();
    expect(await shipmentsOf(third)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).last().click();
    await expect.poll(() => focused(page)).toBe("Manage All Orders");
    await opened.close();
  });

  test("filters are in the URL, and are saved as a view", async () => {
    const buyer = await register(store, `Filter ${width}`);
    const order = await placePaidOrder(buyer, `FO-${width}`);
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto("/dashboard/manageOrder");
    await settled(page);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("textbox", { name: "PO number" }).fill(`fo-${width}`);
    await page.getByRole("checkbox", { name: "PO number" }).check();
    await expectNoProblems(opened);
    // a search does not move the focus or empty the fields
    const search = page.getByRole("searchbox", { name: "Search orders" });
    await search.fill(`Filter ${width}`);
    await page.waitForURL("**q=Filter**");
    await settled(page);
    await expect.poll(() => search.evaluate((one) => one === document.activeElement)).toBe(true);
    await search.fill("");
    await page.waitForURL((url) => !url.searchParams.has("q"));
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => focused(page)).toBe("Filter");
    await page.getByRole("button", { name: `Remove the filter PO number: fo-${width}` }).waitFor();
    await page.getByText(`FO-${width}`, { exact: true }).waitFor();
    expect(await page.locator("[data-select]").count()).toBe(1);
    const file = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
    expect(file).toBe(
      `/admin/orders/export.csv?po=fo-${width}&columns=buyer%2Cpo%2Cquantity%2Ctotal&bom=true`,
    );

    await page.getByRole("button", { name: "Save this view" }).click();
    expect(await page.locator(":focus").getAttribute("autocomplete")).toBe("off");
    await page.keyboard.type(`View ${width}`);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: `View ${width} 1`, exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe("Delete this view");
    await page
      .getByRole("status")
      .filter({ hasText: `“View ${width}” is saved.` })
      .waitFor();
    await page.goto("/dashboard/manageOrder");
    await settled(page);
    await expectNoProblems(opened);
    await page.getByRole("link", { name: `View ${width} 1`, exact: true }).click();
    await page.getByText(`FO-${width}`, { exact: true }).waitFor();
    await page.locator("[data-select]").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/dashboard/order/${order.lines[0]?._id}`);
    await page.goBack();
    await page.getByRole("button", { name: "Delete this view" }).click();
    await page.getByRole("button", { name: `Undo deleting View ${width}` }).click();
    await page.getByRole("link", { name: `View ${width} 1`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete this view" }).click();
    await page.getByRole("button", { name: "Save this view" }).waitFor();
    await expect.poll(() => focused(page)).toBe("Save this view");
    await page.getByRole("button", { name: /^Remove the filter/ }).press("Enter");
    await expect.poll(() => focused(page)).toBe("Manage All Orders");
    await opened.close();
  });
});

test("pasted tracking numbers go to the orders that they name, or fill them from the focused one", async () => {
  const buyer = await register(store, "Pia Paster");
  const orders = [
    await placePaidOrder(buyer, "third"),
    await placePaidOrder(buyer, "second"),
    await placePaidOrder(buyer, "first"),
  ];
  const [third, second, first] = orders as [Order, Order, Order];
  const dispute = "UPDATE shop.purchase SET disputed_at = $2 WHERE id = $1";
  await store.pool.query(dispute, [second.lines[0]?._id, new Date()]);
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageOrder?buyer=Pia+Paster");
  await settled(page);
  for (const key of ["j", "x", "j", "x", "j", "x", "s"]) await page.keyboard.press(key);
  const paste = (column: string, order: Order, text: string) =>
    page.getByRole("textbox", { name: `${column}, order ${order.number}` }).evaluate((input, rows) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", rows);
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  // a carrier's list is in an order of its own; a list of order numbers is not taken for carriers
  await page.getByText("Payment disputed", { exact: true }).nth(1).waitFor();
  const number = (order: Order, column = "Tracking number") =>
    page.getByRole("textbox", { name: `${column}, order ${order.number}` }).inputValue();
  await paste(
    "Carrier",
    first,
    `Order;Carrier;Number\n${third.number};DHL;300\n99;DHL;9\n${first.number};DHL;1,5E+17\n${third.number};DHL;301`,
  );
  await page.getByText("Not pasted, since no order here has this number: 99.").waitFor();
  await page.getByText("Tracking number: The spreadsheet has shortened it.").waitFor();
  expect(await Promise.all([number(third), number(second), number(third, "Carrier")])).toEqual([
    "300, 301",
    "",
    "DHL",
  ]);
  await paste("Carrier", first, '"UPS\r\n""Ground"""\t1Z 1\r\nUPS\t1Z 2\r\nUPS\t1Z 3\r\n');
  await paste("Tracking number", second, `1Z 20\r${"1Z 30 ".repeat(20)}\r1Z 40\r`);
  await page.getByText("There is no room for 1 row below the last row. The rest was pasted.").waitFor();
  // too long a number is not cut off, and its order waits for a correction
  await page.getByText("Tracking number: Use at most 80 characters.").waitFor();
  await page.getByRole("button", { name: "Ship 3 orders" }).press("Enter");
  await page.getByText("2 of 3 orders shipped.").waitFor();
  await page.getByText("1 order could not be shipped.").waitFor();
  await page.getByRole("textbox", { name: `Tracking number, order ${third.number}` }).fill("1Z 30");
  await page.getByRole("button", { name: "Ship 1 order" }).press("Enter");
  await page.getByText("3 of 3 orders shipped.").waitFor();
  const trackingOf = async (order: Order) => {
    const [shipment] = await shipmentsOf(order);
    return [shipment?.carrier, shipment?.trackingNumber];
  };
  expect(await Promise.all([first, second, third].map(trackingOf))).toEqual([
    ['UPS "Ground"', "1Z 1"],
    ["UPS", "1Z 20"],
    ["UPS", "1Z 30"],
  ]);
  // the button is gone, and then the one that undoes
  await expect.poll(() => focused(page)).toBe("Done");
  await page
    .getByRole("button", { name: /^Undo the shipment/ })
    .first()
    .press("Enter");
  await page.getByText("Shipment undone", { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe("Done");
  await opened.close();
});

test("s opens no shipment of more orders than the bar allows", async () => {
  const buyer = await register(store, "Mia Many");
  await placePaidOrder(buyer, "many");
  // copies, without the triggers that count them: placing and paying a hundred takes seconds
  await store.pool.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    CREATE TABLE copied AS
      SELECT uuidv7() AS order_id, purchase.id FROM shop.purchase, generate_series(1, 100) WHERE email = '${buyer.email}';
    INSERT INTO shop.order (id, user_id) SELECT copied.order_id, user_id FROM copied JOIN shop.purchase USING (id);
    INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
        quantity, price_cents, status, transaction_id, paid_at, paid_mode)
      SELECT copied.order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
        quantity, price_cents, status, transaction_id, paid_at, paid_mode FROM copied JOIN shop.purchase USING (id);
    COMMIT`);
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await page.goto("/dashboard/manageOrder?buyer=Mia+Many");
  await settled(page);
  const next = page.getByRole("link", { name: "Next" });
  for (let selected = 25; ; selected = Math.min(selected + 25, 101)) {
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByText(`${selected} lines selected`).waitFor();
    if (selected === 101) break;
    await next.click();
    await settled(page);
  }
  await page.getByText("101 orders, 10,100 pieces to ship").waitFor();
  await page.keyboard.press("s");
  await page.locator(".toasts").getByText("Select at most 100 orders.").waitFor();
  expect(await page.getByRole("region", { name: /^Ship/ }).count()).toBe(0);
  await page.locator("[data-select]").last().focus();
  for (const key of ["x", "s"]) await page.keyboard.press(key);
  await page.getByRole("region", { name: "Ship 100 orders" }).waitFor();
  await close();
  await store.pool.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    DELETE FROM shop.purchase WHERE order_id IN (SELECT order_id FROM copied);
    DELETE FROM shop.order WHERE id IN (SELECT order_id FROM copied);
    DROP TABLE copied;
    COMMIT`);
});

test("a selection follows the list, and s leaves an open shipment as it is", async () => {
  const buyer = await register(store, "Sol Selected");
  const second = await placePaidOrder(buyer, "second");
  const first = await placePaidOrder(buyer, "first");
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageOrder?buyer=Sol+Selected");
  await settled(page);
  for (const key of ["j", "x"]) await page.keyboard.press(key);
  await page.getByText("1 order, 100 pieces to ship").waitFor();
  const [line] = first.lines;
  await admin.call("shipOrder", {
    params: { id: first._id },
    body: { lines: [{ purchaseId: line?._id ?? "", quantity: 30 }] },
  });
  await page.keyboard.press("s");
  const panel = page.getByRole("region", { name: "Ship 1 order" });
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByText(/70 are left/).waitFor();
  opened.expectProblem(/409/);
  await panel.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("1 order, 70 pieces to ship").waitFor();
  await page.getByRole("button", { name: /^Pending, ship 70 Angle grinder to Sol/ }).waitFor();
  await page.keyboard.press("s");
  await panel.waitFor();
  await page.locator(`[data-select="${second.lines[0]?._id}"]`).focus();
  for (const key of ["x", "s"]) await page.keyboard.press(key);
  await expect.poll(() => focused(page)).toBe("Ship 1 order");
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByText("1 of 1 order shipped.").waitFor();
  expect(await shipmentsOf(first)).toHaveLength(2);
  expect(await shipmentsOf(second)).toEqual([]);
  await panel.getByRole("button", { name: "Done" }).click();
  await page.getByText("1 order, 100 pieces to ship").waitFor();
  await page.getByRole("button", { name: /^Pending, ship 100 Angle grinder to Sol/ }).click();
  await page.getByText("none to ship").waitFor();
  await opened.close();
});

test("Back from an order returns to the selection, with the rows as they are now", async () => {
  const buyer = await register(store, "Bea Back");
  const second = await placePaidOrder(buyer, "second");
  await placePaidOrder(buyer, "first");
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await page.goto("/dashboard/manageOrder?buyer=Bea+Back");
  await settled(page);
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  await page.getByText("2 orders, 200 pieces to ship").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/dashboard/order/${second.lines[0]?._id}`);
  await admin.call("shipPurchase", { params: { id: second.lines[0]?._id ?? "" } });
  await page.goBack();
  await page.getByText("1 order, 100 pieces to ship").waitFor();
  expect(await page.locator("[data-select]:checked").count()).toBe(2);
  await page.getByRole("link", { name: "Customers" }).click();
  await page.waitForURL("**/dashboard/customers");
  await page.getByRole("link", { name: /^Manage All Orders/ }).click();
  await page.waitForURL("**/dashboard/manageOrder");
  await settled(page);
  expect(await page.locator("[data-select]:checked").count()).toBe(0);
  await close();
});

test("a selected order that the list no longer shows is as it is after a refusal", async () => {
  const buyer = await register(store, "Uma Unlisted");
  const order = await placePaidOrder(buyer, "unlisted");
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageOrder?q=Unlisted");
  await settled(page);
  for (const key of ["j", "x"]) await page.keyboard.press(key);
  await page.getByText("1 order, 100 pieces to ship").waitFor();
  await page.getByRole("searchbox", { name: "Search orders" }).fill("nobody");
  await page.getByText("No matching orders").waitFor();
  await settled(page);
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId: order.lines[0]?._id ?? "", quantity: 30 }] },
  });
  await page.getByRole("button", { name: "Ship 1 order" }).click();
  const panel = page.getByRole("region", { name: "Ship 1 order" });
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByText(/70 are left/).waitFor();
  opened.expectProblem(/409/);
  await panel.getByRole("cell", { name: "70", exact: true }).waitFor();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("1 order, 70 pieces to ship").waitFor();
  await page.getByRole("button", { name: "Ship 1 order" }).click();
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId: order.lines[0]?._id ?? "", quantity: 10 }] },
  });
  await panel.getByLabel(/^Tracking number/).fill("KF 9");
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByRole("cell", { name: "60", exact: true }).waitFor();
  opened.expectProblem(/409/);
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByText("1 of 1 order shipped.").waitFor();
  expect(await shipmentsOf(order)).toContainEqual(expect.objectContaining({ trackingNumber: "KF 9" }));
  await opened.close();
});

test("a shipment that can no longer be undone stays shipped in the list of the shipped orders", async () => {
  const buyer = await register(store, "Una Undo");
  const order = await placePaidOrder(buyer, "too late");
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageOrder?buyer=Una+Undo");
  await settled(page);
  for (const key of ["j", "x", "s"]) await page.keyboard.press(key);
  const panel = page.getByRole("region", { name: "Ship 1 order" });
  await panel.getByRole("button", { name: "Ship 1 order" }).click();
  await panel.getByText("1 of 1 order shipped.").waitFor();
  const [shipment] = await shipmentsOf(order);
  // the worker has taken the email
  await store.pool.query("UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE key = $1", [
    `shipped-${shipment?._id}`,
  ]);
  await panel.getByRole("button", { name: /^Undo the shipment/ }).click();
  await page.getByText("This shipment can no longer be undone").waitFor();
  opened.expectProblem(/409/);
  await panel.getByText("Shipped", { exact: true }).waitFor();
  expect(await panel.getByText("Shipment undone").count()).toBe(0);
  await panel.getByText("1 of 1 order shipped.").waitFor();
  expect(await shipmentsOf(order)).toHaveLength(1);
  await opened.close();
});

test("an undone shipment leaves the counts of a list that is shown since", async () => {
  const [first, second] = [await register(store, "Fia First"), await register(store, "Sia Second")];
  await placePaidOrder(first, "one");
  await placePaidOrder(first, "two");
  await placePaidOrder(second, "three");
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await page.goto("/dashboard/manageOrder?q=Fia+First");
  await settled(page);
  await page
    .getByRole("button", { name: /^Pending, ship 100 Angle grinder/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Paid, to ship 1", exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Search orders" }).fill("Sia Second");
  await page.getByText("Sia Second", { exact: true }).waitFor();
  await page.getByRole("link", { name: "All 1", exact: true }).waitFor();
  const counted = page.waitForResponse(/q=\w+\+\w+&limit=1$/);
  await page.getByRole("button", { name: /^Undo the shipment of 100 Angle grinder to Fia/ }).click();
  await page.getByText("Shipment undone. The buyer gets no email.").waitFor();
  await counted;
  await page.waitForLoadState("networkidle");
  await settled(page);
  expect(await page.getByRole("link", { name: "Paid, to ship 1", exact: true }).count()).toBe(1);
  await close();
});

test("a list that is shown while the counts of an undone shipment are fetched keeps its own", async () => {
  const [first, second] = [await register(store, "Hal Held"), await register(store, "Lou Later")];
  await placePaidOrder(first, "one");
  await placePaidOrder(first, "two");
  await placePaidOrder(second, "three");
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await page.goto(`/dashboard/manageOrder?q=${first.email}`);
  await settled(page);
  await page
    .getByRole("button", { name: /^Pending, ship 100 Angle grinder/ })
    .first()
    .click();
  const undo = page.getByRole("button", { name: /^Undo the shipment of 100 Angle grinder to Hal/ }).first();
  await undo.waitFor();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(/&limit=1$/, (route) => held.then(() => route.continue()));
  const counted = page.waitForResponse(/&limit=1$/);
  await undo.click();
  await page.getByText("Shipment undone. The buyer gets no email.").waitFor();
  await page.getByRole("searchbox", { name: "Search orders" }).fill(second.email);
  const all = page.getByRole("link", { name: "All 1", exact: true });
  await all.waitFor();
  letGo();
  await counted;
  await page.waitForLoadState("networkidle");
  await settled(page);
  expect(await all.count()).toBe(1);
  await close();
});

test("a double click deletes a view once", async () => {
  await admin.call("saveView", { body: { name: "Twice", query: "po=twice" } });
  const { page, close } = await openPage(store, { user: admin });
  await page.goto("/dashboard/manageOrder?po=twice");
  await settled(page);
  await page.getByRole("button", { name: "Delete this view" }).dblclick();
  await page.getByRole("button", { name: "Save this view" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("button", { name: "Undo deleting Twice" }).count()).toBe(1);
  await close();
});

test("Clear leaves the focus at the heading", async () => {
  await placePaidOrder(await register(store, "Cleo Clear"), "clear");
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/manageOrder");
  await page.locator("[data-select]").first().check();
  await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
  await expect.poll(() => focused(page)).toBe("Manage All Orders");
  await opened.close();
});
