/** A public store that accepts test cards warns its admins, and marks every order paid that way. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { freePort } from "../harness/free-port.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { ownIps } from "../harness/tabs.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

const [ip] = ownIps();

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let orderId: string;

beforeAll(async () => {
  if (!ip) return;
  const PORT = String(await freePort());
  store = await openStore({
    environment: { HOST: ip, PORT, PUBLIC_URL: `http://${ip}:${PORT}` },
  });
  admin = await adminOf(store);
  buyer = await register(store, "Bea Buyer");
  const order = await placeFor(buyer, await addProduct(admin));
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

const textOf = async (path: string, { cookie }: SignedIn) =>
  (await (await fetch(`${store.url}/dashboard/${path}`, { headers: { cookie } })).text())
    .replace(/<script\b.*?<\/script>/gs, "")
    .replace(/<[^>]+>/g, "");

// a machine without a network has no public IP address
test.skipIf(!ip)("an admin is warned on every page of the dashboard, with instructions", async () => {
  for (const path of ["overview", "manageOrder", "manageProduct", "books", "profile"]) {
    const text = await textOf(path, admin);
    expect(text, path).toContain(BAR);
    expect(text, path).toContain("STRIPE_SECRET_KEY");
  }
  expect(await textOf("manageOrder", admin)).toContain("Test payment");
  const open = await openPage(store, { user: admin });
  const { page } = open;
  await page.goto(`/dashboard/order/${orderId}`);
  await page.getByText(BAR).waitFor();
  await page.getByText("Test payment.", { exact: true }).waitFor();
  await settled(page);
  open.expectProblem(NOT_SECURE);
  await expectNoProblems(open);
  await open.close();
});

test.skipIf(!ip)("a buyer sees it on the order, and no warning", async () => {
  const text = await textOf(`order/${orderId}`, buyer);
  expect(text).toContain("Test payment.");
  expect(text).not.toContain(BAR);
});
