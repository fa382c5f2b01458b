/** Unusual behaviour on the payment page: two tabs, a closed tab, Back, no connection. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../api/entities.ts";
import { closePages, expectNoProblems, intercept, openPage, typefaceApplied } from "../harness/browser.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct, cards, disablePolling, dropWebhooks, placeFor } from "../harness/orders.ts";
import { countShifts, shiftsOf } from "../harness/shifts.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada");
});
afterAll(async () => {
  await closePages();
  await expectConsistentStore(store.pool);
  await store.stop();
});

const place = async () => placeFor(ada, await addProduct(admin));
const pathOf = ({ _id }: Purchase) => `/dashboard/payment/${_id}`;
const payButton = (page: Page) => page.getByRole("button", { name: "Pay $125.00" });
const orderOf = ({ _id }: Purchase) => ada.call("findOrder", { params: { id: _id } });

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date, month and year").fill("1239");
  await page.getByLabel(/^Security code/).fill("123");
}

/** How often the order was charged, in any payment. */
async function charges({ _id }: Purchase): Promise<number | null> {
  const { rowCount } = await store.pool.query(
    `SELECT FROM sandbox.charge c JOIN shop.payment y ON y.id = c.payment_intent_id
     WHERE y.purchase_id = $1 AND c.status = 'succeeded'`,
    [_id],
  );
  return rowCount;
}

test("paying in two tabs at once charges one card, and both tabs show that it is paid", async () => {
  const purchase = await place();
  const first = await openPage(store, { user: ada });
  const second = { page: await first.page.context().newPage() };
  for (const { page } of [first, second]) {
    await page.goto(pathOf(purchase));
    await fillCard(page, cards.good);
  }
  await Promise.all([payButton(first.page).click(), payButton(second.page).click()]);
  for (const { page } of [first, second]) {
    await page.getByText(/Your payment is complete\.|This order is paid\./).waitFor();
  }
  expect(await charges(purchase)).toBe(1);
  await first.close();
});

