/** The cost of pages: bytes of script, layout shifts, requested hosts. Counted, not timed. */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../api/pages.ts";
import { closePages, type OpenPage, openPage, settled, typefaceApplied } from "../harness/browser.ts";
import { placeFor } from "../harness/orders.ts";
import { countShifts, shiftsOf } from "../harness/shifts.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

/** gzipped bytes of all scripts that a page loads by itself */
const PUBLIC_SCRIPT = 120_000;
/** the order pad */
const CART_MORE = 30_500;
const DASHBOARD_MORE = 60_000;

let store: TestStore;
let buyer: SignedIn;
let admin: SignedIn;
const ids: Record<string, string> = {};
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
  buyer = await register(store);
  const [tool] = await buyer.call("listProducts", {});
  if (!tool) throw new Error("The sample catalogue is empty.");
  Object.assign(ids, { TOOL: tool._id, UNPAID: (await placeFor(buyer, tool))._id });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const publicPages = [
  "/",
  "/tools",
  "/cart",
  "/blog",
  "/portfolio",
  "/login",
  "/register",
  "/reset-password",
  "/nowhere",
];

/** Scripts that only admin pages load. */
function readAdminScripts(): Set<string> {
  const folder = "build/client/assets";
  const name = readdirSync(folder).find((one) => one.startsWith("manifest-")) ?? "";
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const { routes } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
    routes: Record<string, { id: string; module: string; imports: string[] }>;
  };
  const files = pages.filter(({ access }) => access === "admin").map(({ file }) => file);
  const isOfAdmins = (id: string) => files.some((file) => file.endsWith(`/${id}.tsx`));
  const scriptsOf = (ofAdmins: boolean) =>
    new Set(
      Object.values(routes)
        .filter(({ id }) => isOfAdmins(id) === ofAdmins)
        .flatMap(({ module, imports }) => [module, ...imports]),
    );
  return scriptsOf(true).difference(scriptsOf(false));
}

describe("a public page", () => {
  const adminScripts = readAdminScripts();
  test("has scripts of admin pages to leave out", () => expect(adminScripts.size).toBeGreaterThan(15));

  test.each(publicPages)(
    "%s keeps its script budget, shifts nothing, and requests only the store",
    async (path) => {
      const visitor = await openPage(store, { motion: true, fresh: true });
      const loaded = recordScripts(visitor);
      await countShifts(visitor);
      await visitor.page.goto(path);
      await settled(visitor.page);
      const { bytes, list } = await sizeOf(loaded.scripts);
      expect(bytes, list).toBeLessThanOrEqual(path === "/cart" ? PUBLIC_SCRIPT + CART_MORE : PUBLIC_SCRIPT);
      expect([...loaded.scripts].filter((url) => adminScripts.has(new URL(url).pathname))).toEqual([]);
      expect(loaded.foreign).toEqual([]);
      expect(loaded.fonts).toBeGreaterThan(0);
      // the typeface loads asynchronously: its fallback has the same metrics, but a long text may wrap differently
      const shifts = (await shiftsOf(visitor)) ?? [];
      const late = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
      expect(late, ["shift by the typeface", ...shifts].join("\n")).toBeLessThan(0.001);
      // and nothing else shifts: without the typeface there is no shift at all
      await visitor.page.route(/\.woff2$/, (route) => route.abort());
      await visitor.page.reload();
      await settled(visitor.page);
      await scrollThrough(visitor);
      expect(await shiftsOf(visitor), "layout shifts").toEqual([]);
      expect(await picturesWithoutSize(visitor)).toEqual([]);
      await visitor.close();
    },
  );
});

