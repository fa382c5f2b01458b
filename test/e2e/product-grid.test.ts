/** Manage Products as a grid: cells edited in place, conflicts, and bulk changes. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  loseResponses,
  openPage,
  settled,
} from "../harness/browser.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const find = (product: Product) => admin.call("findProduct", { params: { id: product._id } });

/** The texts of cells, or their columns, that are cut off at the right. */
const cellsOutsideGrid = (page: Page) =>
  page
    .getByRole("grid")
    .evaluate((grid) =>
      [...grid.querySelectorAll("[role=columnheader], [role=gridcell]")]
        .filter((cell) => cell.getBoundingClientRect().right > grid.getBoundingClientRect().right)
        .map((cell) => cell.textContent || cell.className),
    );

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("cells are edited, refused, undone and saved; a conflict shows both values", async () => {
    const name = (at: number) => `Grid ${width} tool ${at}`;
    const tools: Product[] = [];
    for (let at = 0; at < 3; at += 1)
      tools.push(
        await addProduct(admin, { name: name(at), price: 10 + at, minimum_order: 12, order_multiple: 4 }),
      );
    const [first, second, third] = tools as [Product, Product, Product];
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto(`/dashboard/manageProduct?q=Grid+${width}`);
    await settled(page);
    await page.getByRole("button", { name: "Edit in grid" }).click();
    const cell = (column: string, at: number) =>
      page.getByRole("textbox", { name: `${column}, ${name(at)}` });
    const saveBar = page.getByRole("region", { name: "Changes that are not saved" });
    await cell("Price", 0).waitFor();
    await expectNoProblems(opened);
    for (const narrower of width > 400 ? [1280, 1024, width] : [width]) {
      await page.setViewportSize({ width: narrower, height: 900 });
      expect(await cellsOutsideGrid(page), `${narrower} pixels`).toEqual([]);
    }

    await cell("Price", 0).focus();
    await page.keyboard.type("11.5");
    await page.keyboard.press("Enter");
    expect(await cell("Price", 0).inputValue()).toBe("11.50");
    await page.keyboard.press("Control+d");
    await page.getByText("2 changes in 2 tools").waitFor();
    await cell("Price", 2).focus();
    await page.keyboard.type("cheap");
    await page.keyboard.press("Enter");
    await page.getByText("Price: Enter a number without separators, such as 1490 or 12.50.").waitFor();
    await page.getByText("1 needs a correction").waitFor();
    await cell("Price", 0).focus();
    await page.getByRole("button", { name: "Next correction" }).click();
    await expect.poll(() => cell("Price", 2).evaluate((one) => one === document.activeElement)).toBe(true);
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page
      .getByText("Price: Enter a number without separators, such as 1490 or 12.50.")
      .waitFor({ state: "detached" });

    await store.pool.query(
      "UPDATE shop.product SET price_cents = 9900, version = version + 1 WHERE id = $1",
      [second._id],
    );
    opened.problems.length = 0;
    // the conflict is answered first, and is shown when the other tool is saved too
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/products/${first._id}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Save 2 tools" }).click();
    await page.getByText("Saving 1 of 2 tools").waitFor();
    expect(await page.getByText("Price is now 99.00").count()).toBe(0);
    const typeStock = async (text: string) => {
      await cell("Stock", 0).focus();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    };
    await typeStock(String(first.quantity + 5));
    release();
    await page.getByText("Price is now 99.00, yours is 11.50.").waitFor();
    expect(await find(first)).toMatchObject({ price: 11.5, quantity: first.quantity });
    await page.getByText("2 changes in 2 tools").waitFor();
    await typeStock(String(first.quantity));
    await page.getByText("1 change in 1 tool").waitFor();
    opened.problems.length = 0;
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Use mine" }).click();
    await page.getByRole("button", { name: "Save 1 tool" }).click();
    await saveBar.waitFor({ state: "detached" });
    expect(await find(second)).toMatchObject({ price: 11.5 });
    expect(await find(third)).toMatchObject({ price: 12 });
    if (width > 1000) {
      await cell("Minimum", 2).focus();
      await page.keyboard.type("15");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Minimum 16" }).waitFor();
      await expectNoProblems(opened);
      await page.getByRole("button", { name: "Multiple 5" }).click();
      await page.getByRole("button", { name: "Save 1 tool" }).waitFor();
      expect(await cell("Multiple", 2).inputValue()).toBe("5");
      await page.getByRole("button", { name: "Discard" }).click();
      await cell("Reorder at", 2).focus();
      await page.keyboard.type("40");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Save 1 tool" }).click();
      await saveBar.waitFor({ state: "detached" });
      // the button is gone
      await page.locator(":focus[data-cell]").waitFor();
      const { reorderPoint } = await admin.call("findStock", { params: { id: third._id }, query: {} });
      expect(reorderPoint).toBe(40);
    }

    await page.getByRole("checkbox", { name: `Select ${name(2)}` }).focus();
    await page.keyboard.press("Space");
    if (width < 1000) {
      // the fields open on demand, and do not cover the rows before
      const { height } = (await page
        .getByRole("form", { name: "Change the selected tools" })
        .boundingBox()) as { height: number };
      expect(height).toBeLessThan(64);
      await page.getByRole("button", { name: "Change", exact: true }).click();
    }
    await page.getByRole("button", { name: "Select all 3" }).click();
    await expectNoProblems(opened);
    await page.getByRole("textbox", { name: "Value" }).fill("lots");
    await page.getByRole("button", { name: "Preview 3" }).click();
    await page.getByText("Enter a number without separators, such as 1490 or 12.50.").waitFor();
    opened.problems.length = 0;
    await page.getByRole("textbox", { name: "Value" }).fill("10");
    await page.getByRole("button", { name: "Preview 3" }).click();
    await page.getByRole("heading", { name: "Change tools" }).waitFor();
    await page.getByText("12.65").first().waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Apply 3 rows" }).click();
    await page.getByText("is applied: 3 changed.").waitFor();
    expect(await find(third)).toMatchObject({ price: 13.2 });
    await settled(page);
    await expectNoProblems(opened);
    // a toast covers it on a phone
    await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await page.getByText("Undo of Price +10% is applied: 3 changed.").waitFor();
    expect(await find(third)).toMatchObject({ price: 12 });
    await opened.close();
  });
});

