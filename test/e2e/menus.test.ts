/** Menus by role, the header of visitors and users, and the target of Dashboard. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer, placeFor } from "../harness/trade.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Mina Menu");
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const sideMenu = async (page: Page) =>
  (await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link").allInnerTexts()).map(
    (text) => text.split("\n")[0],
  );

const mainMenu = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).first().getByRole("link").allInnerTexts();

describe("the dashboard's menu", () => {
  test("of a buyer has My Profile, My Orders, Lists and Add a Review, and no admin page", async () => {
    const visitor = await openPage(store, { person: buyer });
    await visitor.page.goto("/dashboard/profile");
    await settled(visitor.page);
    expect(await sideMenu(visitor.page)).toEqual(["My Profile", "My Orders", "Lists", "Add a Review"]);
    await visitor.close();
  });

  test("of an admin begins with the four admin pages and My Profile, and has no buyer's page", async () => {
    const visitor = await openPage(store, { person: admin });
    await visitor.page.goto("/dashboard/profile");
    await settled(visitor.page);
    const menu = await sideMenu(visitor.page);
    const specified = ["Manage All Orders", "Add A Tool", "Manage Products", "Make Admin", "My Profile"];
    expect(menu.slice(0, 5)).toEqual(specified);
    expect(menu).not.toEqual(expect.arrayContaining(["My Orders"]));
    expect(menu).not.toEqual(expect.arrayContaining(["Add a Review"]));
    await visitor.close();
  });
});

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
    const visitor = await openPage(store, { person: buyer });
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

describe("when an unpaid order expires", () => {
  test("is shown in the list, on the order's page, its payment, the admin's list, and under Purchase", async () => {
    const product = await offer(await adminOf(store), { name: "Kept drill" });
    const { _id, keptUntil = "" } = await placeFor(buyer, product);
    const day = new Intl.DateTimeFormat("en-US", {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    }).format(new Date(keptUntil));
    const kept = new RegExp(`Reserved until ?${day}`);
    const visitor = await openPage(store, { person: buyer });
    const { page } = visitor;
    for (const path of ["/dashboard/orders", `/dashboard/order/${_id}`, `/dashboard/payment/${_id}`]) {
      await page.goto(path);
      await settled(page);
      expect(await page.locator("main").textContent(), path).toMatch(kept);
      await expectNoProblems(visitor);
    }
    await page.goto(`/product/${product._id}`);
    await page.getByText(`Reserved until ${day} if ordered now.`).waitFor();
    await visitor.close();
    const desk = await openPage(store, { person: admin });
    for (const path of ["/dashboard/manageOrder", `/dashboard/order/${_id}`]) {
      await desk.page.goto(path);
      await settled(desk.page);
      expect(await desk.page.locator("main").textContent(), path).toMatch(kept);
    }
    await desk.close();
  });
});