describe("the first HTML of a page", () => {
  test.each([...publicPages, "/tools?view=grid", "/product/TOOL", "/dashboard/orders"])(
    "%s contains all styles that it needs until its scripts have loaded",
    async (path) => {
      const visitor = await openPage(store, { user: buyer, early: true });
      const url = path.replace("TOOL", ids.TOOL as string);
      await visitor.page.route(/\.js$/, (route) => route.abort());
      await visitor.page.goto(url);
      await typefaceApplied(visitor.page);
      await expect.poll(() => countSheets(visitor, "print")).toBe(0);
      const whole = await stylesOf(visitor);
      await visitor.page.route(/\.css$/, (route) => route.abort());
      await visitor.page.goto(url);
      await typefaceApplied(visitor.page);
      expect(await countSheets(visitor, "all")).toBe(0);
      const first = await stylesOf(visitor);
      expect(first.length).toBe(whole.length);
      expect(first.filter((look, place) => look !== whole[place])).toEqual([]);
      await visitor.close();
    },
  );
});

test.each([
  ["app", "cart"],
  ["cart", "app"],
])("the stylesheet of the %s may be applied long before that of the %s", async (first, second) => {
  const visitor = await openPage(store, { fresh: true });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await visitor.page.route(/\.woff2$/, (route) => route.abort());
  await visitor.page.route(new RegExp(`/${second}-[^/]+\\.css$`), async (route) => {
    await released;
    await route.continue();
  });
  await countShifts(visitor);
  await visitor.page.goto("/cart", { waitUntil: "commit" });
  await visitor.page.locator(`link[media=all][href*="/${first}-"]`).waitFor({ state: "attached" });
  const whole = await stylesOf(visitor);
  release();
  await expect.poll(() => countSheets(visitor, "print")).toBe(0);
  expect(await stylesOf(visitor)).toEqual(whole);
  expect(await shiftsOf(visitor)).toEqual([]);
  await visitor.close();
});

test("a shift is detected, otherwise none would prove nothing", async () => {
  const visitor = await openPage(store);
  await countShifts(visitor);
  await visitor.page.goto("/blog");
  // repeatedly until it stays: an element may be recreated during hydration, before it was painted
  const push = () =>
    visitor.page.evaluate(() => document.querySelector("main")?.prepend(document.createElement("textarea")));
  await expect.poll(() => push().then(() => shiftsOf(visitor)), { timeout: 10_000 }).not.toEqual([]);
  await visitor.close();
});

describe("a page of a signed-in user", () => {
  test.each([
    ["buyer", "/product/TOOL"],
    ["buyer", "/dashboard/profile"],
    ["buyer", "/dashboard/orders"],
    ["buyer", "/dashboard/review"],
    ["buyer", "/dashboard/payment/UNPAID"],
    ["buyer", "/dashboard/order/UNPAID"],
    ["buyer", "/dashboard/account"],
    ["admin", "/dashboard/overview"],
    ["admin", "/dashboard/manageOrder"],
    ["admin", "/dashboard/addProduct"],
    ["admin", "/dashboard/manageProduct"],
    ["admin", "/dashboard/editProduct/TOOL"],
    ["admin", "/dashboard/makeAdmin"],
    ["admin", "/dashboard/emails"],
  ] as const)("the %s's %s has at most 60 kB more", async (who, path) => {
    const visitor = await openPage(store, { user: who === "admin" ? admin : buyer, fresh: true });
    const loaded = recordScripts(visitor);
    await visitor.page.goto(path.replace(/[A-Z]{4,}$/, (name) => ids[name] ?? name));
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    await settled(visitor.page);
    const { bytes, list } = await sizeOf(loaded.scripts);
    expect(bytes, list).toBeLessThanOrEqual(PUBLIC_SCRIPT + DASHBOARD_MORE);
    expect(loaded.foreign).toEqual([]);
    expect(await picturesWithoutSize(visitor)).toEqual([]);
    await visitor.close();
  });
});

interface Loaded {
  scripts: Set<string>;
  fonts: number;
  /** requests to other hosts */
  foreign: string[];
}