test("a long list is loaded around the viewport, and pasted cells are one undo step", async () => {
  const content = [
    "item_number,name,price,quantity,description,picture",
    ...Array.from({ length: 1000 }, (_, at) => `MANY-${at},Many ${1000 + at},20,50,A.,/tools/jigsaw.svg`),
  ].join("\n");
  await admin.send("importProducts", { body: { file: { name: "many.csv", content } } });
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await expect
    .poll(async () => (await admin.call("searchProducts", { query: { q: "many" } })).counts.all, {
      timeout: 20_000,
    })
    .toBe(1000);
  await page.goto("/dashboard/manageProduct?q=many&view=grid&sort=name");
  await settled(page);
  const grid = page.getByRole("grid", { name: "Tools on sale" });
  expect(await grid.getAttribute("aria-rowcount")).toBe("1001");
  expect(await page.locator("[data-row]").count()).toBeLessThan(100);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole("textbox", { name: "Price, Many 1999" }).waitFor();
  await page.getByRole("textbox", { name: "Price, Many 1998" }).focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "21.00\t60\n22\t70\n");
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await page.getByText("4 changes in 2 tools").waitFor();
  expect(await page.getByText("There is no room for").count()).toBe(0);
  expect(await page.getByRole("textbox", { name: "Stock, Many 1999" }).inputValue()).toBe("70");
  await page.keyboard.press("Control+z");
  await page.getByText("4 changes in 2 tools").waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await page.getByText("4 changes in 2 tools").waitFor();
  await page.keyboard.press("Control+Shift+z"); // nothing more to redo
  await page.keyboard.press("Control+z");
  await page.getByText("4 changes in 2 tools").waitFor({ state: "detached" });
  await expectNoProblems(opened);

  // what is beyond the last row or column is named, but not blank cells
  await page.getByRole("textbox", { name: "Price breaks, Many 1998" }).focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "50=19\tno\tx\ty\t\n60=19\tno\tz\n70=19\n80=19\n\t\n");
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await page
    .getByText(
      "There is no room for 2 rows below the last row and 3 cells to the right of the last column. The rest was pasted.",
    )
    .waitFor();
  await page.getByText("2 changes in 2 tools").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("2 changes in 2 tools").waitFor({ state: "detached" });

  // a cell with a line break, which spreadsheets quote, is one cell
  await page.getByRole("textbox", { name: "Category, Many 1998" }).focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", '"Saws,\r\n""hand"""\t21\r\n6" drills\t22\r\n');
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await page.getByText("4 changes in 2 tools").waitFor();
  for (const [column, ...expected] of [
    ["Category", 'Saws, "hand"', '6" drills'],
    ["Price", "21.00", "22.00"],
  ])
    for (const [index, value] of expected.entries())
      expect(await page.getByRole("textbox", { name: `${column}, Many ${1998 + index}` }).inputValue()).toBe(
        value,
      );
  await page.keyboard.press("Control+z");
  await page.getByText("4 changes in 2 tools").waitFor({ state: "detached" });

  // also into rows that are not loaded yet; Excel on a Mac ends lines with CR
  await page.reload();
  await settled(page);
  await page.getByRole("textbox", { name: "Price, Many 1000" }).focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "21.00\r".repeat(250));
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await page.getByText("250 changes in 250 tools").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("250 changes in 250 tools").waitFor({ state: "detached" });

  // a cell that is scrolled far away keeps the focus and what is typed, and an arrow key leads back to it
  const typedCell = page.getByRole("textbox", { name: "Price, Many 1003" });
  await typedCell.focus();
  await page.keyboard.type("23");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole("textbox", { name: "Price, Many 1999" }).waitFor();
  expect(await typedCell.evaluate((cell) => cell === document.activeElement)).toBe(true);
  expect(await page.locator("[data-row]").count()).toBeLessThan(100);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(1000);
  await page.getByRole("textbox", { name: "Price, Many 1004" }).waitFor();
  expect(await typedCell.evaluate((cell) => cell === document.activeElement)).toBe(true);
  await page.keyboard.press("ArrowDown");
  await page.getByText("1 change in 1 tool").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("1 change in 1 tool").waitFor({ state: "detached" });

  // the bars at the bottom never cover the focused cell
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("textbox", { name: "Price, Many 1000" }).focus();
  await page.keyboard.type("21");
  await page.keyboard.press("Enter");
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("4 selected").waitFor();
  for (let row = 1005; row < 1025; row += 1) {
    const cell = page.getByRole("textbox", { name: `Price, Many ${row}` });
    // on a busy machine rows are rendered some frames after the list has scrolled
    await cell.waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => cell.evaluate(isOnTop), { message: `row ${row}` }).toBe(true);
  }
  await page.getByRole("button", { name: "Discard" }).click();

  // what is loaded for one search is not shown in the next
  const pending: (() => void)[] = [];
  await page.route("**/admin/products?*offset=900*", async (route) => {
    await new Promise<void>((resolve) => pending.push(resolve));
    await route.continue();
  });
  await page.goto("/dashboard/manageProduct?q=many&view=grid&sort=name");
  await settled(page);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => pending.length).toBe(1);
  await page.getByLabel("Sort").selectOption("Newest first");
  await page.waitForURL(/sort=newest/);
  await expect.poll(() => pending.length).toBe(2);
  for (const release of pending) release();
  await page.getByRole("textbox", { name: "Price, Many 1000" }).waitFor();
  expect(await page.getByRole("textbox", { name: "Price, Many 1999" }).count()).toBe(0);

  await page.getByRole("checkbox", { name: "Select Many 1000" }).check();
  await page.getByRole("button", { name: "Select all 1,000" }).click();
  await page.getByText("1,000 selected").waitFor();
  await page.getByRole("searchbox", { name: "Search tools in the catalogue" }).fill("many 1007");
  await page.getByText("1 selected").waitFor();
  await opened.close();
});

test("a cell keeps the focus and what is typed after more pages than are kept in memory", async () => {
  await store.pool.query(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Far ' || n, '/tools/jigsaw.svg', 1000, 500, 5, 'x' FROM generate_series(1000, 3299) AS n`,
  );
  const { page, close } = await openPage(store, { user: admin, width: 1440 });
  await page.goto("/dashboard/manageProduct?q=far&view=grid&sort=name");
  await settled(page);
  const cell = page.getByRole("textbox", { name: "Price, Far 1000" });
  await cell.focus();
  await page.keyboard.type("23");
  const height = await page.evaluate(() => document.body.scrollHeight);
  // where two pages of the list meet
  for (let tool = 1199; tool < 3300; tool += 200) {
    await page.evaluate((top) => window.scrollTo(0, top), (height * (tool - 1000)) / 2300);
    for (const shown of [tool, tool + 1])
      await page.getByRole("textbox", { name: `Price, Far ${shown}` }).waitFor();
  }
  expect(await cell.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await cell.inputValue()).toBe("23");
  await close();
});

test("archived tools are found, put back on sale in the list, and archived in the grid", async () => {
  const [saw, drill] = [
    await addProduct(admin, { name: "Shelved saw", powerSource: "Mains 230 V" }),
    await addProduct(admin, { name: "Shelved drill", powerSource: "Battery 18 V" }),
  ];
  await admin.call("deleteProduct", { params: { id: saw._id } });
  const opened = await openPage(store, { user: admin, width: 1440, theme: "dark" });
  const { page } = opened;
  await page.goto("/dashboard/manageProduct?q=shelved");
  await settled(page);
  await page.getByLabel("On sale or archived").selectOption("Archived");
  await page.getByRole("button", { name: "Put back on sale, Shelved saw" }).waitFor();
  await page.getByRole("link", { name: "Shelved saw", exact: true }).click();
  await page.getByRole("heading", { level: 2, name: "Archived" }).waitFor();
  await page
    .getByRole("row", { name: /Correction|Count|Delivery/ })
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await settled(page);
  await expectNoProblems(opened);
  await page.getByRole("link", { name: "Find it in Manage Products" }).click();
  await page.getByRole("button", { name: "Put back on sale, Shelved saw" }).click();
  await page.getByText("Shelved saw is on sale again").waitFor();
  await page.getByText("No matching tools").waitFor();
  expect((await find(saw)).name).toBe("Shelved saw");

  await page.getByLabel("On sale or archived").selectOption("On sale");
  await page.getByRole("searchbox", { name: "Search tools in the catalogue" }).fill("shelved");
  await page.getByRole("link", { name: "Shelved drill", exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Power source").selectOption("Battery");
  await page.getByRole("button", { name: "Remove the filter Battery" }).waitFor();
  await expectNoProblems(opened);
  expect(await page.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toContain(
    "power=Battery",
  );
  await page.getByRole("button", { name: "Edit in grid" }).click();
  const archived = page.getByRole("checkbox", { name: "Archived, Shelved drill" });
  await archived.waitFor();
  expect(await page.getByRole("checkbox", { name: /^Archived, / }).count()).toBe(1);
  await archived.focus();
  await page.keyboard.press("Space");
  await page.getByText("1 change in 1 tool", { exact: true }).waitFor();
  await expectNoProblems(opened);
  await page.getByRole("button", { name: "Save 1 tool" }).click();
  await page.getByText("1 tool saved.").waitFor();
  expect((await admin.send("findProduct", { params: { id: drill._id } })).status).toBe(404);
  await opened.close();
});

function isOnTop(cell: HTMLElement): boolean {
  const { x, y, width, height } = cell.getBoundingClientRect();
  return cell === document.activeElement && document.elementFromPoint(x + width / 2, y + height / 2) === cell;
}

test("price breaks are edited in a dialog, and saved with the other changes", async () => {
  const product = await addProduct(admin, { name: "Stepped wrench", price: 10, minimum_order: 20 });
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/manageProduct?q=Stepped");
  await settled(page);
  await page.getByRole("button", { name: "Edit in grid" }).click();
  const cell = page.getByRole("textbox", { name: "Price breaks, Stepped wrench" });
  const dialog = page.getByRole("dialog", { name: "Price breaks, Stepped wrench" });
  const focusedIn = (label: string) => dialog.getByLabel(label).and(page.locator(":focus")).waitFor();
  await cell.focus();
  await page.keyboard.press("Enter");
  await focusedIn("Quantity of break 1");
  await page.keyboard.type("100");
  await page.keyboard.press("Tab");
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await dialog.getByText("The price from 100 pieces must be lower than the one before.").waitFor();
  await expectNoProblems(opened);
  await dialog.getByLabel("Price of break 1").fill("9");
  await dialog.getByRole("button", { name: "Add a break" }).click();
  await focusedIn("Quantity of break 2");
  await page.keyboard.type("500");
  await dialog.getByLabel("Price of break 2").fill("8.5");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await cell.inputValue()).toBe("100=9.00; 500=8.50");
  expect(await cell.evaluate((one) => one === document.activeElement)).toBe(true);

  await page.getByRole("button", { name: "Edit price breaks, Stepped wrench" }).click();
  await dialog.getByRole("button", { name: "Remove break 2" }).click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // Undo in the dialog concerns its fields, and Escape keeps the cell
  expect(await cell.inputValue()).toBe("100=9.00; 500=8.50");
  await page.getByRole("button", { name: "Save 1" }).click();
  await page.getByText("1 tool saved.").waitFor();
  expect((await find(product)).price_breaks).toEqual([
    { quantity: 100, price: 9 },
    { quantity: 500, price: 8.5 },
  ]);
  await expectNoProblems(opened);
  await opened.close();
});

test("a stock that too few pieces are left for is set when it is saved again", async () => {
  const tool = await addProduct(admin, { name: "Sold out grid saw", quantity: 100 });
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/manageProduct?view=grid&q=Sold+out+grid+saw");
  const cell = page.getByRole("textbox", { name: "Stock, Sold out grid saw" });
  await cell.focus();
  await page.keyboard.type("20");
  await page.keyboard.press("Enter");
  await admin.call("changeStock", {
    params: { id: tool._id },
    body: { kind: "correct", pieces: -70, reason: "Sold" },
  });
  await page.getByRole("button", { name: "Save 1 tool" }).click();
  await page.getByText("Only 30 pieces are left, so 80 cannot be removed.").waitFor();
  opened.expectProblem(/409/);
  await expectNoProblems(opened);
  await page.getByRole("button", { name: "Save 1 tool" }).click();
  await page.getByText("1 tool saved.").waitFor();
  expect(await find(tool)).toMatchObject({ quantity: 20 });
  await opened.close();
});

test("a change whose response was lost can be taken back or discarded", async () => {
  const tool = await addProduct(admin, { name: "Lost grid saw", price: 10 });
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageProduct?view=grid&q=Lost+grid+saw");
  const price = page.getByRole("textbox", { name: "Price, Lost grid saw" });
  const save = page.getByRole("button", { name: "Save 1 tool" });
  const change = async (text: string) => {
    await price.focus();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  const saveWithoutResponse = async (text: string) => {
    await change(text);
    const stop = await loseResponses(page, `**/products/${tool._id}`);
    await save.click();
    await page.locator(".pgrid__note").waitFor();
    stop();
    opened.expectProblem(/504/);
    expect(await find(tool)).toMatchObject({ price: Number(text) });
  };
  await saveWithoutResponse("11");
  await change("10");
  await save.click();
  await page.getByText("1 tool saved.").waitFor();
  expect(await find(tool)).toMatchObject({ price: 10 });
  await saveWithoutResponse("12");
  await page.getByRole("button", { name: "Discard" }).click();
  await settled(page);
  await expect.poll(() => price.inputValue()).toBe("12.00");
  // the focused cell has another value now, which the next text replaces
  await change("13");
  await expect.poll(() => price.inputValue()).toBe("13.00");
  // the list of a search responds after the next change is saved
  const list = await holdResponse(page, "**/dashboard/manageProduct.data*");
  await page.getByRole("searchbox", { name: "Search tools in the catalogue" }).fill("Lost grid");
  await list.held;
  await save.click();
  await page.getByText("1 change in 1 tool").waitFor({ state: "detached" });
  list.release();
  await page.waitForURL(/q=Lost\+grid&|q=Lost\+grid$/);
  await settled(page);
  await expect.poll(() => price.inputValue()).toBe("13.00");
  await expectNoProblems(opened);
  await opened.close();
});

test("edits are kept while a search finds nothing, and are not left for the list without a prompt", async () => {
  await addProduct(admin, { name: "Kept tool", price: 10 });
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/manageProduct?view=grid&q=Kept+tool");
  const price = page.getByRole("textbox", { name: "Price, Kept tool" });
  await price.focus();
  await page.keyboard.type("11");
  await page.keyboard.press("Enter");
  const changed = page.getByText("1 change in 1 tool");
  await changed.waitFor();
  const search = page.getByRole("searchbox", { name: "Search tools in the catalogue" });
  await search.fill("no such tool");
  await page.getByText("No matching tools").waitFor();
  await changed.waitFor();
  await expectNoProblems(opened);
  await search.fill("Kept tool");
  await price.waitFor();
  expect(await price.inputValue()).toBe("11.00");
  await store.pool.query("ALTER TABLE shop.product RENAME TO unreadable");
  await search.fill("another tool");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await store.pool.query("ALTER TABLE shop.unreadable RENAME TO product");
  store.logs.expect(/unreadable|does not exist/);
  await changed.waitFor();
  await search.fill("Kept tool");
  await page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
  expect(await price.inputValue()).toBe("11.00");
  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await changed.waitFor();
  await page.getByRole("button", { name: "List", exact: true }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await changed.waitFor({ state: "detached" });
  await opened.close();
});
