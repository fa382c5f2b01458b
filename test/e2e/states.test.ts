/** Screens in their other states: empty, failed, offline, dialogs. */
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
} from "../harness/browser.ts";
import { addProduct, placeFor, placeOrderFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let newcomer: SignedIn;
const ids: Record<string, string> = {};
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
  buyer = await register(store, "Bo Buyer");
  newcomer = await register(store, "Nils Newcomer");
  const [tool] = await buyer.call("listProducts", {});
  if (!tool) throw new Error("The sample catalogue is empty.");
  Object.assign(ids, { TOOL: tool._id, UNPAID: (await placeFor(buyer, tool))._id });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

type Who = "visitor" | "newcomer" | "buyer" | "admin";
interface State {
  who: Who;
  path: string;
  /** brings the page into the state */
  act?: (page: Page) => Promise<unknown>;
  /** the text of the page then */
  text: string | RegExp;
  /** a browser error that belongs to the state */
  complaint?: RegExp;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const states: State[] = [
  { who: "visitor", path: "/login", act: press("Login"), text: "Email is required" },
  { who: "visitor", path: "/login", act: press("Forgot Password"), text: "Please Provide Email First" },
  { who: "visitor", path: "/register", act: press("Register"), text: "Name is Required" },
  { who: "visitor", path: "/reset-password?error=INVALID_TOKEN", text: /was used or has expired/ },
  { who: "visitor", path: "/tools?q=hovercraft", text: /No tool matches/ },
  { who: "visitor", path: "/tools?view=grid&q=saw", text: /Minimum Order/ },
  {
    who: "buyer",
    path: "/product/00000000-0000-7000-8000-000000000000",
    text: "Page not found",
    complaint: /404/,
  },
  {
    who: "buyer",
    path: "/product/TOOL",
    act: (page) => page.getByLabel("Quantity", { exact: true }).fill("1"),
    text: /You have to purchase at least/,
  },
  { who: "newcomer", path: "/dashboard/orders", text: "No orders yet" },
  { who: "buyer", path: "/dashboard/orders", act: press(/^Cancel Order/), text: /will be deleted/ },
  { who: "buyer", path: "/dashboard/profile", act: press(/^Update/), text: "Education is required" },
  {
    who: "buyer",
    path: "/dashboard/review",
    act: (page) => page.getByLabel("Rating").fill("6"),
    text: "Maximum 5 Star review available",
  },
  { who: "buyer", path: "/dashboard/payment/UNPAID", act: press(/^Pay \$/), text: /card number/i },
  { who: "admin", path: "/dashboard/manageOrder?q=nobody", text: "No matching orders" },
  {
    who: "admin",
    path: "/dashboard/addProduct",
    act: press("Add Product"),
    text: "Product picture is required",
  },
  { who: "admin", path: "/dashboard/manageProduct", act: press(/^Delete/), text: /Buyers no longer see it/ },
  { who: "admin", path: "/dashboard/makeAdmin", act: press(/^Make Admin/), text: /cannot be undone/ },
  { who: "admin", path: "/dashboard/nowhere", text: "Page not found", complaint: /404/ },
];

describe.each(states)("$who, $path: $text", ({ who, path, act, text, complaint }) => {
  let opened: OpenPage;
  beforeAll(async () => {
    opened = await visit(who, path, { width: 390, theme: "dark" });
    if (complaint) opened.expectProblem(complaint);
  });
  afterAll(() => opened.close());

  test("at 390 pixels, dark and light", async () => {
    await act?.(opened.page);
    await expectIn("dark", "light");
  });

  // a window may grow after the page has loaded; the state is then restored
  test("at 1280 pixels, light and dark", async () => {
    await opened.page.setViewportSize({ width: 1280, height: 900 });
    if (act) await goTo(opened.page, path);
    await act?.(opened.page);
    await expectIn("light", "dark");
  });

  async function expectIn(theme: "dark" | "light", other: "dark" | "light") {
    await opened.page.emulateMedia({ colorScheme: theme });
    await opened.page.getByText(text).first().waitFor();
    await expectNoProblems(opened);
    await opened.page.emulateMedia({ colorScheme: other });
    await expectNoProblems(opened, "colours");
  }
});

async function visit(who: Who, path: string, options: PageOptions = {}): Promise<OpenPage> {
  const user = { visitor: undefined, newcomer, buyer, admin }[who];
  const opened = await openPage(store, { ...options, ...(user && { user }) });
  await goTo(opened.page, path);
  return opened;
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path.replace(/[A-Z]{4,}$/, (name) => ids[name] ?? name));
  await page.getByRole("heading").first().waitFor();
  await settled(page);
}

test("a page that the store cannot render shows the reference of its line in the log", async () => {
  await store.pool.query("ALTER TABLE shop.review RENAME TO unreadable");
  await expect.poll(async () => (await fetch(store.url)).status).toBe(500);
  const opened = await openPage(store);
  const { page } = opened;
  const reference = (await page.goto("/"))?.headers()["x-request-id"] as string;
  await settled(page);
  expect(await page.getByText("Reference:").textContent()).toBe(`Reference: ${reference}`);
  opened.expectProblem(/500/);
  await expectNoProblems(opened);
  await store.pool.query("ALTER TABLE shop.unreadable RENAME TO review");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("could not be loaded").waitFor({ state: "detached" });
  const logged = store.logs.expect(/does not exist/).map((line) => JSON.parse(line).requestId);
  expect(logged).toContain(reference);
  await opened.close();
});

test("a list that the store cannot read says so, and Try again loads it", async () => {
  await store.pool.query("ALTER TABLE shop.purchase RENAME TO unreadable");
  const opened = await openPage(store, { user: buyer });
  const { page } = opened;
  await page.goto("/dashboard/orders");
  const message = page.getByRole("alert").getByText("Your orders could not be loaded.");
  await message.waitFor();
  await settled(page);
  await expectNoProblems(opened);
  const first = await message.elementHandle();
  await page.getByRole("button", { name: "Try again" }).click();
  // a screen reader repeats a text only in a new element
  await expect.poll(() => first?.evaluate((words) => words.isConnected)).toBe(false);
  await store.pool.query("ALTER TABLE shop.unreadable RENAME TO purchase");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row").first().waitFor();
  await expectNoProblems(opened);
  store.logs.expect(/unreadable|does not exist/);
  await opened.close();
});

describe("without a connection", () => {
  const lost = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/;

  test("a purchase that cannot be sent says so and keeps the input", async () => {
    const opened = await visit("buyer", "/product/TOOL");
    const { page } = opened;
    await page.getByLabel("Address").fill("Unit 6, Canal Yard");
    // the form's rules, which the focus loads, would be waited for
    await settled(page);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Purchase" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /connection/ })
      .first()
      .waitFor();
    expect(await page.getByLabel("Address").inputValue()).toBe("Unit 6, Canal Yard");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Purchase" }).click();
    await page.getByText("Purchased Successfully").waitFor();
    opened.expectProblem(lost);
    await opened.close();
  });
});

describe("a toast", () => {
  const text = "Please Provide Email First";
  const toastOn = (page: Page) => page.locator(".toast").filter({ hasText: text });

  async function visitWithToast() {
    const opened = await visit("visitor", "/login", { motion: true });
    await opened.page.clock.install();
    await opened.page.getByRole("button", { name: "Forgot Password" }).press("Enter");
    await opened.page.getByRole("status").filter({ hasText: text }).first().waitFor();
    return opened;
  }

  test("is announced, is at the top right, stays during hover, and goes after five seconds", async () => {
    const { page, close } = await visitWithToast();
    const toast = toastOn(page);
    const box = await toast.boundingBox();
    expect(box?.y).toBeLessThan(120);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1280 - 60);
    await toast.hover();
    await page.clock.runFor(8000);
    expect(await toast.count(), "while it is pointed at").toBe(1);
    await page.mouse.move(200, 700);
    await page.clock.runFor(8000);
    await toast.waitFor({ state: "detached" });
    await close();
  });

  test("is closed with a key, and the focus returns", async () => {
    const { page, close } = await visitWithToast();
    await toastOn(page).getByRole("button", { name: "Dismiss" }).focus();
    await page.clock.runFor(8000);
    expect(await toastOn(page).count(), "while it has the focus").toBe(1);
    await page.keyboard.press("Enter");
    await page.clock.runFor(1000);
    await toastOn(page).waitFor({ state: "detached" });
    expect(await page.locator(":focus").textContent()).toBe("Forgot Password");
    await close();
  });

  test("loading a chunk is aborted after two minutes, with Try again", async () => {
    const opened = await visit("visitor", "/");
    const { page } = opened;
    await page.clock.install();
    const letThrough = await intercept(page, /blog/, () => undefined);
    await page.getByRole("link", { name: "Blog" }).first().click();
    // the two minutes begin some time after the click, and the bar 150 ms after that
    const isShown = async () => {
      await page.clock.runFor(50);
      return page.getByRole("progressbar").count();
    };
    await expect.poll(isShown).toBe(1);
    await page.clock.runFor(119_000);
    await page.getByRole("progressbar").waitFor({ state: "attached" });
    expect(await page.getByText("could not be loaded within two minutes").count()).toBe(0);
    await page.clock.runFor(2000);
    await page.getByText("could not be loaded within two minutes").waitFor();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    letThrough();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Blog" }).waitFor();
    await opened.close();
  });
});

