/** The home page: its six sections in order, the counters, the map and its fallback. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  intercept,
  type OpenPage,
  openPage,
  type PageOptions,
  settled,
  typefaceApplied,
} from "../harness/browser.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

async function home(options?: PageOptions): Promise<OpenPage> {
  const opened = await openPage(store, options);
  await opened.page.goto("/");
  await settled(opened.page);
  return opened;
}

test("a navigation renders the whole page, also below the first screen; Back restores the position", async () => {
  const { page, close } = await home();
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(900);
  // without the mouse, which would scroll
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Tools" })
    .dispatchEvent("click");
  await page.waitForURL("**/tools");
  const rows = page.locator("#results tbody tr:not(.grp)");
  await expect.poll(() => rows.count()).toBe(30);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await page.goForward();
  await page
    .getByRole("link", { name: /Stator/ })
    .first()
    .click();
  await page.waitForURL(`${store.url}/`);
  await expect.poll(() => page.locator("main > section").count()).toBe(6);
  await close();
});

test("four questions, of which one is open at a time", async () => {
  const { page, close } = await home();
  const questions = page.getByRole("region", { name: "Question and Answer" }).locator("details");
  expect(await questions.count()).toBe(4);
  for (const at of [0, 1, 2, 3]) {
    const question = questions.nth(at);
    if ((await question.getAttribute("open")) === null) await question.locator("summary").click();
    await expect.poll(() => questions.and(page.locator("[open]")).count()).toBe(1);
    expect(await question.getAttribute("open")).not.toBeNull();
  }
  await page.getByText("Delivery takes 24 to 72 working hours").waitFor();
  await close();
});

describe("the store's typeface", () => {
  const typefaceOf = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).fontFamily.split(",")[0]?.replaceAll('"', ""));

  const WINDOWS = "Windows NT 10.0; Win64; x64";
  const callSystem = (page: Page, system: string) =>
    page.addInitScript((userAgent) => {
      Object.defineProperty(navigator, "userAgent", { value: userAgent });
    }, `Mozilla/5.0 (${system}) AppleWebKit/537.36`);

  test("is requested after the first paint, and applied when it has loaded", async () => {
    const { page, close } = await openPage(store);
    await callSystem(page, WINDOWS);
    const { promise, resolve: letCome } = Promise.withResolvers<void>();
    await page.route(/archivo.*\.woff2$/, async (route) => {
      await promise;
      await route.continue();
    });
    const request = page.waitForRequest(/archivo-first/);
    await page.goto("/", { waitUntil: "commit" });
    await request;
    const paints = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
    await expect.poll(paints, { message: "painted without it" }).toBe(1);
    expect(await typefaceOf(page)).toBe("Archivo over Arial");
    letCome();
    await expect.poll(() => typefaceOf(page)).toBe("Archivo Variable");
    await close();
  });

  test.each([
    [WINDOWS, "Arial"],
    ["Macintosh; Intel Mac OS X 10_15_7", "Arial"],
    ["Linux; Android 16; Pixel 9", "Roboto"],
    ["X11; Linux x86_64", "Noto"],
  ])("is replaced by a fallback of this system: %s", async (system, face) => {
    const { page, close } = await openPage(store);
    await page.route(/archivo.*\.woff2$/, (route) => route.abort());
    await callSystem(page, system);
    await page.goto("/");
    expect(await typefaceOf(page)).toBe(`Archivo over ${face}`);
    await close();
  });

  test("has a separate file for the letters of Western Europe, for texts that need it", async () => {
    const { page, close } = await home();
    await typefaceApplied(page);
    const western = () =>
      page.evaluate(() => [...document.fonts].find(({ family }) => family.includes("Western"))?.status);
    expect(await western()).toBe("unloaded");
    await page.evaluate(() => document.querySelector("main p")?.append(" Zoë"));
    await expect.poll(western).toBe("loaded");
    await close();
  });

  test("is also applied without scripts", async () => {
    const { page, close } = await home({ script: false });
    expect(await typefaceOf(page)).toBe("Archivo Variable");
    await close();
  });
});

describe("the drill", () => {
  /** The parts that have begun to move. */
  const moved = (page: Page) => page.evaluate(() => (window as unknown as { moved: number }).moved);
  const writeDownParts = (page: Page) =>
    page.addInitScript(() => {
      Object.assign(window, { moved: 0 });
      document.addEventListener("animationstart", ({ animationName }) => {
        if (animationName === "part") (window as unknown as { moved: number }).moved += 1;
      });
    });
  const still = (page: Page) =>
    page.locator(".hero__svg .part").evaluateAll((all) => all.every((one) => !one.getAnimations().length));

  test("explodes once, on the first visit", async () => {
    const { page, close } = await openPage(store, { motion: true });
    await writeDownParts(page);
    await page.goto("/");
    await expect.poll(() => moved(page)).toBe(9);
    await expect.poll(() => still(page)).toBe(true);
    // on a slow machine the drill has exploded before the script has noted the visit
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem("stator.visited"))).toBe("1");
    await page.reload();
    await settled(page);
    expect(await moved(page)).toBe(0);
    await close();
  });

  test("is exploded from the start with reduced motion", async () => {
    const { page, close } = await openPage(store, { motion: false });
    await writeDownParts(page);
    await page.goto("/", { waitUntil: "commit" });
    const part = page.locator(".hero__svg .part").first();
    expect(await part.evaluate((one) => getComputedStyle(one).transform)).toBe("none");
    await settled(page);
    expect(await moved(page)).toBe(0);
    await close();
  });
});

