/** The header of visitors and users, and the target of Dashboard. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  buyer = await register(store, "Mina Menu");
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const mainMenu = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).first().getByRole("link").allInnerTexts();

describe("the header", () => {
  test("of a visitor has Dashboard, which leads to the login and back", async () => {
    const visitor = await openPage(store);
    const { page } = visitor;
    await page.goto("/blog");
    await settled(page);
    expect(await mainMenu(page)).toEqual(["Tools", "Blog", "My Portfolio", "Dashboard"]);
    await expect.poll(() => page.getByRole("link", { name: "Login" }).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Sign Out" }).count()).toBe(0);
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(new URL(page.url()).searchParams.get("from")).toBe("/dashboard");
    await page.getByLabel("Email").fill(buyer.email);
    await page.getByLabel("Password").fill(buyer.password);
    await page.getByRole("button", { name: "Login" }).click();
    await page.waitForURL("**/dashboard/**");
    await settled(page);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("of a user has Dashboard, their name and Sign Out, and no Login", async () => {
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto("/blog");
    await settled(page);
    expect(await mainMenu(page)).toEqual(["Tools", "Blog", "My Portfolio", "Dashboard"]);
    await page.getByRole("banner").getByText("Mina Menu").first().waitFor();
    expect(await page.getByRole("button", { name: "Sign Out" }).count()).toBe(1);
    expect(await page.getByRole("link", { name: "Login" }).count()).toBe(0);
    await visitor.close();
  });

  test("of a visitor's phone has Dashboard in its menu too", async () => {
    const visitor = await openPage(store, { width: 390, height: 844 });
    const { page } = visitor;
    await page.goto("/blog");
    await settled(page);
    await page.getByRole("banner").locator("summary").click();
    const menu = page.getByRole("navigation", { name: "Main" });
    expect(await menu.getByRole("link").allInnerTexts()).toEqual([
      "Tools",
      "Blog",
      "My Portfolio",
      "Dashboard",
      "Login",
    ]);
    await visitor.close();
  });
});

test("a product says until when its pieces would be reserved", async () => {
  const product = await addProduct(await adminOf(store), { name: "Kept drill" });
  const { keptUntil = "" } = await placeFor(buyer, product);
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(keptUntil),
  );
  const { page, close } = await openPage(store, { user: buyer });
  await page.goto(`/product/${product._id}`);
  await page.getByText(`Reserved until ${day} if ordered now.`).waitFor();
  await close();
});