test("a forgotten password: the email's link sets a new one, which works, and the old one does not", async () => {
  const user = await register(store, "Fiona Forgetful");
  const opened = await visit("visitor", "/login");
  const { page } = opened;
  await page.getByLabel("Email").fill(user.email);
  await press("Forgot Password")(page);
  await page.getByText("Password Reset Email Sent Successfully").waitFor();
  let link = "";
  await expect
    .poll(async () => {
      const emails = await store.outbox(user.email);
      link = emails.map(({ text }) => /http\S*reset-password\S*/.exec(text)?.[0] ?? "").join("");
      return link;
    })
    .not.toBe("");
  await page.goto(link);
  await page.getByLabel("Password").fill("short");
  await press("Set password")(page);
  await page.getByText("Password should be at least 6 charecter").waitFor();
  await page.getByLabel("Password").fill("a new one, and better");
  await press("Set password")(page);
  await page.getByText("Your new password is set").waitFor();
  await page.waitForURL("**/login");
  await expectNoProblems(opened);
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password").fill("a new one, and better");
  await press("Login")(page);
  await page.waitForURL(`${store.url}/`);
  await expect(logIn(store, user)).rejects.toThrow("401");
  await page.goto(link);
  await page.getByLabel("Password").fill("once more, with the same link");
  await press("Set password")(page);
  await page.getByRole("alert").filter({ hasText: "no longer valid" }).waitFor();
  expect(await page.getByRole("button", { name: "Set password" }).count(), "a form that can only fail").toBe(
    0,
  );
  // a signed-in user is redirected at once
  const led = page.waitForURL("**/login");
  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  await led;
  opened.expectProblem(/400/);
  await opened.close();
});

