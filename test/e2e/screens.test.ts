/** Every screen, on a phone, a tablet and a desktop, in both themes: no findings of axe, no errors, no overflow. */
import type { RouteConfigEntry } from "@react-router/dev/routes";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import routes from "../../app/routes.ts";
import { closePages, expectNoProblems, type OpenPage, openPage, settled } from "../harness/browser.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
/** One browser context each: opening one for every screen costs a tenth of the time. */
let visitors: Record<Who, OpenPage>;
const ids: Record<string, string> = {};
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
  buyer = await register(store, "Ingrid Halloran");
  const [first] = await buyer.call("listProducts", {});
  if (!first) throw new Error("The sample catalogue is empty.");
  const unpaid = await placeFor(buyer, first);
  const paid = await placeFor(buyer, first);
  const shipped = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, paid);
  await payFor(store, buyer, shipped);
  await admin.call("shipPurchase", { params: { id: shipped._id } });
  const lines = [{ productId: first._id, quantity: 1 }];
  const list = await buyer.call("addSavedList", { body: { name: "Van restock", lines } });
  const file = { name: "erp.csv", content: "item_number,name\nNEW 1,Planer\n" };
  const started = await admin.send("importProducts", { body: { file, dryRun: true } });
  const { customers } = await admin.call("searchCustomers", { query: { q: buyer.email } });
  Object.assign(ids, {
    CUSTOMER: customers[0]?._id,
    IMPORT: started.body._id,
    LIST: list._id,
    TOOL: first._id,
    UNPAID: unpaid._id,
    PAID: paid._id,
  });
  visitors = {
    visitor: await openPage(store),
    buyer: await openPage(store, { user: buyer }),
    admin: await openPage(store, { user: admin }),
  };
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

type Who = "visitor" | "buyer" | "admin";

/** The id for a placeholder in a path. */
const idFor: Record<string, string> = {
  "/product/:id": "TOOL",
  "/dashboard/payment/:id": "UNPAID",
  "/dashboard/order/:id": "PAID",
  "/dashboard/lists/:id": "LIST",
  "/dashboard/customers/:id": "CUSTOMER",
  "/dashboard/stock/:id": "TOOL",
  "/dashboard/import/:id": "IMPORT",
  "/dashboard/editProduct/:id": "TOOL",
  "/stock-alert/:step": "confirm",
};

/** Every page of the table of pages, so that a new one is tested without being listed here. */
function screensOf(entries: RouteConfigEntry[], above = "", admins = false): [Who, string][] {
  return entries.flatMap(({ path, file, children, index }) => {
    const forAdmins = admins || file.startsWith("pages/admin/");
    const whole = [above, path].filter(Boolean).join("/");
    if (children) return screensOf(children, whole, forAdmins);
    // /dashboard only redirects; documents for machines are not screens
    if ((index && above) || file.endsWith(".ts")) return [];
    return [[whoSees(whole, forAdmins), urlFor(whole)]];
  });
}

function whoSees(path: string, forAdmins: boolean): Who {
  if (forAdmins) return "admin";
  return /^(dashboard|product)\b/.test(path) ? "buyer" : "visitor";
}

function urlFor(path: string): string {
  const url = `/${path.replace("*", "nowhere")}`;
  if (!url.includes(":")) return url;
  const id = idFor[url];
  if (!id) throw new Error(`Add the id in ${url} to idFor in test/e2e/screens.test.ts.`);
  return url.replace(/:\w+/, id);
}

const screens: [Who, string][] = [
  ...screensOf((await routes) as RouteConfigEntry[]),
  ["buyer", "/dashboard/payment/PAID"],
  ["admin", "/dashboard/order/UNPAID"],
];

describe.each(screens)("the %s's %s", (who, template) => {
  let visitor: OpenPage;
  beforeAll(async () => {
    visitor = visitors[who];
    visitor.problems.length = 0;
    await visitor.page.setViewportSize({ width: 360, height: 900 });
    await visitor.page.emulateMedia({ colorScheme: "light" });
    await visitor.page.goto(template.replace(/[A-Z]{4,}/, (name) => ids[name] ?? name));
    if (template === "/nowhere") visitor.expectProblem(/404/);
  });

  // a window may grow after the page has loaded, and the theme may change
  test.each([
    [360, "light", "all"],
    [768, "dark", "colours"],
    [1440, "light", "all"],
  ] as const)("at %i pixels, %s", async (width, theme, rules) => {
    await visitor.page.setViewportSize({ width, height: 900 });
    await visitor.page.emulateMedia({ colorScheme: theme });
    await settled(visitor.page);
    await expectNoProblems(visitor, rules);
    expect(await overflow(visitor.page), "wider than the window").toEqual([]);
  });
});

