/** Unsaved input: each form warns before its page is left, also when the tab is closed. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let tool: string;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Bo Buyer");
  tool = (await addProduct(admin))._id;
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test.each([
  ["buyer", "/dashboard/profile", "Location", "Changes you have not saved will be lost."],
  ["buyer", "/dashboard/review", "Review", "Your review will be lost."],
  ["buyer", "/product/TOOL", "Address", /lost/],
  ["admin", "/dashboard/addProduct", "Name", "The tool is not added yet. Your entries will be lost."],
  ["admin", "/dashboard/editProduct/TOOL", "Name", "Your changes will be lost."],
] as const)("%s, %s: warns before input in %s is lost", async (who, path, label, words) => {
  const opened = await openPage(store, { user: who === "admin" ? admin : buyer });
  const { page } = opened;
  await page.goto(path.replace("TOOL", tool));
  // before that a link navigates without a prompt
  await settled(page);
  await field(page, label).fill("Typed, not sent");

  await page.getByRole("link", { name: "Blog" }).first().click();
  const dialog = page.getByRole("alertdialog", { name: "Leave this page?" });
  await dialog.getByText(words).waitFor();
  await expectNoProblems(opened);
  await dialog.getByRole("button", { name: "Stay" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await field(page, label).inputValue()).toBe("Typed, not sent");

  const prompt = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await prompt;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  expect(await field(page, label).inputValue()).toBe("Typed, not sent");

  await page.getByRole("link", { name: "Blog" }).first().click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Blog", level: 1 }).waitFor();
  await opened.close();
});

test("without the dialog's script the browser's own prompt is used, and the input is kept", async () => {
  const opened = await openPage(store, { user: buyer });
  const { page } = opened;
  await page.route(/\/assets\/dialog/, (route) => route.abort());
  await page.goto("/dashboard/review");
  await field(page, "Review").fill("Typed, not sent");
  const prompt = page.waitForEvent("dialog");
  const pressed = page.getByRole("link", { name: "Blog" }).first().click();
  const question = await prompt;
  expect(question.message()).toBe("Leave this page? Your review will be lost.");
  await question.dismiss();
  await pressed;
  expect(await field(page, "Review").inputValue()).toBe("Typed, not sent");
  expect(new URL(page.url()).pathname).toBe("/dashboard/review");
  opened.expectProblem(/assets\/dialog/);
  await opened.close();
});

test("there is no prompt after saving", async () => {
  const opened = await openPage(store, { user: buyer });
  const { page } = opened;
  await page.goto("/dashboard/profile");
  await field(page, "Location").fill("Sheffield");
  await page.getByRole("button", { name: "Update Location" }).click();
  await page.getByText("Updated SuccessFully").first().waitFor();
  await page.getByRole("link", { name: "Blog" }).first().click();
  await page.getByRole("heading", { name: "Blog", level: 1 }).waitFor();
  await opened.close();
});

test.each(["/dashboard/review", "/dashboard/lists/LIST"])(
  "Sign Out on %s signs out after unsaved input was saved or given up",
  async (path) => {
    const user = await register(store);
    const lines = [{ productId: tool, quantity: 20 }];
    const list = await user.call("addSavedList", { body: { name: "Van restock", lines } });
    const opened = await openPage(store, { user });
    const { page } = opened;
    await page.goto(path.replace("LIST", list._id));
    await settled(page);
    if (path === "/dashboard/review") await field(page, "Review").fill("Typed, not sent");
    else
      await page
        .locator("[data-index]")
        .getByRole("textbox", { name: /^Quantity, / })
        .fill("40");
    await page.getByRole("button", { name: "Sign Out" }).click();
    if (path === "/dashboard/review") await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("link", { name: "Login" }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    const findSelf = () => user.send("findUser", { params: { email: user.email } });
    await expect.poll(async () => (await findSelf()).status).toBe(401);
    expect(await page.evaluate(() => window.history.state.usr)).toBeNull();
    await opened.close();
  },
);
