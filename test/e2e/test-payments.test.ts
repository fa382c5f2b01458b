/** A public store that accepts test cards warns its admins, and marks every order paid that way. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, ownAddresses, settled } from "../harness/browser.ts";
import { freePort } from "../harness/free-port.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer, payFor, placeFor } from "../harness/trade.ts";

const [address] = ownAddresses();

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let orderId: string;

beforeAll(async () => {
  if (!address) return;
  const PORT = String(await freePort());
  store = await openStore({
    environment: { HOST: address, PORT, PUBLIC_URL: `http://${address}:${PORT}` },
  });
  admin = await adminOf(store);
  buyer = await register(store, "Bea Buyer");
  const order = await placeFor(buyer, await offer(admin));
  await payFor(store, buyer, order);
  orderId = order._id;
});
afterAll(async () => {
  await closePages();
  await store?.stop();
});

/** a browser's warnings about headers that need https */
const NOT_SECURE = /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/;
const BAR = "This store takes test payments.";

// a machine without a network has no public address
test.skipIf(!address)("an admin is warned on every page of the dashboard, with instructions", async () => {
  const open = await openPage(store, { person: admin });
  const { page } = open;
  for (const path of ["overview", "manageOrder", "manageProduct", "books", "profile", `order/${orderId}`]) {
    await page.goto(`/dashboard/${path}`);
    await page.getByText(BAR).waitFor();
    expect(await page.locator(".dash__bar").textContent()).toContain("STRIPE_SECRET_KEY");
  }
  await page.getByText("Test payment.", { exact: true }).waitFor();
  await settled(page);
  open.expectProblem(NOT_SECURE);
  await expectNoProblems(open);
  await page.goto("/dashboard/manageOrder");
  await page.getByText("Test payment", { exact: true }).waitFor();
  await settled(page);
  open.expectProblem(NOT_SECURE);
  await expectNoProblems(open);
  await open.close();
});

test.skipIf(!address)("a buyer sees it on the order, and no warning", async () => {
  const open = await openPage(store, { person: buyer });
  const { page } = open;
  await page.goto(`/dashboard/order/${orderId}`);
  await page.getByText("Test payment.", { exact: true }).waitFor();
  expect(await page.getByText(BAR).count()).toBe(0);
  open.expectProblem(NOT_SECURE);
  await expectNoProblems(open);
  await open.close();
});
