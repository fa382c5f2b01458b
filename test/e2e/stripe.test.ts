/**
 * The payment page with Stripe's keys, in a real browser: only that page loads Stripe.js, card or wallet are
 * validated before the payment is opened, and the bank's decision is shown. Stripe.js itself is not available here; a
 * stand-in controlled by the test calls the sandbox, so this tests how the page uses the library, whose types are the
 * official ones, and not the library.
 */

import { endProcessing } from "@stator/stripe-sandbox/end-processing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage } from "../harness/browser.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import {
  type Fixture,
  openFixture,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "../integration/payments/fixture.ts";

/** Has the interface of Stripe.js; the test chooses the card. */
const SCRIPT = `
window.calls = [];
window.Stripe = (key) => {
  const send = async (path, form) => {
    const at = "https://api.stripe.com/v1" + path + (form ? "" : "&key=" + key);
    const answer = await fetch(at, form && { method: "POST", body: new URLSearchParams({ key, ...form }) });
    const body = await answer.json();
    return answer.ok ? { paymentIntent: body } : { error: body.error };
  };
  const idOf = (secret) => secret.split("_secret_")[0];
  return {
    elements(options) {
      window.calls.push(["elements", options]);
      return {
        update: (changes) => window.calls.push(["update", changes]),
        async submit() {
          if (window.rejected === "submit") throw new Error("IntegrationError");
          window.calls.push(["submit"]);
          return window.incomplete ? { error: { message: window.incomplete } } : {};
        },
        create(kind, more) {
          window.calls.push(["create", kind, more]);
          return {
            on: (event, listener) => event === "ready" && setTimeout(listener),
            mount: (place) => { place.textContent = "The provider's field"; },
            destroy: () => undefined,
          };
        },
      };
    },
    retrievePaymentIntent: (secret) => send("/payment_intents/" + idOf(secret) + "?client_secret=" + secret),
    async confirmPayment({ clientSecret, redirect, confirmParams }) {
      if (window.rejected === "confirm") throw new Error("IntegrationError");
      window.calls.push(["confirm", redirect, confirmParams.payment_method_data]);
      return send("/payment_intents/" + idOf(clientSecret) + "/confirm", { client_secret: clientSecret, payment_method: window.card });
    },
  };
};`;

let fixture: Fixture;
let store: TestStore;
let ada: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  fixture = await openFixture();
  store = await openStore({
    environment: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: fixture.base,
    },
  });
  admin = await adminOf(store);
  ada = await register(store, "Ada");
});
afterAll(async () => {
  await closePages();
  await store.stop();
  await fixture.close();
});

/** Ada's page, with Stripe.js and API at their URLs; `loaded` are the requested scripts. */
async function openShop() {
  const visitor = await openPage(store, { user: ada });
  const loaded: string[] = [];
  await visitor.page.context().route("https://js.stripe.com/**", (route) => {
    loaded.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: SCRIPT });
  });
  await visitor.page.context().route("https://api.stripe.com/**", async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const body = request.postData();
    const response = await fetch(fixture.base + pathname + search, {
      method: request.method(),
      ...(body !== null && { body: new URLSearchParams(body) }),
    });
    return route.fulfill({
      status: response.status,
      contentType: "application/json",
      headers: { "access-control-allow-origin": "*" },
      body: await response.text(),
    });
  });
  return { visitor, page: visitor.page, loaded };
}

const place = async () => placeFor(ada, await addProduct(admin));

