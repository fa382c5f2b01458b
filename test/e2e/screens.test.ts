/** Every screen, on a phone, a tablet and a desk, in both themes: axe finds nothing, nothing complains, nothing overflows. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, expectNoProblems, openPage } from "../harness/browser.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer, payFor, placeFor } from "../harness/trade.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
const ids: Record<string, string> = {};
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
  buyer = await register(store, "Ingrid Halloran");
  const [first] = await buyer.call("listProducts", {});
  if (!first) throw new Error("The sample catalogue is empty.");
  const unpaid = await placeFor(buyer, first);
  const paid = await placeFor(buyer, first);
  const shipped = await placeFor(buyer, await offer(admin));
  await payFor(store, buyer, paid);
  await payFor(store, buyer, shipped);
  await admin.call("shipPurchase", { params: { id: shipped._id } });
  Object.assign(ids, { TOOL: first._id, UNPAID: unpaid._id, PAID: paid._id });
});
afterAll(async () => {
  await closeBrowser();
  await store.stop();
});

type Who = "visitor" | "buyer" | "admin";
const screens: [Who, string][] = [
  ["visitor", "/"],
  ["visitor", "/tools"],
  ["visitor", "/blog"],
  ["visitor", "/portfolio"],
  ["visitor", "/login"],
  ["visitor", "/register"],
  ["visitor", "/docs"],
  ["visitor", "/nowhere"],
  ["buyer", "/product/TOOL"],
  ["buyer", "/dashboard/profile"],
  ["buyer", "/dashboard/orders"],
  ["buyer", "/dashboard/order/PAID"],
  ["buyer", "/dashboard/review"],
  ["buyer", "/dashboard/payment/UNPAID"],
  ["buyer", "/dashboard/payment/PAID"],
  ["admin", "/dashboard/overview"],
  ["admin", "/dashboard/manageOrder"],
  ["admin", "/dashboard/addProduct"],
  ["admin", "/dashboard/manageProduct"],
  ["admin", "/dashboard/editProduct/TOOL"],
  ["admin", "/dashboard/makeAdmin"],
  ["admin", "/dashboard/mails"],
];

describe.each([
  [360, "light"],
  [768, "dark"],
  [1440, "light"],
] as const)("at %i pixels, %s", (width, theme) => {
  test.each(screens)("the %s's %s", async (who, template) => {
    const path = template.replace(/[A-Z]{4,}/, (name) => ids[name] ?? name);
    const person = who === "buyer" ? buyer : { ...admin, role: "admin" as const };
    const visitor = await openPage(store, { width, theme, ...(who !== "visitor" && { person }) });
    await visitor.page.goto(path);
    await settled(visitor.page);
    if (path === "/nowhere") visitor.expectProblem(/404/);
    await expectNoProblems(visitor);
    expect(await overflow(visitor.page), "wider than the window").toEqual([]);
    await visitor.close();
  });
});

/** Until nothing is being loaded: no spinner or skeleton, no request for a while. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading").first().waitFor();
  await page.waitForLoadState("networkidle");
  await expect
    .poll(() => page.locator(".loading, .sk, [aria-busy=true]").count(), { timeout: 10_000 })
    .toBe(0);
}

/** What makes the page scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > room + 1)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`);
  });
}
