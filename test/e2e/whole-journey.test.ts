/** A complete purchase, from visitor to shipped, in a real browser; axe checks every screen on the way. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, type OpenPage, openPage } from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
let buyer: OpenPage;
let page: Page;
let admin: OpenPage;
beforeAll(async () => {
  store = await openStore({ sample: true });
  buyer = await openPage(store);
  page = buyer.page;
  admin = await openPage(store);
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

const email = "ingrid@buyers.example";
const password = "six or more";
let tool: { name: string; path: string; minimum: number; price: number };
let transactionId: string;

const see = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor();
const press = (name: string | RegExp, on = page) => on.getByRole("button", { name }).click();
const follow = (name: string | RegExp, on = page) => on.getByRole("link", { name }).first().click();
const pathOf = (on = page) => new URL(on.url()).pathname;

test("a visitor sees the first six tools on the home page", async () => {
  await page.goto("/");
  const buyNow = page.getByRole("link", { name: /^Buy Now/ });
  expect(await buyNow.count()).toBe(6);
  const [first] = await (await fetch(`${store.url}/products?limit=1`)).json();
  tool = {
    name: first.name,
    path: `/product/${first._id}`,
    minimum: first.minimum_order,
    price: first.price,
  };
  await see(tool.name);
  await see(`$${tool.price.toFixed(2)}`);
  await see("Available in Stock");
  await see("Minimum Order");
  await expectNoProblems(buyer);
});

test("Buy Now redirects a visitor to the login", async () => {
  await page.getByRole("link", { name: `Buy Now, ${tool.name}` }).click();
  await page.waitForURL(/\/login\?from=/);
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await page.getByRole("button", { name: "Forgot Password" }).waitFor();
  await page.getByRole("button", { name: "Continue With Google" }).waitFor();
  await expectNoProblems(buyer);
});

test("the login form shows what is missing, in the specified words", async () => {
  await press("Login");
  await see("Email is required");
  await see("Password is required");
  await page.getByLabel("Email").fill("ingrid");
  await press("Login");
  await see("Provide a valid email");
  await page.getByLabel("Email").fill("");
  await press("Forgot Password");
  await see("Please Provide Email First");
  await expectNoProblems(buyer);
});

test("a wrong password is refused in red, and the input stays", async () => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("not the one");
  await press("Login");
  await page.getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  buyer.expectProblem(/401/);
});

test("the register form shows what is missing, in the specified words", async () => {
  await follow("Create an account");
  await page.waitForURL(/\/register\?from=/);
  await press("Register");
  await see("Name is Required");
  await see("Email is required");
  await see("Password is required");
  await page.getByLabel("Password").fill("12345");
  await press("Register");
  await see("Password should be at least 6 charecter");
  await expectNoProblems(buyer);
});

test("after registering the visitor is back at the product", async () => {
  await page.getByLabel("Name").fill("Ingrid Halloran");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press("Register");
  await page.waitForURL(`**${tool.path}`);
  await page.getByRole("heading", { name: tool.name }).waitFor();
  await expectNoProblems(buyer);
});

test("the purchase form knows the buyer and keeps the quantity between minimum and stock", async () => {
  const form = page.getByRole("form", { name: "Purchase order" });
  for (const [label, value] of [
    ["Name", "Ingrid Halloran"],
    ["Email", email],
  ] as const) {
    expect(await form.getByLabel(label).inputValue()).toBe(value);
    expect(await form.getByLabel(label).isDisabled()).toBe(true);
  }
  const quantity = form
    .getByRole("textbox", { name: "Quantity" })
    .or(form.getByRole("spinbutton", { name: "Quantity" }));
  const purchase = form.getByRole("button", { name: "Purchase" });
  expect(await quantity.inputValue()).toBe(String(tool.minimum));
  await quantity.fill(String(tool.minimum - 1));
  await see(`You have to purchase at least ${tool.minimum} products`);
  expect(await purchase.isDisabled()).toBe(true);
  await quantity.fill("999999");
  await see(/^Purchase qauntity is maximum \d+$/);
  expect(await purchase.isDisabled()).toBe(true);
  await quantity.fill(String(tool.minimum + 1));
  await expect.poll(() => purchase.isDisabled()).toBe(false);
  const total = (tool.price * (tool.minimum + 1)).toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
  });
  await see(total);
  await purchase.click();
  await see("Address is required");
  await expectNoProblems(buyer);
});

test("the purchase is placed, confirmed, and listed under My Orders", async () => {
  await page.getByLabel("Address").fill("Unit 6, Canal Yard, Port Harrow");
  await page.getByLabel("Phone").fill("555 0100");
  await press("Purchase");
  await see("Purchased Successfully");
  await page.waitForURL("**/dashboard/orders");
  await page.getByRole("link", { name: /^Pay\b/ }).waitFor();
  await page.getByRole("button", { name: /^Cancel Order\b/ }).waitFor();
  await expectNoProblems(buyer);
});