test("filters without results: shows which ones to remove; removed one by one, or all at once", async () => {
  const opened = await visit("visitor", "/tools?q=saw&power=Battery&minimum=10&stock=over500");
  const { page } = opened;
  await page.getByRole("heading", { name: "No tool matches “saw” with these filters" }).waitFor();
  // the filters are no part of the search
  const landmark = page.getByRole("search", { name: "Tools" });
  expect(await landmark.getByRole("combobox").count()).toBe(1);
  expect(await landmark.getByRole("checkbox").count()).toBe(0);
  await expectNoProblems(opened);
  await page.getByText("Removing one filter is not enough.").waitFor();
  const ways = page.getByRole("list", { name: "Active filters" });
  await ways.getByRole("link", { name: "Remove Over 500 pieces" }).press("Enter");
  await ways.getByRole("link", { name: "Remove Over 500 pieces" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?q=saw&power=Battery&minimum=10");
  const less = page.getByRole("link", { name: /^Without Battery: \d+ tools$/ });
  const left = (await less.textContent())?.split(": ")[1];
  await expectNoProblems(opened);
  await less.press("Enter");
  await page.getByRole("link", { name: "Buy Now, Mitre saw" }).waitFor();
  expect(new URL(page.url()).search).toBe("?q=saw&minimum=10");
  await expect.poll(() => page.locator(":focus").textContent()).toBe(`${left} for “saw”`);
  await page.goBack();
  await page.getByRole("link", { name: "Clear all filters" }).press("Enter");
  await page.getByRole("link", { name: "Buy Now, Jigsaw" }).waitFor();
  expect(new URL(page.url()).search).toBe("?q=saw");
  await expect.poll(() => page.locator(":focus").textContent()).toBe("7 tools for “saw”");
  await opened.close();
});

test("a phone's toast is at the bottom, and closes with its page", async () => {
  const { page, close } = await visit("buyer", "/dashboard/review", { width: 390 });
  await page.getByLabel("Rating").first().fill("4");
  await page.getByLabel("Review", { exact: true }).fill("Came in three days, strapped well.");
  await page.getByRole("button", { name: "Add Review" }).click();
  const toast = page.locator(".toast").filter({ hasText: "Thanks For Your Review" });
  await toast.waitFor();
  await expect.poll(async () => (await toast.boundingBox())?.y).toBeGreaterThan(600);
  await page.waitForTimeout(1600);
  await page.getByRole("link", { name: "Stator, home" }).click();
  await toast.waitFor({ state: "detached", timeout: 2000 });
  await close();
});

test("a phone shows the newest toast alone, so that rows can still be added below", async () => {
  const { page, close } = await visit("visitor", "/tools", { width: 390 });
  const add = page.getByRole("button", { name: /^Add .+ to cart$/ });
  const texts: (string | null)[] = [];
  for (const at of [0, 1]) {
    await add.nth(at).dispatchEvent("click");
    await expect.poll(() => page.locator(".toast").count()).toBe(at + 1);
    texts.push(await page.locator(".toast").first().textContent());
  }
  const shown = page.locator(".toast").filter({ visible: true });
  expect([await shown.count(), await shown.textContent()]).toEqual([1, texts[1]]);
  await close();
});

test("a phone offers filters only if there are any, and sorting only if there is something to sort", async () => {
  const { page, close } = await visit("visitor", "/tools?q=zzzzzz&sort=price", { width: 390 });
  const opener = page.getByRole("button", { name: /^Filters/ });
  const order = page.getByRole("combobox", { name: "Sort by" });
  await page.getByRole("heading", { name: "No tool matches “zzzzzz”" }).waitFor();
  expect(await opener.count()).toBe(0);
  expect(await order.count()).toBe(0);
  const search = page.getByRole("combobox", { name: "Search tools" });
  await search.fill("saw");
  await opener.waitFor();
  expect(await order.inputValue(), "chosen before").toBe("price");
  // filters selected there can be removed there
  await page.goto("/tools?q=zzzzzz&power=Battery");
  await page.getByRole("heading", { name: "No tool matches “zzzzzz” with these filters" }).waitFor();
  await opener.waitFor();
  await close();
});

test("a phone's filters take the focus, return it, and never cover it", async () => {
  const { page, close } = await visit("visitor", "/tools", { width: 390 });
  const sheet = page.getByRole("complementary", { name: "Filters" });
  const opener = page.getByRole("button", { name: "Filters", exact: true });
  const hasFocus = (of: typeof opener) => of.evaluate((element) => element === document.activeElement);
  await opener.press("Enter");
  const closer = sheet.getByRole("button", { name: "Close filters" });
  await expect.poll(() => hasFocus(closer)).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(opener)).toBe(true);
  await opener.press("Enter");
  await expect.poll(() => hasFocus(closer)).toBe(true);
  await sheet.getByRole("button", { name: /^Show \d+ tools/ }).focus();
  await page.keyboard.press("Tab");
  await sheet.waitFor({ state: "hidden" });
  await close();
});

test("a phone's filters are closed by the button that shows the results", async () => {
  const { page, close } = await visit("visitor", "/tools?q=drill", { width: 390 });
  const sheet = page.getByRole("complementary", { name: "Filters" });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await sheet.getByRole("checkbox", { name: /^Battery/ }).check();
  await page.waitForURL("**/tools?q=drill&power=Battery");
  await sheet.getByRole("button", { name: /^Show \d+ tools?/ }).click();
  await sheet.waitFor({ state: "hidden" });
  expect(new URL(page.url()).search).toBe("?q=drill&power=Battery");
  await close();
});

test("text typed into the search on a slow CPU stays as typed", async () => {
  const { page, close } = await visit("visitor", "/tools");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const field = page.getByRole("combobox", { name: "Search tools" });
  for (const words of ["angle grinder", "circular saw"]) {
    await field.fill("");
    await field.pressSequentially(words, { delay: 100 });
    await page.waitForURL((url) => url.searchParams.get("q") === words);
    expect(await field.inputValue()).toBe(words);
  }
  await close();
});

test("at 320 pixels, as at 400 % zoom, no page scrolls horizontally", async () => {
  const long = `/tools?q=${"z".repeat(60)}`;
  const few = await addProduct(admin, { itemNumber: "FEW 320", minimum_order: 2000, quantity: 1999 });
  const many = await addProduct(admin, { quantity: 1_000_000 });
  const texts = [
    "/",
    "/tools",
    long,
    "/tools?q=FEW+320",
    "/blog",
    "/portfolio",
    "/login",
    "/register",
    "/nowhere",
  ];
  for (const [who, paths] of [
    ["visitor", texts],
    ["buyer", ["/product/TOOL", `/product/${few._id}`]],
    ["admin", [`/dashboard/stock/${many._id}`]],
  ] as const) {
    const opened = await visit(who, "/", { width: 320, height: 256 });
    for (const path of paths) {
      await goTo(opened.page, path);
      const width = await opened.page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(320);
    }
    await opened.close();
  }
});

test("at 320 pixels, spaced texts (WCAG 1.4.12) do not widen a page, and stock is not cut off", async () => {
  const tool = await addProduct(admin, { itemNumber: "SPACED 18-420", order_multiple: 5, quantity: 123_450 });
  const user = await register(store);
  const lines = [{ productId: tool._id, quantity: 50 }];
  await user.call("saveCart", { body: { version: 0, lines } });
  const { page, close } = await openPage(store, { width: 320, height: 640, user });
  for (const path of ["/", "/tools", `/product/${tool._id}`, "/cart", "/dashboard/account"]) {
    await goTo(page, path);
    await page.evaluate(() => {
      const spaced = new CSSStyleSheet();
      spaced.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em; word-spacing: 0.16em }");
      document.adoptedStyleSheets = [spaced];
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    if (path !== "/cart") continue;
    const note = page.locator(".pad__name small").first();
    await note.getByText("123,450 in stock").waitFor();
    expect(await note.evaluate((small) => small.scrollWidth - small.clientWidth)).toBe(0);
  }
  await close();
});

test("the longest texts do not widen an admin's pages", async () => {
  const name = "Schlagbohrmaschine".repeat(8);
  const tool = await addProduct(admin, { name, category: "z".repeat(80), itemNumber: "x".repeat(60) });
  const order = await placeOrderFor(buyer, [[tool, 10]], { poNumber: "PO".repeat(20) });
  const opened = await visit("admin", "/dashboard/overview", {});
  for (const path of [
    "/dashboard/manageOrder?columns=buyer,po,placed,quantity,total",
    `/dashboard/order/${order._id}`,
    "/dashboard/manageProduct",
  ]) {
    await goTo(opened.page, path);
    for (const width of [390, 768, 1440]) {
      await opened.page.setViewportSize({ width, height: 900 });
      const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
    }
    const compact = await opened.page.evaluate(() => {
      document.documentElement.dataset.density = "compact";
      return document.documentElement.scrollWidth;
    });
    expect(compact, `${path}, compact`).toBeLessThanOrEqual(1440);
  }
  await opened.close();
});
