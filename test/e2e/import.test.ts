/** An admin's product import: compared, reviewed, applied, corrected. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { closePages, dropPath, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  await addProduct(admin, { name: "Rotary hammer", itemNumber: "RH 32-D", price: 214, quantity: 100 });
  await addProduct(admin, { name: "Circular saw", itemNumber: "CS 190-16", price: 120, quantity: 100 });
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

const fileOf = (price: string, number: string) => ({
  name: "prices-2027.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(
    [
      "item_number;name;price;quantity;description;picture;ERP code",
      `RH 32-D;Rotary hammer;${price};100;An impact drill.;/tools/jigsaw.svg;1`,
      "CS 190-16;Circular saw;1.490;100;Cuts.;/tools/jigsaw.svg;2",
      `${number};LED work light, large;92,00;400;Lights.;/tools/jigsaw.svg;3`,
    ].join("\r\n"),
  ),
});

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("a file is compared, then applied, and refused rows can be downloaded", async () => {
    const price = `2${width}.00`;
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto("/dashboard/manageProduct");
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByRole("button", { name: "Choose file" }).waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await page.getByLabel("CSV file").setInputFiles({
      name: "products.xlsx",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("PK\u0003\u0004rest"),
    });
    await page.getByText("This is an Excel workbook. Save it as CSV and import it again.").waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await page.getByRole("link", { name: "Other file" }).click();
    await page.getByLabel("CSV file").setInputFiles(fileOf(price, `WL ${width}`));
    await page.getByRole("heading", { name: "Columns of prices-2027.csv" }).waitFor();
    await page.getByText("RH 32-D, CS 190-16, WL").waitFor();
    const read = (heading: string) => page.getByLabel(`${heading} is read as`, { exact: true });
    expect(await read("item_number").inputValue()).toBe("item_number");
    expect(await read("ERP code").inputValue()).toBe("");
    await expectNoProblems(opened);
    // a field has one column
    await read("ERP code").selectOption("item number");
    expect(await read("item_number").inputValue()).toBe("");
    await read("ERP code").selectOption("Not read");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Choose the column with the item numbers: tools are matched by them.").waitFor();
    await read("item_number").selectOption("item number");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("button", { name: "Apply 2 rows" }).waitFor();
    await page.getByText("This column is not read: ERP code.").waitFor();
    await page.getByText("price: 1.490 can be read two ways. Write 1490 or 1.49.").waitFor();
    await settled(page);
    await expectNoProblems(opened);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page.getByRole("link", { name: /^Refused 1/ }).click();
    await page.getByRole("row", { name: /Rotary hammer/ }).waitFor({ state: "detached" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Refused rows as CSV" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toContain("CS 190-16,Circular saw,1.490,100");
    await page.getByRole("button", { name: "Apply 2 rows" }).dblclick();
    await page.getByText("is imported: 1 changed, 1 new, 1 refused.").waitFor();
    // the button is gone
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    const { products } = await admin.call("searchProducts", { query: { q: "Rotary" } });
    expect(products[0]?.price).toBe(Number(price));
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Import" }).click();
    await page.getByRole("cell", { name: "Applied" }).first().waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await opened.close();
  });
});

test("the fields of a file's columns are remembered, and the store's own files need no choice", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  const send = (content: string) =>
    page
      .getByLabel("CSV file")
      .setInputFiles({ name: "erp.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
  const read = (heading: string) => page.getByLabel(`${heading} is read as`, { exact: true });
  await page.goto("/dashboard/import");
  await settled(page);
  await send("Artikel;VK;Lager\nRH 32-D;abc;7\nCS 190-16;95,50;7\n");
  await read("Artikel").selectOption("item number");
  await read("VK").selectOption("price");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("price: abc is not a number.").waitFor();
  const refused = await (
    await admin.fetch(`/admin/imports/${page.url().split("/").at(-1)}/refused.csv`)
  ).text();
  await page.getByRole("link", { name: "Other file" }).click();
  await send("Artikel;VK;Lager\nRH 32-D;96,50;7\n");
  expect(await read("VK").inputValue()).toBe("price");
  expect(await read("Lager").inputValue()).toBe("");
  await page.getByRole("button", { name: "Other file" }).click();
  expect(refused).toContain(",reason");
  await send("item_number,price,Unit price\nRH 32-D,96.50,97.50\n");
  expect([await read("price").inputValue(), await read("Unit price").inputValue()]).toEqual(["price", ""]);
  await page.getByRole("button", { name: "Other file" }).click();
  await send(refused.replace("abc", "97.50"));
  await page.getByText("97.50").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("the columns can be chosen although what the browser remembers is unreadable", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/import");
  await settled(page);
  await page.evaluate(() => localStorage.setItem("stator.import-fields", "null"));
  await page.getByLabel("CSV file").setInputFiles(fileOf("1", "none"));
  await page.getByRole("heading", { name: "Columns of prices-2027.csv" }).waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

/** Returns the id of the applied change. */
async function archive(tool: Product): Promise<string> {
  const { _id: id } = await admin.call("changeProducts", {
    body: { ids: [tool._id], field: "archived", how: "set", value: "yes" },
  });
  const isDone = async () => (await admin.call("findImport", { params: { id } })).state === "done";
  await expect.poll(isDone).toBe(true);
  await admin.call("applyImport", { params: { id } });
  await expect.poll(isDone).toBe(true);
  return id;
}