test("Stripe's field accepts a card or a wallet, is filled before the payment is opened, and the order is paid", async () => {
  const purchase = await place();
  const { visitor, page, loaded } = await openShop();
  await page.goto("/dashboard/orders");
  await page.getByRole("link", { name: /^Pay/ }).first().waitFor();
  expect(loaded).toEqual([]);
  // coming from another page loads a new document, whose policy allows Stripe
  await page.locator(`a[href="/dashboard/payment/${purchase._id}"]`).first().click();
  await page.getByText("The provider's field").waitFor();
  const loadedAs = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.name);
  expect(loadedAs, "the URL that the document was loaded at").toBe(page.url());
  expect(loaded).toEqual(["https://js.stripe.com/endive/stripe.js"]);
  const pay = page.getByRole("button", { name: "Pay $125.00" });
  await page.evaluate(() => Object.assign(window, { incomplete: "Your card number is incomplete." }));
  await pay.click();
  await page.getByText("Your card number is incomplete.").waitFor();
  const opened = () => store.pool.query("SELECT FROM shop.payment WHERE purchase_id = $1", [purchase._id]);
  expect((await opened()).rowCount).toBe(0);
  await page.evaluate(() => Object.assign(window, { incomplete: "", card: "pm_card_visa_chargeDeclined" }));
  await pay.click();
  await page.getByText("Your card was declined.").waitFor();
  await page.evaluate(() => Object.assign(window, { card: "pm_card_visa" }));
  await pay.click();
  await page.getByText("Your payment is complete.").waitFor();
  expect((await opened()).rowCount).toBe(1);
  const calls = await page.evaluate(() => (window as unknown as { calls: unknown[][] }).calls);
  expect(calls.filter(([what]) => what !== "update")).toMatchObject([
    ["elements", { mode: "payment", amount: 12_500, currency: "usd", allowedPaymentMethodTypes: ["card"] }],
    ["create", "payment", {}],
    ["submit"],
    ["submit"],
    ["confirm", "if_required", { billing_details: { name: ada.name, email: ada.email } }],
    ["submit"],
    ["confirm", "if_required", {}],
  ]);
  visitor.expectProblem(/402/);
  await expectNoProblems(visitor);
  await visitor.close();
});

test.each(["submit", "confirm"])(
  "a rejected %s of Stripe.js is reported, and Pay can be pressed again",
  async (rejected) => {
    const purchase = await place();
    const { visitor, page } = await openShop();
    await page.goto(`/dashboard/payment/${purchase._id}`);
    await page.getByText("The provider's field").waitFor();
    await page.evaluate(
      (which) => Object.assign(window, { card: "pm_card_visa", rejected: which }),
      rejected,
    );
    const pay = page.getByRole("button", { name: "Pay $125.00" });
    await pay.click();
    await page.getByText("The payment provider did not respond.").waitFor();
    await page.evaluate(() => Object.assign(window, { rejected: "" }));
    await pay.click();
    await page.getByText("Your payment is complete.").waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  },
);

test("a slow bank: the buyer sees that it is pending, and checks again", async () => {
  const purchase = await place();
  const { visitor, page } = await openShop();
  await page.goto(`/dashboard/payment/${purchase._id}`);
  await page.getByText("The provider's field").waitFor();
  await page.evaluate(() => Object.assign(window, { card: "pm_card_processing" }));
  await page.getByRole("button", { name: "Pay $125.00" }).click();
  await page.getByText("Your payment is being processed.").waitFor();
  await page.getByText("Do not pay again").waitFor();
  const check = page.getByRole("button", { name: "Check status" });
  const checked = page.waitForResponse((response) => response.request().method() === "PATCH");
  await check.click();
  await checked;
  await page.getByText("Your payment is being processed.").waitFor();
  await expect.poll(() => check.getAttribute("aria-busy")).not.toBe("true");
  await endProcessing(fixture.pool, 0);
  await check.click();
  await page.getByText("Your payment is complete.").waitFor();
  visitor.expectProblem(/409/);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("a store without Stripe's keys allows nothing of Stripe", async () => {
  const own = await openStore();
  const policyAt = async (at: TestStore) => {
    const { cookie } = await register(at);
    const page = await fetch(`${at.url}/dashboard/payment/1`, { headers: { cookie } });
    return page.headers.get("content-security-policy");
  };
  const policy = await policyAt(own);
  await own.stop();
  expect(policy).toContain("frame-src 'self';");
  expect(policy).not.toContain("stripe");
  expect(await policyAt(store)).toContain(
    "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;",
  );
});
