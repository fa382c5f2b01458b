/** Customers for an admin: the list, a customer's page, notes, closing the account. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  intercept,
  loseResponses,
  openPage,
  settled,
} from "../harness/browser.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let orderId: string;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  const product = await addProduct(admin, { name: "Angle grinder", price: 12.5, quantity: 100_000 });
  for (const [name, orders] of [
    ["Ada Lovell", 2],
    ["Bob Nakamura", 1],
  ] as const) {
    const buyer = await register(store, name);
    for (let placed = 0; placed < orders; placed += 1) {
      const purchase = await placeFor(buyer, product, 100);
      await payFor(store, buyer, purchase);
      orderId = purchase._id;
    }
  }
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

describe.each([
  { width: 1440, theme: "light" as const },
  { width: 390, theme: "dark" as const },
])("at $width pixels, $theme", ({ width, theme }) => {
  test("a customer is found, annotated, closed and reopened", async () => {
    const opened = await openPage(store, { user: admin, width, theme });
    const { page } = opened;
    await page.goto("/dashboard/customers");
    await settled(page);
    await expectNoProblems(opened);
    const letThrough = await intercept(page, /customers\.data/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.getByRole("combobox", { name: "Sort" }).selectOption("Most revenue");
    // before the sorted page is loaded
    await page.getByRole("searchbox", { name: "Search customers" }).fill("lovell");
    await page.getByRole("status").getByText("1 of 1 customers").waitFor({ state: "attached" });
    letThrough();
    const link = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
    expect(link).toBe("/admin/customers/export.csv?q=lovell&sort=revenue&bom=true");
    await page.getByRole("link", { name: "Ada Lovell" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Lovell" }).waitFor();
    await page.getByText("$2,500.00 in 12 months").waitFor();
    expect(await page.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toBe(
      `/admin/orders/export.csv?customer=${page.url().split("/").at(-1)}&bom=true`,
    );

    const note = page.getByRole("textbox", { name: "New note" });
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("alert").getByText("Enter a note.").waitFor();
    await note.fill("Dock 2 closes at 3 PM.");
    await note.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete the note: Dock 2 closes at 3 PM." }).waitFor();
    expect(await note.inputValue()).toBe("");
    await page.getByRole("status").filter({ hasText: "Note added." }).waitFor();
    await expectNoProblems(opened);
    await page.reload();
    await page.getByRole("button", { name: "Delete the note: Dock 2 closes at 3 PM." }).first().click();
    await page.getByText("Dock 2 closes").waitFor({ state: "detached" });
    await page.getByRole("status").filter({ hasText: "Note deleted." }).waitFor();

    await page.locator(".tbl--customer-orders .row-link").first().click();
    await page.waitForURL("**/dashboard/order/*");
    await settled(page);
    await page.getByRole("textbox", { name: "New note" }).fill("Ship with the next pallet.");
    await page.getByRole("button", { name: "Add note" }).click();
    const deleteNote = page.getByRole("button", { name: "Delete the note: Ship with the next pallet." });
    await deleteNote.waitFor();
    await expectNoProblems(opened);
    await deleteNote.click();
    await deleteNote.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "View customer" }).click();

    await page.getByRole("button", { name: "Close account" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("Close the account of Ada Lovell?").waitFor();
    // the question stays when another admin is first and the page is loaded again
    const { users } = await admin.call("searchUsers", { query: { q: "Ada Lovell" } });
    await admin.call("closeUser", { params: { email: users[0]?.email ?? "" }, body: { closed: true } });
    await page.evaluate(() => {
      for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
    });
    await page.locator(".badge", { hasText: /^Closed$/ }).waitFor();
    await question.getByRole("button", { name: "Close account" }).click();
    await page.getByRole("button", { name: "Open account" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Open account" }).click();
    await page.getByRole("button", { name: "Close account" }).waitFor();
    await opened.close();
  });
});

test("notes that are being saved or deleted affect neither other notes nor another customer", async () => {
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/customers");
  for (const name of ["Bob Nakamura", "Ada Lovell"]) {
    await page.getByRole("link", { name: "Customers", exact: true }).last().click();
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  const note = page.getByRole("textbox", { name: "New note" });
  const deleteNote = (text: string) => page.getByRole("button", { name: `Delete the note: ${text}` });
  /** Delays the requests until the returned function is called. */
  const holdRequests = async (pattern: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(pattern, async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  };
  for (const text of ["First.", "Second."]) {
    await note.fill(text);
    await page.getByRole("button", { name: "Add note" }).click();
    await deleteNote(text).waitFor();
  }
  const release = await holdRequests("**/admin/notes/*");
  await deleteNote("First.").click();
  await deleteNote("Second.").click();
  release();
  await deleteNote("First.").waitFor({ state: "detached" });
  await deleteNote("Second.").waitFor({ state: "detached" });

  const releaseSave = await holdRequests("**/customers/*/notes");
  await note.fill("Third.");
  await page.getByRole("button", { name: "Add note" }).click();
  await note.fill("Fourth.");
  releaseSave();
  await deleteNote("Third.").waitFor();
  expect(await note.inputValue()).toBe("Fourth.");

  await page.evaluate(() => history.go(-2));
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Bob Nakamura" }).waitFor();
  expect(await note.inputValue()).toBe("");
  await opened.close();
});

test("a note whose response a proxy lost is added once", async () => {
  const opened = await openPage(store, { user: admin, width: 1440 });
  const { page } = opened;
  await page.goto("/dashboard/customers");
  await page.getByRole("link", { name: "Bob Nakamura", exact: true }).click();
  await page.getByRole("textbox", { name: "New note" }).fill("Calls on Mondays.");
  const stop = await loseResponses(page, "**/customers/*/notes");
  const add = page.getByRole("button", { name: "Add note" });
  await add.click();
  await page.locator("form.notes__new").getByRole("alert").waitFor();
  opened.expectProblem(/504/);
  stop();
  await add.click();
  await page.getByRole("button", { name: "Delete the note: Calls on Mondays." }).first().waitFor();
  await page.reload();
  await settled(page);
  expect(await page.getByRole("button", { name: "Delete the note: Calls on Mondays." }).count()).toBe(1);
  await opened.close();
});

test("a note that is being typed is kept when the order's notes cannot be loaded again", async () => {
  const opened = await openPage(store, { user: admin });
  const { page } = opened;
  await page.goto(`/dashboard/order/${orderId}`);
  const note = page.getByRole("textbox", { name: "New note" });
  await note.fill("Dock 2 closes at 3 PM.");
  await store.pool.query("ALTER TABLE shop.note RENAME TO unreadable");
  await page.evaluate(() => {
    for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
  });
  await page.getByText("The notes could not be loaded.").waitFor();
  await store.pool.query("ALTER TABLE shop.unreadable RENAME TO note");
  store.logs.expect(/unreadable|does not exist/);
  expect(await note.inputValue()).toBe("Dock 2 closes at 3 PM.");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("The notes could not be loaded.").waitFor({ state: "detached" });
  expect(await note.inputValue()).toBe("Dock 2 closes at 3 PM.");
  await expectNoProblems(opened);
  await opened.close();
});
