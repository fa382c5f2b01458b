/** An admin refunds and reads audit log and reconciliation, in a real browser. */

import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paymentRefusals } from "../../shop/texts/payment-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import {
  addProduct,
  dropWebhooks,
  editProduct,
  failedRefund,
  payFor,
  placeFor,
  redeliverWebhooks,
} from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

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

/** An admin on the page of an order, with its refund dialog open. */
async function openRefund({ _id }: { _id: string }) {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/order/${_id}`);
  await page.getByRole("button", { name: "Refund" }).click();
  return { visitor, page, dialog: page.getByRole("dialog") };
}

test("a refund: refused above the limit, made once, shown on the order's page and in the audit log", async () => {
  const buyer = await register(store, "Rosa Refund");
  const purchase = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, purchase);
  const { visitor, page, dialog } = await openRefund(purchase);
  await dialog.getByLabel("Amount in dollars").fill("125.01");
  expect(await dialog.getByLabel("Amount in dollars").getAttribute("autocomplete")).toBe("off");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText("Enter a reason for the refund.").waitFor();
  await dialog.getByText("At most $125.00 of this order can be refunded.").waitFor();
  await expect.poll(() => page.locator(":focus").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Reason").fill("Two cartons arrived damaged.");
  await dialog.getByLabel("Amount in dollars").fill("25.50");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await page.getByText("$25.50 refunded to the card").waitFor();
  await page.getByText("Refunded, $25.50").waitFor();
  await page.getByText("Two cartons arrived damaged.").waitFor();
  await expectNoProblems(visitor);
  await page.goto("/dashboard/audit-log");
  await page.getByRole("row", { name: /Refund completed/ }).waitFor();
  await expectNoProblems(visitor);
  await page.getByRole("searchbox", { name: "Search the audit log" }).fill("damaged");
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await visitor.close();
  expect((await buyer.call("findOrder", { params: { id: purchase._id } })).refunded).toBe(25.5);
});

test("the audit log shows both values of a long text around their difference, and technical data as text", async () => {
  const beginning = "A saw for long boards, with a fence that stays where it is put, ".repeat(4);
  const tool = await addProduct(admin, {
    name: "Saw with a history",
    description: `${beginning}and a bag of cloth.`,
    technicalData: [{ name: "Width", value: "82 mm" }],
    dimensions: { width: 82, height: 240 },
  });
  await editProduct(admin, tool, {
    description: `${beginning}and a bag of paper.`,
    technicalData: [
      { name: "Width", value: "83 mm" },
      { name: "Weight", value: "2.1 kg" },
    ],
  });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/audit-log?q=history");
  const edited = page.getByRole("row", { name: /Tool edited/ });
  await edited.getByText(/description: ….*and a bag of cloth\., then ….*and a bag of paper\.$/).waitFor();
  await edited
    .getByText("technical data: Width: 82 mm, then Width: 83 mm; Weight: 2.1 kg", { exact: true })
    .waitFor();
  const added = page.getByRole("row", { name: /Tool added/ });
  await added.getByText(/^Show the other \d+ values$/).click();
  await added.getByText("technical data: Width: 82 mm", { exact: true }).waitFor();
  await added.getByText("dimensions: width: 82; height: 240", { exact: true }).waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});

test("the audit log cuts long texts between characters", async () => {
  const rest = `${"x".repeat(78)}😀 and more than fits.`;
  const tool = await addProduct(admin, { name: "Saw with an emoji", description: `A${rest}` });
  await editProduct(admin, tool, { description: `B${rest}` });
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/audit-log?q=emoji");
  await settled(page);
  const edited = page.getByRole("row", { name: /Tool edited/ });
  expect(await edited.textContent()).toContain(`A${"x".repeat(78)}…, then B${"x".repeat(78)}…`);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("a refund that the payment provider refuses shows why, in the dialog and then on the order's page", async () => {
  const buyer = await register(store, "Rolf Refused");
  const purchase = await placeFor(buyer, await addProduct(admin));
  const intentId = await payFor(store, buyer, purchase);
  await dropWebhooks(store);
  await store.payments.refund({ intentId, reason: "At the provider's desk", idempotencyKey: purchase._id });
  const { visitor, page, dialog } = await openRefund(purchase);
  await dialog.getByLabel("Reason").fill("The buyer asked for it.");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText(paymentRefusals.refundRefused(paymentRefusals.refundOfNothing)).waitFor();
  visitor.expectProblem(/409/);
  await expectNoProblems(visitor);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const refused = page
    .getByRole("listitem")
    .filter({ hasText: "Refund refused by the payment provider, $125.00" });
  await refused.getByText(paymentRefusals.refundOfNothing).waitFor();
  await visitor.close();
  await redeliverWebhooks(store);
});

test("a refund after another admin's is refused, and the order's page then shows theirs", async () => {
  const buyer = await register(store, "Ruth Refund");
  const purchase = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, purchase);
  const { visitor, page, dialog } = await openRefund(purchase);
  const body = { amount: 100, reason: "Late." };
  await admin.call("refundPurchase", { params: { id: purchase._id }, body });
  await dialog.getByLabel("Reason").fill("Late.");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText("At most $25.00 of this order can be refunded.").waitFor();
  await dialog.getByLabel("Reason").fill("Too late.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Refunded, $100.00").waitFor();
  visitor.expectProblem(/422/);
  await visitor.close();
});

test("a failed refund is retried from the reconciliation, and then recorded as a manual refund", async () => {
  const buyer = await register(store, "Rita Returned");
  const { purchase } = await failedRefund(store, admin, buyer, "The carton was wet.");
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto(`/dashboard/order/${purchase._id}`);
  await page.getByRole("link", { name: "Resolve" }).click();
  await page.getByText("1 discrepancy. Last checked").waitFor();
  await page.getByText("The card has expired or was cancelled. Retry it").waitFor();
  // failed checks come before passed ones
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
    "Discrepancies",
    "Passed",
  ]);
  const first = page.getByRole("listitem").filter({ hasText: /^(Failed|Passed): / });
  expect(await first.first().textContent()).toContain("Failed: No failed refund is left unresolved.");
  await expectNoProblems(visitor);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("The amount was refunded to the card").waitFor();
  await page.getByText("All checks passed. Last checked").waitFor();
  // its button is gone
  await page.locator("h1:focus").waitFor();
  // the bank of this card rejects it each time
  await failRefunds(store.pool, 0);
  await expect.poll(() => stateOfRefund(purchase._id), { timeout: 10_000 }).toBe("failed");
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("button", { name: "Mark as refunded manually" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(refusals.howRequired).waitFor();
  await expect.poll(() => page.locator(":focus").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("How").fill("Bank transfer of November 20.");
  await expectNoProblems(visitor);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("All checks passed. Last checked").waitFor();
  await page.locator("h1:focus").waitFor();
  await page.goto(`/dashboard/order/${purchase._id}`);
  const settled = page.getByRole("listitem").filter({ hasText: "Refunded manually, $125.00" });
  await settled.getByText("Bank transfer of November 20.").waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});

test("a manual refund that another admin recorded first is refused, and the reconciliation runs again", async () => {
  const buyer = await register(store, "Mia Manual");
  const { refundId } = await failedRefund(store, admin, buyer, "The carton was wet.");
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/reconciliation");
  await page.getByRole("button", { name: "Mark as refunded manually" }).click();
  const params = { id: refundId };
  await admin.call("recordManualRefund", { params, body: { how: "Cash." } });
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How").fill("Bank transfer.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(paymentRefusals.refundNotFailed).waitFor();
  visitor.expectProblem(/409/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("All checks passed. Last checked").waitFor();
  await visitor.close();
});

async function stateOfRefund(purchaseId: string): Promise<string> {
  const { rows } = await store.pool.query("SELECT status FROM shop.refund WHERE purchase_id = $1", [
    purchaseId,
  ]);
  return rows[0].status;
}

test("a request whose response is lost is repeated, and refunds once", async () => {
  const buyer = await register(store, "Luis Lost");
  const purchase = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, purchase);
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const keys: (string | undefined)[] = [];
  await page.route("**/refund", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    const response = await route.fetch();
    await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
  });
  await page.goto(`/dashboard/order/${purchase._id}`);
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in dollars").fill("12.50");
  await dialog.getByLabel("Reason").fill("One came twice.");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await page.getByText("$12.50 refunded to the card").waitFor();
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  expect((await buyer.call("findOrder", { params: { id: purchase._id } })).refunded).toBe(12.5);
  visitor.expectProblem(/refund|ERR_FAILED/i);
  await visitor.close();
});

test("the reconciliation: every check, and a discrepancy", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  await page.goto("/dashboard/reconciliation");
  await settled(page);
  await page.getByText(/^All checks passed\. Last checked .*[AP]M\.$/).waitFor();
  await expectNoProblems(visitor);
  const product = await addProduct(admin, { name: "Miscounted drill" });
  await store.pool.query("UPDATE shop.product SET quantity = quantity + 1 WHERE id = $1", [product._id]);
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByText("The stock of Miscounted drill").waitFor();
  await expectNoProblems(visitor);
  // the last report is shown at once, while the next one is made
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(/\/books\?.*since=/, (route) => held.then(() => route.continue()));
  await page.reload();
  await page.getByText(/^1 discrepancy\. Last checked .*, running again…$/).waitFor();
  await page.getByText("The stock of Miscounted drill").waitFor();
  await expectNoProblems(visitor);
  letGo();
  await page.getByText(/^1 discrepancy\. Last checked .*[AP]M\.$/).waitFor();
  // of many discrepancies of one check, most are shown on demand
  const others = await Promise.all(Array.from({ length: 12 }, () => addProduct(admin)));
  const ids = others.map(({ _id }) => _id);
  await store.pool.query("UPDATE shop.product SET quantity = quantity + 1 WHERE id = ANY ($1)", [ids]);
  await page.getByRole("button", { name: "Run again" }).click();
  const stocks = page.getByText(/^The stock of .* its ledger says/);
  await page.getByText(/^13 discrepancies\. Last checked .*[AP]M\.$/).waitFor();
  await expect.poll(() => stocks.filter({ visible: true }).count()).toBe(10);
  await page.getByText("3 more").click();
  await expect.poll(() => stocks.filter({ visible: true }).count()).toBe(13);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("a reconciliation that fails later is reported, and not repeated until requested", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const requests: URL[] = [];
  let works = false;
  await page.route(
    ({ pathname }) => pathname === "/books",
    async (route) => {
      requests.push(new URL(route.request().url()));
      if (works) return route.continue();
      const failed = { type: "about:blank", title: "Failed", status: 500, detail: refusals.serverFailed };
      return route.fulfill({ status: 500, json: failed });
    },
  );
  await page.goto("/dashboard/reconciliation");
  await page.getByText(refusals.serverFailed).waitFor();
  visitor.expectProblem(/500/);
  await page.waitForTimeout(2500);
  expect(requests).toHaveLength(1);
  works = true;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(/ discrepanc(y|ies)\. Last checked/).waitFor();
  await expectNoProblems(visitor);
  await visitor.close();
});