describe("the longest names, without a space", () => {
  let longest: SignedIn;
  const isMailThere = async () =>
    (await admin.call("listEmails", {})).mails.some(({ subject }) => subject.startsWith("Payment received"));
  beforeAll(async () => {
    longest = await register(store, "N".repeat(200), "n");
    const tool = await addProduct(admin, { name: "T".repeat(130) });
    const { customers } = await admin.call("searchCustomers", { query: { q: longest.email } });
    await placeFor(longest, tool);
    const paid = await placeFor(longest, tool);
    Object.assign(ids, { LONGTOOL: tool._id, LONGNAME: customers[0]?._id, LONGORDER: paid._id });
    await longest.call("addAddress", { body: { name: "N".repeat(60), address: "A".repeat(100) } });
    const inCart = { productId: tool._id, quantity: tool.minimum_order, price: tool.price };
    await longest.call("saveCart", { body: { version: 0, lines: [inCart] } });
    await payFor(store, longest, paid);
    await vi.waitUntil(isMailThere, { timeout: 20_000, interval: 200 });
  });

  test.each(["dashboard/order/LONGORDER", "dashboard/profile", "checkout"])(
    "do not make the buyer's %s wider than the window",
    async (template) => {
      const { page, close } = await openPage(store, { user: longest });
      await page.goto(`/${template.replace("LONGORDER", ids.LONGORDER ?? "")}`);
      await settled(page);
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), `${width} pixels`).toEqual([]);
      }
      await close();
    },
  );

  test.each([
    "overview",
    "manageOrder",
    "manageProduct?q=tttt",
    "editProduct/LONGTOOL",
    "stock/LONGTOOL",
    "customers/LONGNAME",
    "makeAdmin?q=nnnn",
    "audit-log",
    "emails",
  ])("do not make %s wider than the window", async (template) => {
    const path = template.replace(/[A-Z]{4,}/, (name) => ids[name] ?? name);
    const { page } = visitors.admin;
    await page.goto(`/dashboard/${path}`);
    await settled(page);
    for (const width of [390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page
        .getByText(/N{40}|T{40}/)
        .first()
        .waitFor();
      expect(await overflow(page), `${width} pixels`).toEqual([]);
    }
  });
});

test.each(["overview", "manageOrder", "manageProduct?q=long19"])(
  "%s shows two lines of a long name, and nothing of the third",
  async (path) => {
    const words = Array.from({ length: 20 }, (_, number) => `Long${number}`).join(" ");
    const paid = await placeFor(buyer, await addProduct(admin, { name: words }));
    await payFor(store, buyer, paid);
    await store.pool.query("UPDATE shop.purchase SET paid_at = now() - interval '1 year' WHERE id = $1", [
      paid._id,
    ]);
    const { page } = visitors.admin;
    await page.goto(`/dashboard/${path}`);
    await settled(page);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const name = page.locator(".clamp").filter({ hasText: words }).first();
      const lines = await name.evaluate((element) => {
        const { paddingTop, lineHeight } = getComputedStyle(element);
        return (element.clientHeight - Number.parseFloat(paddingTop)) / Number.parseFloat(lineHeight);
      });
      expect(lines, `${width} pixels`).toBeCloseTo(2, 1);
    }
  },
);

test("the list of tools breaks no name inside a word", async () => {
  const { page } = visitors.visitor;
  await page.goto("/tools?category=Drilling+%26+fastening");
  await settled(page);
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const broken = await page.locator(".cat .item b").evaluateAll(
      (names) =>
        names.filter((name) => {
          (name as HTMLElement).style.overflowWrap = "normal";
          return name.scrollWidth > name.clientWidth;
        }).length,
    );
    expect(broken, `${width} pixels`).toBe(0);
  }
});

/** Elements that make the page scroll horizontally. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > room + 1)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`);
  });
}

test("with letters of twice the size, counts are whole and the skip link stays above the page", async () => {
  const visitor = await openPage(store, { user: admin });
  const { page } = visitor;
  const chrome = await page.context().newCDPSession(page);
  await chrome.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await page.goto("/dashboard/manageOrder");
  await settled(page);
  const cut = await page
    .locator(".count:visible")
    .evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length);
  expect(cut).toBe(0);
  expect(await page.locator(".count:visible").count()).toBeGreaterThan(0);
  const skip = await page.getByRole("link", { name: "Skip to content" }).boundingBox();
  expect((skip?.y ?? 0) + (skip?.height ?? 0)).toBeLessThanOrEqual(0);
  await visitor.close();
});

test("with forced colours, the current tab and the filled cells of a status look unlike the others", async () => {
  const visitor = await openPage(store, { user: buyer });
  const { page } = visitor;
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/dashboard/orders");
  await settled(page);
  const fill = (selector: string, part?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one, part) => getComputedStyle(one, part).backgroundColor, part);
  expect(await fill(".tabs a[aria-current]")).not.toBe(await fill(".tabs a:not([aria-current])"));
  expect(await fill(".track--unpaid i", "::before")).not.toBe(await fill(".track--unpaid i", "::after"));
  await page.goto(`/dashboard/order/${ids.PAID}`);
  await page.locator(".timeline").waitFor();
  const canvas = await fill("body");
  expect(await fill(".timeline__done", "::before")).not.toBe(canvas);
  await page.getByRole("combobox", { name: "Search tools" }).fill("drill");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  const chosen = '[role="option"][aria-selected="true"]';
  await page.locator(chosen).waitFor();
  expect(await fill(chosen)).not.toBe(canvas);
  await visitor.close();
});