describe("the counters", () => {
  const ends = ["150+", "125M+", "33K+", "100+"];
  const figures = (page: Page) =>
    page.getByRole("region", { name: "Business Summary" }).locator("b").allInnerTexts();

  test("count up once, when they come into view", async () => {
    const { page, close } = await home({ motion: true });
    await recordCounts(page);
    expect(await figures(page)).toEqual(ends);
    expect(await countsOf(page), "out of view").toEqual([]);
    await page.getByRole("region", { name: "Business Summary" }).scrollIntoViewIfNeeded();
    await expect.poll(async () => (await countsOf(page)).at(-1)).toBe("150+");
    const counted = (await countsOf(page)).map((text) => Number.parseInt(text, 10));
    expect(new Set(counted).size).toBeGreaterThan(2);
    expect(counted).toEqual([...counted].sort((one, other) => one - other));
    await expect.poll(() => figures(page)).toEqual(ends);
    await close();
  });

  test("do not move with reduced motion", async () => {
    const { page, close } = await home({ motion: false });
    await recordCounts(page);
    await page.getByRole("region", { name: "Business Summary" }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(1200);
    expect(await countsOf(page)).toEqual([]);
    expect(await figures(page)).toEqual(ends);
    await close();
  });
});

describe("the map", () => {
  const box = (page: Page) => page.getByRole("region", { name: "Our Location" }).locator(".mapbox");

  test("has a marker with its popup open, zoom 13, no zoom by wheel, and an attribution", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    const tiles: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("tile.openstreetmap.org")) tiles.push(request.url());
    });
    await page.goto("/");
    await box(page).scrollIntoViewIfNeeded();
    await page.locator('.mapbox[data-state="drawn"]').waitFor();
    expect(tiles.length).toBeGreaterThan(0);
    for (const url of tiles) expect(url).toMatch(/\.org\/13\/\d+\/\d+\.png$/);
    const popup = box(page).locator(".leaflet-popup");
    await popup.getByText("Stator Electric Tool Works").waitFor();
    await popup.getByText("14 Foundry Lane, Port Harrow").waitFor();
    await box(page)
      .getByRole("button", { name: /Stator Electric Tool Works/ })
      .waitFor();
    await box(page).getByRole("link", { name: "OpenStreetMap" }).waitFor();
    const before = tiles.length;
    await box(page).hover();
    const top = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, -300);
    await expect
      .poll(() => page.evaluate(() => scrollY), { message: "the wheel scrolls the page" })
      .toBeLessThan(top);
    expect(tiles.slice(before).every((url) => url.includes("/13/"))).toBe(true);
    await box(page).getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => tiles.some((url) => url.includes("/14/"))).toBe(true);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("is replaced by the address and a link if no tile loads", async () => {
    const opened = await openPage(store, { external: false });
    const { page } = opened;
    await page.goto("/");
    await box(page).scrollIntoViewIfNeeded();
    await page.locator('.mapbox[data-state="failed"]').waitFor();
    await page.locator(".mapbox__text").getByText("14 Foundry Lane, Port Harrow").waitFor();
    expect(await box(page).locator(".leaflet-marker-icon").isVisible(), "a pin on nothing").toBe(false);
    const link = box(page).getByRole("link", { name: "Open in OpenStreetMap" });
    expect(await link.getAttribute("href")).toMatch(
      /openstreetmap\.org\/\?mlat=51\.9445&mlon=1\.2525#map=13\//,
    );
    expect(await box(page).getByRole("button", { name: "Zoom in" }).isVisible()).toBe(false);
    opened.expectProblem(/ERR_NAME_NOT_RESOLVED|Failed to load resource/);
    await expectNoProblems(opened);
    await opened.close();
  });
});

test("a store without products and reviews says so, and shows them once there are some", async () => {
  const emptyStore = await openStore();
  const opened = await openPage(emptyStore);
  const { page } = opened;
  let respond: (() => void) | undefined;
  const letThrough = await intercept(page, "**/products", async (route) => {
    await new Promise<void>((resolve) => {
      respond = resolve;
    });
    await route.continue();
  });
  await page.goto("/");
  await page.getByText("Loading tools").waitFor();
  await expect.poll(() => respond).toBeTypeOf("function");
  respond?.();
  await page.getByText("No tools yet").waitFor();
  await page.getByText("No reviews yet").waitFor();
  await expectNoProblems(opened);
  await addProduct(await adminOf(emptyStore), { name: "The very first" });
  letThrough();
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByText("The very first").count();
    })
    .toBeGreaterThan(0);
  await opened.close();
  await emptyStore.stop();
});

test("a review of one long word by an author with a long name stays within its column", async () => {
  const shop = await openStore();
  const author = await register(shop, "N".repeat(120));
  await author.call("addReview", { body: { name: author.name, rating: 5, description: "w".repeat(170) } });
  for (const width of [320, 1280]) {
    const { page, close } = await openPage(shop, { width });
    await page.goto("/");
    await page.getByText("w".repeat(170)).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await close();
  }
  await shop.stop();
});

/** Every text of the first counter from now on. */
async function recordCounts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counts: string[] = [];
    Object.assign(window, { counts });
    const figure = document.querySelector(".counter b");
    if (!figure) throw new Error("There is no counter.");
    new MutationObserver(() => counts.push(figure.textContent ?? "")).observe(figure, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
}

const countsOf = (page: Page) => page.evaluate(() => (window as unknown as { counts: string[] }).counts);