test("a declined card is reported in red, and the order is still unpaid", async () => {
  await follow(/^Pay\b/);
  await page.waitForURL("**/dashboard/payment/*");
  await typeCard("4000 0000 0000 0002");
  await press(/^Pay \$/);
  await see("Your card was declined.");
  buyer.expectProblem(/402/);
  await expectNoProblems(buyer);
});

test("a valid card pays, and the transaction id is shown", async () => {
  await typeCard("4242 4242 4242 4242");
  await press(/^Pay \$/);
  await see("Congratulation your payment is done successdully");
  const shown = page.getByText(/^pi_\w+$/).first();
  await shown.waitFor();
  transactionId = (await shown.textContent()) ?? "";
  await expectNoProblems(buyer);
});

test("My Orders shows it as Paid with the transaction id", async () => {
  await follow("Back to My Orders");
  await page.waitForURL("**/dashboard/orders");
  await page.getByText("Paid", { exact: true }).first().waitFor();
  await see(transactionId);
  expect(await page.getByRole("button", { name: /^Cancel Order/ }).count()).toBe(0);
  await expectNoProblems(buyer);
});

test("the admin sees it as Pending under Manage All Orders", async () => {
  await admin.page.goto("/login");
  await admin.page.getByLabel("Email").fill(store.admin.email);
  await admin.page.getByLabel("Password").fill(store.admin.password);
  await press("Login", admin.page);
  await admin.page.waitForURL((url) => url.pathname === "/");
  await admin.page.getByRole("link", { name: "Dashboard" }).first().click();
  await admin.page.getByRole("link", { name: /Manage All Orders/ }).click();
  await admin.page.waitForURL("**/dashboard/manageOrder");
  await admin.page.getByRole("button", { name: /^Pending/ }).waitFor();
  await see("Ingrid Halloran", admin.page);
  await expectNoProblems(admin);
});

test("the admin ships it with one click, and sees Shipped", async () => {
  await press(/^Pending/, admin.page);
  await see("Product shipping successfully", admin.page);
  await admin.page.getByText("Shipped", { exact: true }).last().waitFor();
  expect(await admin.page.getByRole("button", { name: /^Pending/ }).count()).toBe(0);
  await expectNoProblems(admin);
});

test("the buyer sees Shipping with the transaction id", async () => {
  await page.reload();
  await page.locator(".track", { hasText: "Shipping" }).waitFor();
  await see(transactionId);
  await expectNoProblems(buyer);
});

test("Sign Out removes the token, and the dashboard redirects to the login", async () => {
  // the next document would abort the request
  const signedOut = page.waitForResponse(/\/api\/auth\/sign-out/);
  await press("Sign Out");
  await signedOut;
  await expect.poll(() => page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  await page.goto("/dashboard/orders");
  await page.waitForURL(/\/login\?from=/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press("Login");
  await expect.poll(() => pathOf()).toBe("/dashboard/orders");
  await see(transactionId);
});

async function typeCard(number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel(/^Expiry date/).fill("12 / 34");
  await page.getByLabel(/^Security code/).fill("123");
}
