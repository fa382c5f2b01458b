/** Pages that cannot be loaded: no connection, a missing script, a browser without scripts. */
import { setTimeout } from "node:timers/promises";
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import {
  closePages,
  expectNoProblems,
  findWithAxe,
  intercept,
  openPage,
  settled,
  typefaceApplied,
} from "../harness/browser.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const lost = /ERR_|Failed to (load|fetch)|Error loading route module|dynamically imported/;
const scriptOfBlog = /\/assets\/blog-[^/]*\.js/;

/** The connection bar, once, however many requests failed. */
const bar = (page: Page) => page.getByRole("region", { name: "Connection" });
const retry = (page: Page) => bar(page).getByRole("button", { name: "Try again" });

/** A probe of the page itself may be faster, which closes the bar. */
async function tryAgain(page: Page): Promise<void> {
  await Promise.any([retry(page).click(), retry(page).waitFor({ state: "detached" })]);
}

describe("a navigation", () => {
  test("whose script is lost with the connection keeps the page, and continues when the store responds", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/login");
    await page.getByLabel("Email").fill("ingrid@buyers.example");
    const restore = await intercept(page, /\/assets\/register-[^/]*\.js|\/readyz/);
    await page.getByRole("link", { name: "Create an account" }).click();
    await bar(page).getByText("You are offline.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
    expect(await page.getByLabel("Email").inputValue()).toBe("ingrid@buyers.example");
    async function clickWithoutResponse(what: Locator) {
      // until the probe has ended: it may be slow, and the connection be back by then
      const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/readyz"));
      await what.click();
      await failed;
    }
    await clickWithoutResponse(retry(page));
    await bar(page).getByText("Still no response. You are offline.").waitFor();
    // the same link again shows the bar as well
    await clickWithoutResponse(page.getByRole("link", { name: "Create an account" }));
    expect(await bar(page).getByText("You are offline.").count()).toBe(1);
    restore();
    await tryAgain(page);
    await page.getByRole("heading", { name: "Register" }).waitFor();
    opened.expectProblem(lost);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("whose script is lost by hover and press waits for both probes of the connection", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/login");
    const probes: Route[] = [];
    const restoreProbe = await intercept(page, "**/readyz", (route) => probes.push(route));
    const pressed = Promise.withResolvers<void>();
    await intercept(page, /\/assets\/register-[^/]*\.js/, async (route) => {
      await pressed.promise;
      await route.abort();
    });
    await page.getByRole("link", { name: "Create an account" }).click();
    pressed.resolve();
    await expect.poll(() => probes.length).toBe(2);
    await probes[0]?.abort();
    await setTimeout(300); // the page would open the address by now, without a connection
    expect(new URL(page.url()).pathname).toBe("/login");
    restoreProbe();
    await probes[1]?.abort();
    await bar(page).getByText("You are offline.").waitFor();
    opened.expectProblem(lost);
    await opened.close();
  });

  test("whose script is lost during hover reports it on press", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/");
    await settled(page);
    const getStarted = page.getByRole("link", { name: "Get Started" });
    const restore = await intercept(page, /\/assets\/catalogue-[^/]*\.js|\/readyz/);
    await getStarted.hover();
    await expect.poll(() => opened.problems.join()).toMatch(/catalogue-/);
    expect(await bar(page).getByText("You are offline.").count()).toBe(0);
    await getStarted.click();
    await bar(page).getByText("You are offline.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    restore();
    await tryAgain(page);
    await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
    opened.expectProblem(lost);
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  test("whose script is gone, because the store was upgraded, reloads the page", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/portfolio");
    await settled(page);
    const restore = await intercept(page, scriptOfBlog, (route) => {
      restore();
      return route.fulfill({ status: 404, body: "" });
    });
    await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Blog" }).click();
    await page.getByRole("heading", { level: 1, name: "Blog" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/blog");
    opened.expectProblem(lost);
    await opened.close();
  });

  test("with the response of a proxy that does not reach the store keeps the page, and Try again continues", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/blog");
    await settled(page);
    const restore = await intercept(page, /\/tools\.data|\/readyz/, (route) =>
      route.fulfill({ status: 502 }),
    );
    await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Tools" }).click();
    const message = bar(page).getByText("The store does not respond.");
    const first = await message.elementHandle();
    await bar(page).getByText("The page you chose opens when the store responds.").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Blog");
    await retry(page).click();
    // a screen reader repeats a text only in a new element
    await expect.poll(() => first?.evaluate((words) => words.isConnected)).toBe(false);
    restore();
    await tryAgain(page);
    await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
    await message.waitFor({ state: "detached" });
    opened.expectProblem(/502/);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("to a missing page keeps header, session and typeface of the document", async () => {
    const admin = await adminOf(store);
    const deleted = await addProduct(admin, { name: "Aardvark drill" });
    const opened = await openPage(store, { user: await register(store, "Mia Missing") });
    const { page } = opened;
    await page.goto("/tools?q=aardvark");
    await settled(page);
    await typefaceApplied(page);
    const before = await appearanceOf(page);
    await page.locator(".hdr a.logo").evaluate((link) => link.setAttribute("data-kept", ""));
    await admin.call("deleteProduct", { params: { id: deleted._id } });
    await page.getByRole("link", { name: "Buy Now, Aardvark drill" }).click();
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.locator("a.logo[data-kept]").count()).toBe(1);
    expect(await appearanceOf(page)).toEqual(before);
    opened.expectProblem(/404/);
    await opened.close();
  });
});

/** The document's state of typeface and session. */
function appearanceOf(page: Page) {
  return page.evaluate(() => {
    const { typeface, signedIn, system } = document.documentElement.dataset;
    const shown = document.querySelector(".hdr__name")?.textContent;
    return { typeface, signedIn, system, shown, token: localStorage.getItem("accessToken") };
  });
}

test("a list without a connection stays, with session, header and typeface; everything is reloaded when it is back", async () => {
  const user = await register(store, "Olga Offline");
  const [tool] = await user.call("listProducts", {});
  const order = await placeFor(user, tool as Product);
  const opened = await openPage(store, { user });
  const { page } = opened;
  await page.goto("/dashboard/orders");
  await settled(page);
  await typefaceApplied(page);
  const before = await appearanceOf(page);
  await page.context().setOffline(true);
  await bar(page).getByText("You are offline.").waitFor();
  const menu = page.getByRole("navigation", { name: "Dashboard" });
  await menu.getByRole("link", { name: "My Profile" }).click();
  await bar(page).getByText("The page you chose opens when the store responds.").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("My Orders");
  await page.getByRole("row", { name: new RegExp(tool?.name ?? "") }).waitFor();
  expect(await appearanceOf(page)).toEqual(before);
  expect(await page.getByText("You are offline.").count()).toBe(1);
  expect(await findWithAxe(page)).toEqual([]);
  await page.context().setOffline(false);
  await page.getByRole("heading", { level: 1, name: "My Profile" }).waitFor();
  await bar(page).getByText("You are offline.").waitFor({ state: "detached" });

  await menu.getByRole("link", { name: "My Orders" }).click();
  await page.getByRole("row", { name: new RegExp(tool?.name ?? "") }).waitFor();
  await page.context().setOffline(true);
  await bar(page).getByText("You are offline.").waitFor();
  await user.call("cancelPurchase", { params: { id: order._id } });
  await page.context().setOffline(false);
  await page.getByText("No orders yet").waitFor();
  expect(await appearanceOf(page)).toEqual(before);
  opened.expectProblem(lost);
  await expectNoProblems(opened);
  await opened.close();
});

describe("without script", () => {
  test("the catalogue is searched, filtered, sorted, shown as a grid, and paged", async () => {
    const { page, close } = await openPage(store, { script: false });
    await page.goto("/tools");
    await page.getByRole("combobox", { name: "Search tools" }).fill("saw");
    await page.keyboard.press("Enter");
    await page.waitForURL(/[?&]q=saw/);
    await page.getByRole("link", { name: "Buy Now, Jigsaw" }).waitFor();
    expect(await page.getByRole("link", { name: "Buy Now, Angle grinder" }).count()).toBe(0);
    await page.getByLabel(/^Mains/).check();
    await page.getByLabel("Sort by").selectOption("price");
    await page.getByRole("button", { name: "Show tools" }).click();
    await page.waitForURL((url) => url.searchParams.get("power") === "Mains");
    expect(new URL(page.url()).searchParams.get("q")).toBe("saw");
    expect(new URL(page.url()).searchParams.get("sort")).toBe("price");
    await page.getByRole("link", { name: "Remove Mains" }).click();
    await page.waitForURL((url) => !url.searchParams.has("power"));
    await page.getByRole("link", { name: "Grid" }).click();
    await page.waitForURL(/view=grid/);
    await page.getByRole("article").filter({ hasText: "Jigsaw" }).waitFor();
    await close();
  });

  test("the filters of a phone open and are submitted", async () => {
    const { page, close } = await openPage(store, { script: false, width: 390, height: 844 });
    await page.goto("/tools");
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByLabel(/^Sanding & finishing/).check();
    await page.getByRole("button", { name: /^Show \d+ tools/ }).click();
    await page.waitForURL((url) => url.searchParams.get("category") === "Sanding & finishing");
    await page.getByRole("status").getByText("4 tools").waitFor();
    await close();
  });

  test.each(["/", "/blog", "/portfolio", "/nowhere"])("%s is readable", async (path) => {
    const { page, close } = await openPage(store, { script: false });
    await page.goto(path);
    expect((await page.getByRole("main").textContent())?.length).toBeGreaterThan(60);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await close();
  });

  test("a form that needs a script says so", async () => {
    const html = await (await fetch(`${store.url}/login`)).text();
    expect(/<noscript>([\s\S]*?)<\/noscript>/.exec(html)?.[1]).toContain("This page needs JavaScript.");
  });
});

describe("a call", () => {
  /** Sends a review, whose first attempt gets `first`; returns the page, and the store's later responses. */
  async function send(user: SignedIn, first: (route: Route) => Promise<unknown>) {
    const opened = await openPage(store, { user });
    const { page } = opened;
    const responses: number[] = [];
    await page.route(/\/reviews$/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (responses.push(0) === 1) return first(route);
      const response = await route.fetch();
      responses[responses.length - 1] = response.status();
      await route.fulfill({ response });
    });
    // the header loads the cart once, with the token
    const cart = page.waitForResponse(/\/cart$/);
    await page.goto("/dashboard/review");
    await cart;
    await page.getByLabel("Rating").first().fill("4");
    await page.getByLabel("Review", { exact: true }).fill("Came in three days, strapped well.");
    await page.getByRole("button", { name: "Add Review" }).click();
    return { opened, page, responses };
  }
  const ofProxy = (route: Route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" });

  test("with the response of a proxy that does not reach the store is reported as the store's failure, not the network's", async () => {
    const opened = await openPage(store, { user: await register(store) });
    const { page } = opened;
    await page.route(/\/updateProfile\//, ofProxy);
    await page.goto("/dashboard/profile");
    await page.getByRole("textbox", { name: "Education" }).fill("Fitter");
    await page.getByRole("button", { name: "Update Education" }).click();
    await page.getByText("The store is not ready. Try again in a moment.").first().waitFor();
    expect(await page.getByText("There is no connection").count()).toBe(0);
    opened.expectProblem(/502/);
    await opened.close();
  });

  test("whose response a proxy drops is retried, and takes effect once", async () => {
    const { opened, page, responses } = await send(await register(store, "Pia Proxy"), async (route) => {
      await route.fetch();
      await ofProxy(route);
    });
    await page.getByText("Thanks For Your Review").first().waitFor();
    expect(responses).toEqual([0, 200]);
    const { rowCount } = await store.pool.query("SELECT FROM shop.review WHERE name = 'Pia Proxy'");
    expect(rowCount).toBe(1);
    opened.expectProblem(/502/);
    await opened.close();
  });

  test("whose response is lost while its token expires is retried with a new token", async () => {
    const { opened, page, responses } = await send(await register(store), async (route) => {
      await route
        .request()
        .frame()
        .evaluate(() => localStorage.setItem("accessToken", "no.longer.good"));
      await route.abort();
    });
    await page.getByText("Thanks For Your Review").first().waitFor();
    expect(responses).toEqual([0, 401, 200]);
    opened.expectProblem(/401|ERR_FAILED/);
    await opened.close();
  });
});

describe("a chunk that does not load within two minutes,", () => {
  const parts = [
    {
      what: "the map",
      path: "/",
      script: /\/assets\/leaflet-map-[^/]*\.js/,
      need: (page: Page) => page.getByRole("heading", { name: "Our Location" }).scrollIntoViewIfNeeded(),
      words: "The map could not be loaded.",
      // held-back requests are lost: the next attempt must request again
      retried: (page: Page) => page.getByText("The map could not be loaded.").waitFor({ state: "detached" }),
      retry: "Try again",
    },
    {
      what: "what passkeys need",
      path: "/login",
      script: /\/assets\/passkeys-[^/]*\.js/,
      need: (page: Page) => page.getByRole("button", { name: "Continue with a passkey" }).click(),
      words: "The passkey script could not be loaded.",
      retried: (page: Page) => page.getByText("The passkey script").waitFor({ state: "detached" }),
      retry: "Continue with a passkey",
    },
  ];

  test.each(parts)("$what: ends with a message and Try again", async (part) => {
    const opened = await openPage(store);
    const { page } = opened;
    const request = page.waitForRequest(part.script);
    const letThrough = await intercept(page, part.script, () => undefined);
    await page.goto(part.path);
    await settled(page);
    await page.clock.install();
    await part.need(page);
    await request;
    await page.clock.runFor(119_000);
    expect(await page.getByText(part.words).count()).toBe(0);
    await page.clock.runFor(2000);
    await page.getByText(part.words).waitFor();
    letThrough();
    await page.getByRole("button", { name: part.retry }).click();
    await part.retried(page);
    await opened.close();
  });
});

test("a browser that refuses storage shows every page, and keeps the cart while a document is open", async () => {
  const opened = await openPage(store, { fresh: true });
  const { page } = opened;
  await page.addInitScript(() => {
    // as with all cookies blocked
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { configurable: true, get });
  });
  for (const path of ["/", "/login", "/register", "/cart", "/tools"]) {
    await page.goto(path);
    await settled(page);
    await expectNoProblems(opened, "colours");
  }
  await page
    .getByRole("button", { name: /^Add .+ to cart$/ })
    .first()
    .click();
  await page.getByText(/^Added /).waitFor();
  await page.getByRole("link", { name: /^Cart/ }).first().click();
  await page
    .getByText(/^1 line, /)
    .first()
    .waitFor();
  await expectNoProblems(opened);
  await opened.close();
});
