/** Pages that cannot be had: no connection, a script that is gone, a browser without script. */
import type { Locator, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, expectNoProblems, intercept, openPage, settled } from "../harness/browser.ts";
import { register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(async () => {
  await closeBrowser();
  await store.stop();
});

const lost = /ERR_|Failed to (load|fetch)|Error loading route module|dynamically imported/;
const scriptOfBlog = /\/assets\/blog-[^/]*\.js/;

describe("a move to another page", () => {
  test("whose script is lost with the connection leaves the page as it is, and Retry goes there", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/login");
    await page.getByLabel("Email").fill("ingrid@buyers.example");
    const restore = await intercept(page, /\/assets\/register-[^/]*\.js|\/healthz/);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByText("There is no connection to the store.").first().waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).count(), "said once").toBe(1);
    expect(new URL(page.url()).pathname).toBe("/login");
    expect(await page.getByLabel("Email").inputValue()).toBe("ingrid@buyers.example");
    async function pressInVain(what: Locator) {
      // until the store was asked for: the answer may come late, and the connection be back by then
      const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/healthz"));
      await what.click();
      await failed;
    }
    for (const _press of [1, 2, 3]) await pressInVain(page.getByRole("button", { name: "Retry" }));
    // the same link once more is not answered with silence
    await pressInVain(page.getByRole("link", { name: "Create an account" }));
    await page.getByText("There is no connection to the store.").first().waitFor();
    expect(await page.getByRole("alert").count(), "one toast, however often it was said").toBe(1);
    restore();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Register" }).waitFor();
    opened.expectProblem(lost);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("whose script is lost while the pointer rests on its link is told at the press, and Retry goes there", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/");
    await settled(page);
    const getStarted = page.getByRole("link", { name: "Get Started" });
    const restore = await intercept(page, /\/assets\/tools-[^/]*\.js|\/healthz/);
    await getStarted.hover();
    await expect.poll(() => opened.problems.join()).toMatch(/Error loading route module/);
    expect(await page.getByRole("alert").count()).toBe(0);
    await getStarted.click();
    await page.getByText("There is no connection to the store.").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    restore();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
    opened.expectProblem(lost);
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  test("whose script is gone, because the store was upgraded, loads the page anew", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/portfolio");
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

  test("that needs the server's answer says what failed, and Try again brings the page", async () => {
    const opened = await openPage(store);
    const { page } = opened;
    await page.goto("/blog");
    await settled(page);
    const restore = await intercept(page, /\/tools\.data|\/healthz/);
    await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Tools" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    const focused = page.locator(":focus");
    expect(await focused.textContent(), "has the focus").toBe("This page could not be loaded");
    await page.getByRole("button", { name: "Try again" }).click();
    const alert = page.getByRole("alert").getByText("There is no connection to the store.");
    const first = await alert.elementHandle();
    await page.getByRole("button", { name: "Try again" }).click();
    // a screen reader says words again only when they are new on the page
    await expect.poll(() => first?.evaluate((words) => words.isConnected)).toBe(false);
    await alert.waitFor();
    expect(await focused.textContent()).toBe("Try again");
    restore();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
    opened.expectProblem(lost);
    await opened.close();
  });
});

describe("without script", () => {
  test("the catalogue is searched, filtered, sorted, shown as a grid, and turned page by page", async () => {
    const { page, close } = await openPage(store, { script: false });
    await page.goto("/tools");
    await page.getByRole("searchbox", { name: "Search the catalogue" }).fill("saw");
    await page.getByRole("button", { name: "Search" }).click();
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

  test("the filters of a phone open and are sent", async () => {
    const { page, close } = await openPage(store, { script: false, width: 390, height: 844 });
    await page.goto("/tools");
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByLabel(/^Sanding & finishing/).check();
    await page.getByRole("button", { name: /^Show \d+ tools/ }).click();
    await page.waitForURL((url) => url.searchParams.get("category") === "Sanding & finishing");
    await page.getByRole("status").getByText("4 tools").waitFor();
    await close();
  });

  test.each(["/", "/blog", "/portfolio", "/nowhere"])("%s can be read", async (path) => {
    const { page, close } = await openPage(store, { script: false });
    await page.goto(path);
    expect((await page.getByRole("main").textContent())?.length).toBeGreaterThan(60);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await close();
  });

  test("a form that cannot do without says so", async () => {
    const html = await (await fetch(`${store.url}/login`)).text();
    expect(/<noscript>([\s\S]*?)<\/noscript>/.exec(html)?.[1]).toContain("This page needs JavaScript.");
  });
});

describe("a call", () => {
  /** Sends a review, which `first` answers at the first time; gives the page, and what the store answered after that. */
  async function send(person: SignedIn, first: (route: Route) => Promise<unknown>) {
    const opened = await openPage(store, { person });
    const { page } = opened;
    const answers: number[] = [];
    await page.route(/\/reviews$/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (answers.push(0) === 1) return first(route);
      const response = await route.fetch();
      answers[answers.length - 1] = response.status();
      await route.fulfill({ response });
    });
    await page.goto("/dashboard/review");
    await page.getByLabel("Rating").first().fill("4");
    await page.getByLabel("Review", { exact: true }).fill("Came in three days, strapped well.");
    await page.getByRole("button", { name: "Add Review" }).click();
    return { opened, page, answers };
  }
  const ofProxy = (route: Route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" });

  test("that a proxy answers, which does not reach the store, is said to be the store's trouble, not the network's", async () => {
    const opened = await openPage(store, { person: await register(store) });
    const { page } = opened;
    await page.route(/\/user\//, ofProxy);
    await page.goto("/dashboard/review");
    await page.getByText("The store is not ready. Try again in a moment.").waitFor();
    expect(await page.getByText("There is no connection").count()).toBe(0);
    opened.expectProblem(/502/);
    await opened.close();
  });

  test("whose answer a proxy swallows is made again, and its effect is there once", async () => {
    const { opened, page, answers } = await send(await register(store, "Pia Proxy"), async (route) => {
      await route.fetch();
      await ofProxy(route);
    });
    await page.getByText("Thanks For Your Review").first().waitFor();
    expect(answers).toEqual([0, 200]);
    const { rowCount } = await store.pool.query("SELECT FROM shop.review WHERE name = 'Pia Proxy'");
    expect(rowCount).toBe(1);
    opened.expectProblem(/502/);
    await opened.close();
  });

  test("whose answer is lost while its token runs out is made again with a new token", async () => {
    const { opened, page, answers } = await send(await register(store), async (route) => {
      await route
        .request()
        .frame()
        .evaluate(() => localStorage.setItem("accessToken", "no.longer.good"));
      await route.abort();
    });
    await page.getByText("Thanks For Your Review").first().waitFor();
    expect(answers).toEqual([0, 401, 200]);
    opened.expectProblem(/401|ERR_FAILED/);
    await opened.close();
  });
});
