/** Pages on paper: without controls, and what fits on one sheet of an order on one. */
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { addProduct, payFor, payOrder, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Petra Print");
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

test.each(["unpaid", "paid", "shipped"])(
  "an order that is %s prints on one clean sheet, on A4 and on Letter",
  async (status) => {
    const order = await placeFor(buyer, await addProduct(admin));
    if (status !== "unpaid") await payFor(store, buyer, order);
    if (status === "shipped") await admin.call("shipPurchase", { params: { id: order._id } });
    for (const [user, width] of [
      [buyer, 1440],
      [admin, 390],
    ] as const) {
      const opened = await openPage(store, { user, width, height: 900, theme: "dark" });
      const { page } = opened;
      await page.goto(`/dashboard/order/${order._id}`);
      await page.getByRole("heading", { name: "Progress" }).waitFor();
      await settled(page);
      for (const format of ["A4", "Letter"]) {
        const pdf = await page.pdf({ format, printBackground: false });
        expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g), `${user.role}, ${format}`).toHaveLength(1);
      }
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const main = page.locator("main");
      await expect.poll(() => main.getByRole("heading", { name: /^Order \d{5}$/ }).isVisible()).toBe(true);
      for (const role of ["button", "navigation"] as const)
        expect(await page.getByRole(role).filter({ visible: true }).allTextContents(), role).toEqual([]);
      await expectNoProblems(opened);
      await opened.close();
    }
  },
);

test("a pick list prints a table with boxes to tick, which are not on the screen", async () => {
  const order = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, order);
  const { page, close } = await openPage(store, { user: admin, width: 688 });
  await page.goto("/dashboard/pick-list");
  const box = page.locator(".picked").first();
  await box.waitFor({ state: "attached" });
  expect(await box.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await box.isVisible()).toBe(true);
  await close();
});

test("a pick list longer than a page begins on the first one", async () => {
  await store.pool.query(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Saw ' || n, '/tools/drill-driver.svg', 100, 500, 5, 'A saw.' FROM generate_series(1, 30) AS n`,
  );
  const { products } = await admin.call("searchProducts", { query: { q: "Saw", limit: 30 } });
  const order = await buyer.call("placeOrder", {
    body: {
      address: "Unit 6, Canal Yard",
      lines: products.map(({ _id }) => ({ productId: _id, quantity: 5 })),
    },
  });
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const { page, close } = await openPage(store, { user: admin });
  await page.goto(`/dashboard/pick-list?orders=${order.number}`);
  await settled(page);
  const { promise } = getDocument({ data: new Uint8Array(await page.pdf({ format: "A4" })) });
  const document = await promise;
  expect(document.numPages).toBeGreaterThan(1);
  const { items } = await (await document.getPage(1)).getTextContent();
  expect(items.map((item) => ("str" in item ? item.str : "")).join("")).toMatch(/Pick list.*Saw \d/);
  await document.loadingTask.destroy();
  await close();
});

test("a cart and a saved list print every line, also those that the screen does not render yet", async () => {
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Bit ' || n, '/tools/drill-driver.svg', 100, 500, 5, 'A bit.' FROM generate_series(1, 250) AS n RETURNING id`,
  );
  const lines = rows.map(({ id: productId }) => ({ productId, quantity: 5 }));
  await buyer.call("saveCart", { body: { version: 0, lines } });
  const list = await buyer.call("addSavedList", { body: { name: "All bits", lines } });
  const row = ".pad__item";
  for (const path of ["/cart", `/dashboard/lists/${list._id}`]) {
    const opened = await openPage(store, { user: buyer, theme: "dark" });
    const { page } = opened;
    await page.goto(path);
    await page.locator(row).first().waitFor();
    await settled(page);
    expect(await page.locator(row).count(), path).toBeLessThan(250);
    await page.evaluate((selector) => {
      const report = { printed: 0 };
      Object.assign(window, { report });
      // the paper is laid out after the listeners of this event and their microtasks
      addEventListener("beforeprint", () =>
        queueMicrotask(() => {
          report.printed = document.querySelectorAll(selector).length;
        }),
      );
    }, row);
    await page.pdf({ format: "A4" });
    expect(await page.evaluate(() => Reflect.get(window, "report").printed), path).toBe(250);
    await expect.poll(() => page.locator(row).count(), { message: path }).toBeLessThan(250);
    await page.emulateMedia({ media: "print" });
    const controls = page.locator(".pad__row--entry, main input[type=checkbox]");
    expect(await controls.filter({ visible: true }).count(), `controls, ${path}`).toBe(0);
    const tops = await page
      .locator(row)
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
      );
    expect(
      tops.filter(([top = 0], index) => index > 0 && top < (tops[index - 1]?.[1] ?? 0) - 1),
      `overlapping rows, ${path}`,
    ).toEqual([]);
    await expectNoProblems(opened, "colours");
    await opened.close();
  }
});