function recordScripts({ page }: OpenPage): Loaded {
  const loaded: Loaded = { scripts: new Set(), fonts: 0, foreign: [] };
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${store.url}/`) && !url.startsWith("data:")) loaded.foreign.push(url);
    else if (/\.js(\?|$)/.test(url)) loaded.scripts.add(url);
    if (request.resourceType() === "font") loaded.fonts += 1;
  });
  return loaded;
}

/** Scripts are compressed here, whatever compression a server in front of the store uses. */
async function sizeOf(scripts: Set<string>): Promise<{ bytes: number; list: string }> {
  const sizes = await Promise.all(
    [...scripts].map(async (url) => ({
      name: url.slice(url.lastIndexOf("/") + 1),
      bytes: gzipSync(await (await fetch(url)).bytes(), { level: 9 }).length,
    })),
  );
  const largestFirst = sizes.toSorted((a, b) => b.bytes - a.bytes);
  return {
    bytes: sizes.reduce((sum, one) => sum + one.bytes, 0),
    list: `Load less, or later (app/performance):\n${largestFirst.map(({ name, bytes }) => `${bytes} ${name}`).join("\n")}\n`,
  };
}

/** How many stylesheets are loaded for this medium. */
function countSheets({ page }: OpenPage, medium: "all" | "print"): Promise<number> {
  return page.locator(`link[rel="stylesheet"][media="${medium}"]`).count();
}

/** The position, colours and font of every element. */
function stylesOf({ page }: OpenPage): Promise<string[]> {
  return page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moving.map((one) => one.finished));
    return [...document.body.querySelectorAll("*")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, font, borderColor, display, opacity } = getComputedStyle(element);
      const place = [x, y, width, height].map((measure) => measure.toFixed(1)).join(" ");
      return [
        element.tagName,
        element.className,
        place,
        color,
        backgroundColor,
        font,
        borderColor,
        display,
        opacity,
      ]
        .map(String)
        .join(", ");
    });
  });
}

/** Scrolls to the end, so that everything lazy is loaded. */
async function scrollThrough({ page }: OpenPage): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });
  await settled(page);
}

function picturesWithoutSize({ page }: OpenPage): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      // the map positions its tiles
      .filter((image) => !image.closest(".leaflet-container"))
      .filter((image) => !image.getAttribute("width") || !image.getAttribute("height"))
      .map((image) => image.outerHTML),
  );
}

test("loading the lines of a cart shifts nothing", async () => {
  await buyer.call("saveCart", {
    body: { version: 0, lines: [{ productId: ids.TOOL as string, quantity: 1000 }] },
  });
  const visitor = await openPage(store, { user: buyer, motion: true });
  await visitor.page.goto("/cart");
  await visitor.page.getByText("1 line, 1,000 pieces.").waitFor();
  await settled(visitor.page);
  await countShifts(visitor);
  await visitor.page.goto("/cart");
  await visitor.page.getByText("1 line, 1,000 pieces.").waitFor();
  const shifts = (await shiftsOf(visitor)) ?? [];
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, shifts.join("\n")).toBeLessThan(0.1);
  await visitor.close();
});

test("My Orders does not shift when the typeface loads", async () => {
  const many = await register(store, "Moira Many");
  const tools = await many.call("listProducts", {});
  for (const tool of tools.slice(0, 8)) await placeFor(many, tool);
  const visitor = await openPage(store, { user: many, fresh: true });
  await countShifts(visitor);
  // late, as on a slow connection
  await visitor.page.route(/\.woff2$/, async (route) => {
    await setTimeout(1000);
    await route.continue();
  });
  await visitor.page.goto("/dashboard/orders");
  await typefaceApplied(visitor.page);
  await settled(visitor.page);
  const shifts = (await shiftsOf(visitor)) ?? [];
  const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
  expect(sum, shifts.join("\n")).toBeLessThan(0.01);
  await visitor.close();
});

test("the legend of keys stands where it stood before the typeface loaded", async () => {
  const visitor = await openPage(store, { fresh: true });
  const placesOf = () =>
    visitor.page.locator(".keys, .keys *").evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.textContent, x, y, width, height];
      }),
    );
  await visitor.page.goto("/cart");
  await typefaceApplied(visitor.page);
  await settled(visitor.page);
  const places = await placesOf();
  expect(places.length).toBeGreaterThan(10);
  await visitor.page.route(/\.woff2$/, (route) => route.abort());
  await visitor.page.reload();
  await settled(visitor.page);
  expect(await placesOf()).toEqual(places);
  await visitor.close();
});
