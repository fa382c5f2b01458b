/** Access to pages: protected pages, admin pages, and ended sessions. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBelowDashboard, pages } from "../../api/pages.ts";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  intercept,
  loseResponses,
  type OpenPage,
  openPage,
  settled,
  signInElsewhere,
  submitLogin,
} from "../harness/browser.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn, verifyEmail } from "../harness/users.ts";

let store: TestStore;
let user: SignedIn;
let tool: string;
let order: string;
beforeAll(async () => {
  store = await openStore();
  user = await register(store);
  const product = await addProduct(await adminOf(store));
  tool = product._id;
  order = (await placeFor(user, product))._id;
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

describe("a visitor", () => {
  let visitor: OpenPage;
  beforeAll(async () => {
    visitor = await openPage(store);
  });
  afterAll(() => visitor.close());

  test.each([
    ["/dashboard/orders", "Log in to see your orders."],
    ["/product/TOOL", "Log in to see this tool and to order it."],
    ["/checkout", "Log in to place your order. Your cart is kept."],
    ["/dashboard/stock", "Log in as an admin to open this page."],
    ["/dashboard/profile", "Log in to open this page."],
  ])(
    "is redirected from %s to the login, which remembers the page and says why",
    async (template, reason) => {
      const path = template.replace("TOOL", tool);
      await visitor.page.goto(path);
      await visitor.page.waitForURL((url) => url.pathname === "/login");
      expect(new URL(visitor.page.url()).searchParams.get("from")).toBe(path);
      await visitor.page.getByText(reason, { exact: true }).waitFor();
      expect(visitor.problems).toEqual([]);
    },
  );

  test("reads on the page Register why the login appeared, if a new account can do it", async () => {
    const { page } = visitor;
    await page.goto("/login?from=/checkout");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByText("Register to place your order. Your cart is kept.", { exact: true }).waitFor();
    await page.goto("/register?from=/dashboard/stock");
    await page.getByLabel("Name").waitFor();
    expect(await page.getByText(/to open this page/).count()).toBe(0);
  });

  test.each(pages.filter(isBelowDashboard).map(({ path }) => path))(
    "is redirected by the server from %s",
    async (path) => {
      const target = path.replace(":id", order);
      const response = await fetch(`${store.url}${target}`, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe(`/login?from=${encodeURIComponent(target)}`);
    },
  );

  test.each(["/dashboard/nope", "/dashboard/orders/nope", "/product"])(
    "sees a 404 page at %s",
    async (path) => {
      await visitor.page.goto(path);
      await visitor.page.getByText("Page not found").waitFor();
      await settled(visitor.page);
      expect(new URL(visitor.page.url()).pathname).toBe(path);
      visitor.expectProblem(/404/);
    },
  );

  test("loses a left-over token on a full load and on a navigation", async () => {
    const visitor = await openPage(store);
    const { page } = visitor;
    const leave = () => page.evaluate(() => localStorage.setItem("accessToken", "left.over.token"));
    const left = () => page.evaluate(() => localStorage.getItem("accessToken"));
    await page.goto("/");
    await leave();
    await page.goto("/dashboard/orders");
    await page.waitForURL((url) => url.pathname === "/login");
    await expect.poll(left).toBeNull();
    await page.goto("/");
    await settled(page);
    await leave();
    await page
      .getByRole("link", { name: /Buy Now/ })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await left()).toBeNull();
    await visitor.close();
  });

  test("returns after signing in, also to an order's payment", async () => {
    const visitor = await openPage(store);
    await visitor.page.goto(`/dashboard/payment/${order}`);
    await visitor.page.getByLabel("Email").fill(user.email);
    await visitor.page.getByLabel("Password").fill(user.password);
    await visitor.page.getByRole("button", { name: "Login" }).click();
    await visitor.page.waitForURL(`**/dashboard/payment/${order}`);
    await visitor.page.getByRole("heading", { name: "Payment" }).waitFor();
    expect(visitor.problems).toEqual([]);
    await visitor.close();
  });

  test("gets the document of an email's link after signing in", async () => {
    const { page, close } = await openPage(store);
    await page.goto(`/orders/${order}/confirmation.pdf`);
    await page.getByLabel("Email").fill(user.email);
    await page.getByLabel("Password").fill(user.password);
    const document = page.waitForResponse((response) => response.url().endsWith("/confirmation.pdf"));
    await page.getByRole("button", { name: "Login" }).click();
    expect((await document).status()).toBe(200);
    await close();
  });

  test("gets the export of a typed link after signing in, and the dashboard", async () => {
    const { page, close } = await openPage(store);
    await page.goto("/admin/customers/export.csv");
    await page.getByLabel("Email").fill(store.admin.email);
    await page.getByLabel("Password").fill(store.admin.password);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Login" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    await page.waitForURL("**/dashboard/profile");
    await close();
  });

  test("never leaves the store after signing in", async () => {
    const visitor = await openPage(store);
    await visitor.page.goto(`/login?from=${encodeURIComponent("//evil.example")}`);
    await visitor.page.getByLabel("Email").fill(user.email);
    await visitor.page.getByLabel("Password").fill(user.password);
    await visitor.page.getByRole("button", { name: "Login" }).click();
    await visitor.page.waitForURL(`${store.url}/`);
    await visitor.close();
  });
});

describe("a user who is not an admin", () => {
  test("is signed out by an admin page, and the token is removed", async () => {
    const fresh = await register(store);
    const visitor = await openPage(store, { user: fresh });
    await visitor.page.goto("/dashboard/manageOrder");
    await visitor.page.waitForURL((url) => url.pathname === "/login");
    const left = await visitor.page.evaluate(() => localStorage.getItem("accessToken"));
    expect(left).toBeNull();
    // and the session with it, not only what the browser remembers
    await expect
      .poll(async () => (await fresh.send("findUser", { params: { email: fresh.email } })).status)
      .toBe(401);
    await visitor.close();
  });

  test("who signs in on the way there gets their own dashboard, still signed in", async () => {
    const visitor = await openPage(store);
    await visitor.page.goto("/dashboard/manageOrder");
    await visitor.page.getByLabel("Email").fill(user.email);
    await visitor.page.getByLabel("Password").fill(user.password);
    await visitor.page.getByRole("button", { name: "Login" }).click();
    await visitor.page.getByRole("heading", { name: "My Profile" }).waitFor();
    expect(await visitor.page.evaluate(() => localStorage.getItem("accessToken"))).not.toBeNull();
    await visitor.close();
  });

  test("gains nothing by claiming the role in the browser", async () => {
    const visitor = await openPage(store, { user: { ...(await register(store)), role: "admin" } });
    await visitor.page.goto("/dashboard/manageOrder");
    await visitor.page.waitForURL((url) => url.pathname === "/login");
    await visitor.close();
  });
});

describe("a session", () => {
  test("that ended elsewhere redirects its page to the login, and back", async () => {
    const fresh = await register(store);
    const visitor = await openPage(store, { user: fresh });
    await visitor.page.goto("/dashboard/orders");
    await visitor.page.getByRole("heading", { name: "My Orders" }).waitFor();
    await fresh.signOut();
    await visitor.page.goto("/dashboard/orders");
    await visitor.page.waitForURL((url) => url.pathname === "/login" && url.searchParams.has("from"));
    await visitor.page.getByText("Your session has ended.").first().waitFor();
    expect(await visitor.page.evaluate(() => localStorage.getItem("stator.person"))).toBeNull();
    expect(visitor.problems).toEqual([]);
    await visitor.close();
  });

  test("that ended elsewhere downloads no login page in place of an export", async () => {
    const fresh = await adminOf(store);
    const visitor = await openPage(store, { user: fresh });
    const { page } = visitor;
    await page.goto("/dashboard/customers");
    const link = page.getByRole("link", { name: "Export CSV" });
    const download = page.waitForEvent("download");
    await link.click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    const restore = await intercept(page, /\/api\/auth\/get-session/);
    await link.click();
    await page.getByText("The server did not respond.").first().waitFor();
    restore();
    visitor.expectProblem(/ERR_FAILED/);
    await fresh.signOut();
    await link.click();
    await page.waitForURL(`**/login?from=${encodeURIComponent("/dashboard/customers")}`);
    await page.getByText("Your session has ended.").first().waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test.each([1280, 390])(
    "that the server could not end is reported as such, at %i pixels, and Try again ends it",
    async (width) => {
      const fresh = await register(store);
      const visitor = await openPage(store, { user: fresh, width });
      const { page } = visitor;
      await page.goto("/");
      await settled(page);
      const restore = await intercept(page, /\/api\/auth\/sign-out/);
      if (width < 1024) await page.locator("summary[aria-label=Menu]").click();
      await page.getByRole("button", { name: /^Sign Out/ }).click();
      const notice = page.getByText("Signed out on this device. The server could not be reached.");
      await notice.waitFor();
      // the timer is paused while the pointer is over it
      await notice.hover();
      expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
      const findSelf = () => fresh.send("findUser", { params: { email: fresh.email } });
      expect((await findSelf()).status).toBe(200);
      restore();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("You are signed out.", { exact: true }).first().waitFor();
      expect((await findSelf()).status).toBe(401);
      visitor.expectProblem(/ERR_FAILED/);
      await expectNoProblems(visitor);
      await visitor.close();
    },
  );

  test("that another user began in another tab takes over nothing that was typed before", async () => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const visitor = await openPage(store, { user: before });
    const { page } = visitor;
    await page.goto("/dashboard/profile");
    await page.getByRole("textbox", { name: "Education" }).fill("Fitter");
    await signInElsewhere(page, after);
    await expect.poll(() => page.getByRole("textbox", { name: "Education" }).inputValue()).toBe("");
    await visitor.close();
  });

  test.each(["/product/TOOL", "/checkout"])(
    "that another user began in another tab takes over no address of %s",
    async (path) => {
      const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
      const lines = [{ productId: tool, quantity: 20 }];
      for (const one of [before, after]) await one.call("saveCart", { body: { version: 0, lines } });
      const visitor = await openPage(store, { user: before });
      const { page } = visitor;
      await page.goto(path.replace("TOOL", tool));
      const address = page.getByRole("textbox", { name: "Address" });
      await address.fill("1 Ada Street");
      await signInElsewhere(page, after);
      await expect.poll(() => address.inputValue()).toBe("");
      await visitor.close();
    },
  );

  test("that another user began in another tab while a token was renewed is left alone", async () => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const visitor = await openPage(store, { user: { ...before, token: "no.longer.good" } });
    const { page } = visitor;
    await page.goto(`/product/${tool}`);
    await page.getByRole("textbox", { name: "Address" }).fill("1 Ada Street");
    const { held, release } = await holdResponse(page, "**/user/**", "PUT");
    await page.getByRole("button", { name: "Purchase" }).click();
    await held;
    await signInElsewhere(page, after);
    release();
    await settled(page);
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBe(after.token);
    expect(await page.locator(".hdr__name").first().textContent()).toBe("Bea After");
    expect(page.url()).toContain(tool);
    expect((await after.send("findUser", { params: { email: after.email } })).status).toBe(200);
    visitor.expectProblem(/401/);
    await visitor.close();
  });

  test("that ended here while a token was renewed leaves none, and no message", async () => {
    const fresh = await register(store);
    const visitor = await openPage(store, { user: { ...fresh, token: "no.longer.good" } });
    const { page } = visitor;
    await page.goto(`/product/${tool}`);
    await page.getByRole("textbox", { name: "Address" }).fill("1 Ada Street");
    const { held, release } = await holdResponse(page, "**/user/**", "PUT");
    await page.getByRole("button", { name: "Purchase" }).click();
    await held;
    await page.getByRole("button", { name: /^Sign Out/ }).click();
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await page.waitForURL((url) => url.pathname === "/");
    // the URL changes before the page
    await page.getByRole("textbox", { name: "Address" }).waitFor({ state: "detached" });
    release();
    await settled(page);
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await page.getByText("Your session has ended.").count()).toBe(0);
    visitor.expectProblem(/401/);
    await visitor.close();
  });

  test("that could not be ended is not ended by Try again once another user is signed in", async () => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const visitor = await openPage(store, { user: before });
    const { page } = visitor;
    await page.goto("/");
    const restore = await intercept(page, /\/api\/auth\/sign-out/);
    await page.getByRole("button", { name: /^Sign Out/ }).click();
    await page.getByText("Signed out on this device. The server could not be reached.").hover();
    restore();
    visitor.expectProblem(/ERR_FAILED/);
    await signInElsewhere(page, after);
    await page.getByRole("button", { name: "Try again" }).click();
    await settled(page);
    expect((await after.send("findUser", { params: { email: after.email } })).status).toBe(200);
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBe(after.token);
    await visitor.close();
  });

  test("that another user began in another tab shows whether they get a back-in-stock email", async () => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const { _id: id } = await addProduct(await adminOf(store), { minimum_order: 10, quantity: 0 });
    await verifyEmail(store.pool, before.email);
    const confirmed = await logIn(store, before); // confirming has ended the session
    await confirmed.call("addStockAlert", { params: { id } });
    const visitor = await openPage(store, { user: confirmed });
    await visitor.page.goto(`/product/${id}`);
    await visitor.page.getByText(`We send one email to ${before.email}`).waitFor();
    await signInElsewhere(visitor.page, after);
    await visitor.page.getByRole("button", { name: "Email me when it can be ordered" }).waitFor();
    await visitor.close();
  });

  test("that ended leaves no draft of a purchase order to the next user", async () => {
    const [before, after] = [await register(store, "Ada Before"), await register(store, "Bea After")];
    const visitor = await openPage(store, { user: before });
    const { page } = visitor;
    await page.goto(`/product/${tool}`);
    await settled(page);
    const address = page.getByRole("textbox", { name: "Address" });
    await address.fill("1 Ada Street");
    await before.signOut();
    await page.getByRole("button", { name: "Purchase" }).click();
    await page.waitForURL(/\/login\?from=/);
    visitor.expectProblem(/401/);
    await submitLogin(page, after);
    await page.waitForURL(new RegExp(tool));
    await settled(page);
    expect(await address.inputValue()).toBe("");
    await visitor.close();
  });

  test("that ended before a purchase with a lost response is sent again orders once", async () => {
    const buyer = await register(store);
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto(`/product/${tool}`);
    await settled(page);
    await page.getByRole("textbox", { name: "Address" }).fill("1 Ada Street");
    const stop = await loseResponses(page, "**/purchase");
    const purchase = page.getByRole("button", { name: "Purchase" });
    await purchase.click();
    await page.getByText("The store is not ready.").first().waitFor();
    stop();
    await buyer.signOut();
    await purchase.click();
    await page.waitForURL(/\/login\?from=/);
    await submitLogin(page, buyer);
    await page.waitForURL(new RegExp(tool));
    await settled(page);
    await purchase.click();
    await page.waitForURL(/\/dashboard\/orders/);
    visitor.expectProblem(/401|504/);
    const { rowCount } = await store.pool.query("SELECT FROM shop.purchase WHERE email = $1", [buyer.email]);
    expect(rowCount).toBe(1);
    await visitor.close();
  });

  test("that ended while Back kept a page as it was is not shown by it", async () => {
    const visitor = await openPage(store, { user });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    await settled(page);
    // such a page gets no events of storage
    await page.evaluate(() => {
      localStorage.removeItem("stator.person");
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await page.waitForURL(/\/login\?from=/);
    await visitor.close();
  });

  test("that cannot be verified at first is verified when the store responds", async () => {
    const visitor = await openPage(store, { user });
    const { page } = visitor;
    const restore = await intercept(page, /\/get-session|\/readyz/);
    await page.goto("/login?from=%2Fblog");
    await page.getByText("You are offline.").waitFor();
    visitor.expectProblem(/ERR_FAILED/);
    restore();
    await page.waitForURL("**/blog");
    await visitor.close();
  });

  test("renews an expired token silently", async () => {
    const fresh = await register(store);
    const visitor = await openPage(store, { user: { ...fresh, token: "no.longer.good" } });
    await visitor.page.goto("/dashboard/profile");
    await visitor.page.getByRole("textbox", { name: "Education" }).fill("Fitter");
    await visitor.page.getByRole("button", { name: "Update Education" }).click();
    await visitor.page.getByText("Updated SuccessFully").first().waitFor();
    visitor.expectProblem(/401/);
    const token = await visitor.page.evaluate(() => localStorage.getItem("accessToken"));
    expect(token).not.toBe("no.longer.good");
    await visitor.close();
  });

  test("is sufficient if this browser has forgotten the user: the server knows", async () => {
    const fresh = await register(store, "Fern Forgotten");
    const visitor = await openPage(store, { user: fresh });
    const { page } = visitor;
    await page.goto("/");
    await page.evaluate(() => localStorage.clear());
    await page.goto("/dashboard/profile");
    await page.locator(".hdr__name").getByText("Fern Forgotten").first().waitFor();
    await page.getByRole("textbox", { name: "Education" }).fill("Fitter");
    await page.getByRole("button", { name: "Update Education" }).click();
    await page.getByText("Updated SuccessFully").first().waitFor();
    visitor.expectProblem(/401/);
    await visitor.close();
  });
});