test("an undo after another admin's is refused, and leads to theirs", async () => {
  const id = await archive(await addProduct(admin, { name: "Old sander", itemNumber: "OS 1" }));
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto(`/dashboard/import/${id}`);
  await settled(page);
  const { _id: undoId } = await admin.call("undoImport", { params: { id } });
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  const link = page.getByRole("link", { name: "see what was changed back" });
  await link.waitFor();
  opened.expectProblem(/409/);
  expect(await link.getAttribute("href")).toBe(`/dashboard/import/${undoId}`);
  expect(await page.locator(":focus").count()).toBe(1);
  await opened.close();
});

test("the row of a tool that is archived now leads to its stock", async () => {
  const id = await archive(await addProduct(admin, { name: "Obsolete planer", itemNumber: "OP 82" }));
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto(`/dashboard/import/${id}`);
  await page.getByRole("link", { name: "Obsolete planer" }).click();
  await page.getByRole("link", { name: "Find it in Manage Products" }).waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("Other file, in place of a choice of columns, leaves the focus at the heading", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/import");
  await settled(page);
  await page.getByLabel("CSV file").setInputFiles(fileOf("1", "none"));
  await page.getByRole("button", { name: "Other file" }).press("Enter");
  await page.getByRole("button", { name: "Choose file" }).waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Import tools");
  await opened.close();
});

test("several dropped files are refused where one is read", async () => {
  const two = [import.meta.filename, fileURLToPath(import.meta.resolve("./cart.test.ts"))];
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  const refusal = page.getByText("Drop one file at a time. None of these was used.");
  const places = {
    "/dashboard/import": ".import-drop",
    "/dashboard/addProduct": ".picture-drop",
    "/cart": "main",
  };
  for (const [path, target] of Object.entries(places)) {
    await page.goto(path);
    await settled(page);
    await dropPath(page.locator(target), ...two);
    await refusal.first().waitFor();
  }
  // a dragged text is dropped into its field
  const isTaken = await page.locator("main").evaluate((main) => {
    const data = new DataTransfer();
    data.setData("text/plain", "DD 18-60");
    const event = { bubbles: true, cancelable: true, dataTransfer: data };
    return ["dragover", "drop"].map((type) => !main.dispatchEvent(new DragEvent(type, event)));
  });
  expect(isTaken).toEqual([false, false]);
  await expectNoProblems(opened);
  await opened.close();
});

test("a folder that is dropped is refused as one", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto("/dashboard/import");
  await settled(page);
  await dropPath(page.locator(".import-drop"), import.meta.dirname);
  await page.getByText("e2e could not be read. Choose it again.").waitFor();
  await page.goto("/dashboard/addProduct");
  await settled(page);
  await dropPath(page.locator(".picture-drop"), import.meta.dirname);
  await page.getByText("e2e could not be read. Choose it again.").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});

test("a file or a change is compared once, also if the page of the comparison takes a while", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  const started = async () => (await admin.call("listImports", {})).imports.length;
  const before = await started();
  await page.route(/\/dashboard\/import\/[^/]+\.data/, async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await page.goto("/dashboard/import");
  await settled(page);
  const choose = (price: number) =>
    page.getByLabel("CSV file").setInputFiles({
      name: "prices.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`item_number,price\nRH 32-D,${price}\n`),
    });
  const uploaded = page.waitForResponse("**/admin/products/import");
  await choose(215);
  await uploaded;
  await choose(216);
  await page.waitForURL(/\/dashboard\/import\/.+/);
  await settled(page);
  expect(await started()).toBe(before + 1);

  await page.goto("/dashboard/manageProduct?view=grid");
  await settled(page);
  await page.getByRole("checkbox", { name: "Select Rotary hammer" }).check();
  await page.getByRole("textbox", { name: "Value" }).fill("5");
  const sent = page.waitForResponse("**/admin/products/bulk");
  await page.getByRole("textbox", { name: "Value" }).press("Enter");
  await sent;
  await page.getByRole("textbox", { name: "Value" }).press("Enter");
  await page.waitForURL(/\/dashboard\/import\/.+/);
  await settled(page);
  expect(await started()).toBe(before + 2);
  await expectNoProblems(opened);
  await opened.close();
});