test("a buyer whose email has changed still pays and cancels earlier orders", async () => {
  const bob = await register(store, "Bob");
  const product = await addProduct(admin);
  const [first, second] = [await placeFor(bob, product), await placeFor(bob, product)];
  for (const table of ["identity", "shop"])
    await store.pool.query(`UPDATE ${table}."user" SET email = $2 WHERE email = $1`, [
      bob.email,
      `new.${bob.email}`,
    ]);
  const { page, close } = await openPage(store, { user: bob });
  await page.goto(pathOf(first));
  await fillCard(page, cards.good);
  await payButton(page).click();
  await page.getByText("Your payment is complete.").waitFor();
  await page.goto(`/dashboard/order/${second._id}`);
  await page.getByRole("button", { name: /^Cancel Order/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).click();
  await page.waitForURL("**/dashboard/orders");
  await close();
});

test("an admin whose email has changed still pays own earlier orders, and those only", async () => {
  const boss: SignedIn = { ...(await register(store, "Boss")), role: "admin" };
  await admin.call("makeAdmin", { params: { email: boss.email }, body: { confirmUnconfirmed: true } });
  const [own, other] = [await placeFor(boss, await addProduct(admin)), await place()];
  for (const table of ["identity", "shop"])
    await store.pool.query(`UPDATE ${table}."user" SET email = $2 WHERE email = $1`, [
      boss.email,
      `new.${boss.email}`,
    ]);
  const { page, close } = await openPage(store, { user: boss });
  await page.goto(`/dashboard/order/${own._id}`);
  await page.getByRole("link", { name: /^Pay/ }).first().click();
  await fillCard(page, cards.good);
  await payButton(page).click();
  await page.getByText("Your payment is complete.").waitFor();
  await page.goto(pathOf(other));
  await page.getByText("Only the buyer can pay this order.").waitFor();
  await close();
});

test("a tab closed during 3-D Secure has charged nothing; the order is paid in another", async () => {
  const purchase = await place();
  const left = await openPage(store, { user: ada });
  await left.page.goto(pathOf(purchase));
  await fillCard(left.page, cards.challenge);
  await payButton(left.page).click();
  await left.page.getByText("Your bank requires you to confirm this payment").waitFor();
  await left.close();
  expect(await charges(purchase)).toBe(0);
  const back = await openPage(store, { user: ada });
  await back.page.goto(pathOf(purchase));
  await fillCard(back.page, cards.challenge);
  await payButton(back.page).click();
  await back.page.getByRole("button", { name: "Complete" }).click();
  await back.page.getByText("Your payment is complete.").waitFor();
  expect(await charges(purchase)).toBe(1);
  await expectNoProblems(back);
  await back.close();
});

test("going back after paying shows that it is paid, and no card form", async () => {
  const purchase = await place();
  const visitor = await openPage(store, { user: ada });
  const { page } = visitor;
  await page.goto(pathOf(purchase));
  await fillCard(page, cards.good);
  await payButton(page).click();
  await page.getByText("Your payment is complete.").waitFor();
  await page.getByRole("link", { name: "Back to My Orders" }).click();
  await page.waitForURL("**/dashboard/orders");
  await page.goBack();
  await page.getByText("This order is paid.").waitFor();
  expect(await payButton(page).count()).toBe(0);
  await expectNoProblems(visitor);

  await admin.call("refundPurchase", { params: { id: purchase._id }, body: { reason: "Out of stock" } });
  await page.reload();
  await page.getByText("This order was refunded.").waitFor();
  await page.getByText("Nothing will be shipped.").waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});

describe("on a phone", () => {
  test("the card form begins on the first screen", async () => {
    const visitor = await openPage(store, { user: ada, width: 390, height: 844 });
    await visitor.page.goto(pathOf(await place()));
    const field = await visitor.page.getByLabel("Card number").boundingBox();
    expect(field?.y).toBeLessThan(844 - 100);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test.each([
    ["paid", cards.good, "Your payment is complete."],
    ["at the bank", cards.processing, "Your payment is being processed."],
  ])("the outcome of the payment comes first: %s", async (_, card, words) => {
    const visitor = await openPage(store, { user: ada, width: 390, height: 844 });
    const { page } = visitor;
    await countShifts(visitor);
    await page.goto(pathOf(await place()));
    await fillCard(page, card);
    // shifts caused by the typeface do not count
    await typefaceApplied(page);
    await page.evaluate(() => window.shifts?.splice(0));
    // the bank takes longer than the time in which a shift counts as caused by input
    await page.route("**/confirm", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue();
    });
    await payButton(page).click();
    await page.getByText(words).waitFor();
    expect(await page.getByText("Reserved until").count()).toBe(0);
    expect(await page.locator(":focus").textContent()).toBe("Payment");
    const outcome = page.locator("section", { hasText: words });
    const order = page.locator("section", { has: page.getByRole("heading", { name: "Order" }) });
    const places = async () => [(await outcome.boundingBox())?.y ?? 0, (await order.boundingBox())?.y ?? 0];
    const [first = 0, second = 0] = await places();
    // below the header and the menu, completely, and the order after it
    expect(first).toBeGreaterThan(100);
    expect(first + ((await outcome.boundingBox())?.height ?? 0)).toBeLessThan(844);
    expect(second).toBeGreaterThan(first);
    expect(await shiftsOf(visitor)).toEqual([]);
    // the store responds that it is not paid yet
    if (card === cards.processing) visitor.expectProblem(/409/);
    await expectNoProblems(visitor);
    // and on a desktop the order stays at its left
    await page.setViewportSize({ width: 1280, height: 900 });
    expect((await order.boundingBox())?.x).toBeLessThan((await outcome.boundingBox())?.x ?? 0);
    await visitor.close();
  });

  test("a refused card is reported next to the button, and the form stays", async () => {
    const visitor = await openPage(store, { user: ada, width: 390, height: 844 });
    const { page } = visitor;
    await page.goto(pathOf(await place()));
    await fillCard(page, cards.insufficientFunds);
    await payButton(page).click();
    const message = page.getByText("Your card has insufficient funds.");
    await message.waitFor();
    const box = await message.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
    visitor.expectProblem(/402/);
    await visitor.close();
  });
});

test("an order cancelled meanwhile: nothing to pay, and the heading has the focus", async () => {
  const purchase = await place();
  const { page, close } = await openPage(store, { user: ada });
  await page.goto(pathOf(purchase));
  await fillCard(page, cards.good);
  await ada.call("cancelPurchase", { params: { id: purchase._id } });
  await payButton(page).press("Enter");
  await page.getByText("Nothing to pay here").waitFor();
  const heading = page.getByRole("heading", { name: "Payment", exact: true });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  await close();
});

test("a card refused after Enter leaves the focus in the form", async () => {
  const visitor = await openPage(store, { user: ada });
  const { page } = visitor;
  await page.goto(pathOf(await place()));
  await fillCard(page, cards.insufficientFunds);
  const code = page.getByLabel(/^Security code/);
  await code.press("Enter");
  await page.getByText("Your card has insufficient funds.").waitFor();
  expect(await code.evaluate((cell) => cell === document.activeElement)).toBe(true);
  visitor.expectProblem(/402/);
  await visitor.close();
});

test("a connection lost during the charge: do not pay again, it is recorded when it is back", async () => {
  const purchase = await place();
  await dropWebhooks(store);
  await disablePolling(store);
  const visitor = await openPage(store, { user: ada });
  const { page } = visitor;
  await page.goto(pathOf(purchase));
  await fillCard(page, cards.good);
  // the card is charged, then the store cannot be reached
  const isCharged = page.waitForResponse((response) => response.url().endsWith("/confirm"));
  const restore = await intercept(page, "**/payment/**", async (route) => {
    if (route.request().method() === "PATCH") await route.abort();
    else await route.continue();
  });
  await payButton(page).click();
  await isCharged;
  await page.getByText("Your card was charged.").waitFor();
  await page.getByText("Do not pay again").waitFor();
  expect((await orderOf(purchase)).status).toBe("unpaid");
  restore();
  await page.getByRole("button", { name: "Check status" }).click();
  await page.getByText("Your payment is complete.").waitFor();
  expect([await charges(purchase), (await orderOf(purchase)).status]).toEqual([1, "paid"]);
  await visitor.close();
});

test("a response without content leaves Pay ready to be pressed again", async () => {
  const purchase = await place();
  const visitor = await openPage(store, { user: ada });
  const { page } = visitor;
  await page.goto(pathOf(purchase));
  await fillCard(page, cards.good);
  const restore = await intercept(page, "**/sandbox/stripe/v1/payment_intents/**", (route) =>
    route.fulfill({ contentType: "application/json", body: "null" }),
  );
  await payButton(page).click();
  await page.locator("#card-error").waitFor();
  restore();
  await payButton(page).click();
  await page.getByText("Your payment is complete.").waitFor();
  expect(await charges(purchase)).toBe(1);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("returning to the page instead does not charge again: the succeeded payment is found", async () => {
  const purchase = await place();
  const visitor = await openPage(store, { user: ada });
  const { page } = visitor;
  await page.goto(pathOf(purchase));
  await fillCard(page, cards.good);
  await page.route("**/payment/**", async (route) => {
    if (route.request().method() === "PATCH") await route.abort();
    else await route.continue();
  });
  await payButton(page).click();
  await page.getByText("Your card was charged.").waitFor();
  await visitor.close();
  const again = await openPage(store, { user: ada });
  await again.page.goto(pathOf(purchase));
  await fillCard(again.page, cards.good);
  await payButton(again.page).click();
  await again.page.getByText(/Your payment is complete\.|This order is paid\./).waitFor();
  expect(await charges(purchase)).toBe(1);
  await again.close();
});
