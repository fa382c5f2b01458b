/** The dashboard in a real browser, with the specification's texts. */
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  holdResponse,
  intercept,
  loseResponses,
  openPage,
  settled,
} from "../harness/browser.ts";
import { addProduct, cards, drill, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

describe("a buyer", () => {
  test("updates each profile field separately", async () => {
    const buyer = await register(store, "Peter Profile");
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto("/dashboard/profile");
    await page.getByText(buyer.email).first().waitFor();
    const values = {
      Education: "Engineer",
      Location: "Port Harrow",
      Phone: "+1 555 0100",
      LinkedIn: "in/peter",
    };
    for (const [label, value] of Object.entries(values)) {
      const form = page.getByRole("form", { name: label });
      await form.getByRole("button").click();
      await form.getByText(`${label} is required`).waitFor();
      await form.getByRole("textbox").fill(value);
      await form.getByRole("button").click();
      await page.getByText("Updated SuccessFully").first().waitFor();
      await form.getByText(value, { exact: true }).waitFor();
    }
    await expectNoProblems(visitor);
    const user = await buyer.call("findUser", { params: { email: buyer.email } });
    expect(user).toMatchObject({ education: "Engineer", location: "Port Harrow", linkedin: "in/peter" });
    await visitor.close();
  });

  test("adds a review, which is then on the home page", async () => {
    const visitor = await openPage(store, { user: await register(store, "Rita Review") });
    const { page } = visitor;
    await page.goto("/dashboard/review");
    const send = page.getByRole("button", { name: "Add Review" });
    await page.getByLabel("Rating").fill("-1");
    await page.getByText("review cam't be a negative value").waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel("Rating").fill("5.5");
    await page.getByText("Maximum 5 Star review available").waitFor();
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Rate 3 of 5" }).click();
    expect(await page.getByLabel("Rating").inputValue()).toBe("3");
    await page.getByLabel("Rating").fill("4.5");
    // a focused number would follow the wheel
    await page.getByLabel("Rating").hover();
    await page.mouse.wheel(0, 100);
    await expect
      .poll(() => page.getByLabel("Rating").evaluate((one) => one === document.activeElement))
      .toBe(false);
    expect(await page.getByLabel("Rating").inputValue()).toBe("4.5");
    await page.getByRole("textbox", { name: "Review" }).fill("Twelve of them, six months, no complaint.");
    await send.click();
    await page.getByText("Thanks For Your Review").waitFor();
    await expectNoProblems(visitor);
    const home = async () => (await fetch(`${store.url}/`)).text();
    await expect.poll(home, { timeout: 5000 }).toContain("Twelve of them, six months, no complaint.");
    await visitor.close();
  });

  test("adds a review once although its response is lost", async () => {
    const rose = await register(store, "Rose Resend");
    const visitor = await openPage(store, { user: rose });
    const { page } = visitor;
    await page.goto("/dashboard/review");
    await page.getByLabel("Rating").fill("4");
    await page.getByRole("textbox", { name: "Review" }).fill("Sent twice.");
    const stop = await loseResponses(page, /\/reviews$/);
    const send = page.getByRole("button", { name: "Add Review" });
    await send.click();
    await page.getByText("The store is not ready. Try again in a moment.").waitFor();
    await expect.poll(() => send.getAttribute("aria-busy")).not.toBe("true");
    stop();
    visitor.expectProblem(/504/);
    await send.click();
    await page.getByText("Thanks For Your Review").waitFor();
    const { rowCount } = await store.pool.query("SELECT FROM shop.review WHERE name = 'Rose Resend'");
    expect(rowCount).toBe(1);
    await visitor.close();
  });

  test("keeps what is typed into a form while its values are saved", async () => {
    const visitor = await openPage(store, { user: await register(store, "Wim Writer") });
    const { page } = visitor;
    let release = () => {};
    const hold = (route: Route) => {
      release = () => void route.continue();
    };
    await intercept(page, /\/reviews$/, (route) =>
      route.request().method() === "POST" ? hold(route) : route.continue(),
    );
    await page.goto("/dashboard/review");
    const review = page.getByRole("textbox", { name: "Review" });
    await page.getByLabel("Rating").fill("4");
    await review.fill("Six months.");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Add Review" }).click();
    await sent;
    await review.pressSequentially(" No complaint.");
    release();
    await page.getByText("Thanks For Your Review").waitFor();
    expect(await page.getByLabel("Rating").inputValue()).toBe("");
    expect(await review.inputValue()).toBe("Six months. No complaint.");
    await page.getByRole("link", { name: "My Orders" }).first().click();
    await page.getByText("Your review will be lost.").waitFor();
    await visitor.close();
  });

  test("signs out another session, and the focus goes to the heading of the rest", async () => {
    const buyer = await register(store, "Sam Sessions");
    await logIn(store, buyer);
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto("/dashboard/account");
    const signOut = page.getByRole("button", { name: /^Sign out \w+ \w+, .* since/ });
    await signOut.click();
    await page.getByText("The session is signed out.").waitFor();
    await signOut.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Active sessions");
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("cancels an unpaid order after a confirmation", async () => {
    const buyer = await register(store, "Carl Cancel");
    const product = await addProduct(admin);
    await placeFor(buyer, product);
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    const manifests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/__manifest")) manifests.push(request.url());
    });
    await page.goto("/dashboard/orders");
    await settled(page);
    expect(manifests, "URLs that name the orders on the page").toEqual([]);
    await page.getByRole("button", { name: /^Cancel Order/ }).click();
    const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await dialog.getByText(new RegExp(product.name)).first().waitFor();
    await expectNoProblems(visitor);
    await dialog.getByRole("button", { name: "Keep order" }).click();
    await dialog.waitFor({ state: "hidden" });
    await settled(page);
    // the reload of the opened dialog responds after the cancellation, with the list as it was before
    const { held, release } = await holdResponse(page, "**/dashboard/orders.data*");
    await page.getByRole("button", { name: /^Cancel Order/ }).click();
    await held;
    await dialog.getByRole("button", { name: "Cancel Order" }).click();
    await page.getByText("Orrder is cancelled successfully").waitFor();
    release();
    await settled(page);
    await page.getByText("No orders yet").waitFor();
    expect(await buyer.call("listPurchasesOf", { params: { email: buyer.email } })).toEqual([]);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test.each([
    ["Complete", "Congratulation your payment is done successdully", "paid"],
    ["Refuse", /authenticat/i, "unpaid"],
  ] as const)("whose bank requires 3-D Secure answers %s", async (button, words, status) => {
    const buyer = await register(store, "Bert Bank");
    const purchase = await placeFor(buyer, await addProduct(admin));
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto(`/dashboard/payment/${purchase._id}`);
    await page.getByLabel("Card number").fill(cards.challenge);
    await page.getByLabel(/^Expiry date/).fill("12 / 34");
    await page.getByLabel(/^Security code/).fill("123");
    await page.getByRole("button", { name: /^Pay \$/ }).click();
    await page.getByRole("button", { name: button }).click();
    await page.getByText(words).first().waitFor();
    await expectNoProblems(visitor);
    expect(await buyer.call("findPayment", { params: { id: purchase._id } })).toMatchObject({ status });
    await visitor.close();
  });

  test("who sees an old price is shown both, and buys at the current one", async () => {
    const buyer = await register(store, "Paula Price");
    const product = await addProduct(admin);
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto(`/product/${product._id}`);
    await page.getByLabel("Address").fill("Unit 6, Canal Yard");
    await settled(page);
    await store.pool.query("UPDATE shop.product SET price_cents = 1400 WHERE id = $1", [product._id]);
    await page.getByRole("button", { name: "Purchase" }).click();
    await page
      .getByText(/\$12\.50.*\$14\.00/)
      .first()
      .waitFor();
    visitor.expectProblem(/409/);
    await page.getByText("$140.00").first().waitFor();
    await page.getByRole("button", { name: "Purchase" }).click();
    await page.getByText("Purchased Successfully").waitFor();
    const [bought] = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    expect(bought).toMatchObject({ price: 14, total: 140 });
    await visitor.close();
  });

  test("who presses Purchase twice buys once", async () => {
    const buyer = await register(store, "Dora Double");
    const product = await addProduct(admin);
    const visitor = await openPage(store, { user: buyer });
    const { page } = visitor;
    await page.goto(`/product/${product._id}`);
    await page.getByLabel("Address").fill("Unit 6, Canal Yard");
    await page.getByRole("button", { name: "Purchase" }).dblclick();
    await page.getByText("Purchased Successfully").waitFor();
    await settled(page);
    expect(await buyer.call("listPurchasesOf", { params: { email: buyer.email } })).toHaveLength(1);
    await visitor.close();
  });
});

describe("a user whose browser is German", () => {
  const text = (page: Page, shown: string) =>
    page.getByText(shown).filter({ visible: true }).first().waitFor();

  test("reads German figures and dates on the dashboard, and the store's on public pages", async () => {
    const buyer = await register(store, "Gerda German");
    const product = await addProduct(admin, { name: "Core drill rig", price: 1490.5, minimum_order: 2 });
    const { placedAt } = await placeFor(buyer, product);
    const german = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
    const visitor = await openPage(store, { user: buyer, locale: "de-DE" });
    const { page } = visitor;
    await page.goto("/dashboard/orders");
    await text(page, "2.981,00\u00a0$");
    await text(page, new Date(placedAt).toLocaleDateString("de-DE", german));
    await expectNoProblems(visitor);
    await page.getByRole("link", { name: "Stator" }).first().click();
    await page.waitForURL("/");
    await text(page, "$1,490.50");
    await page.goto("/");
    await text(page, "$1,490.50");
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.getByRole("link", { name: "My Orders" }).first().click();
    await text(page, "2.981,00\u00a0$");
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("edits plain figures, and may type a decimal comma", async () => {
    const { _id } = await addProduct(admin, { name: "Core drill stand", price: 1490.5, quantity: 12_000 });
    const visitor = await openPage(store, { user: admin, locale: "de-DE" });
    const { page } = visitor;
    await page.goto("/dashboard/manageProduct?q=Core+drill+stand");
    await text(page, "1.490,50\u00a0$");
    await text(page, "12.000");
    await expectNoProblems(visitor);
    await page.goto(`/dashboard/editProduct/${_id}`);
    const price = page.getByLabel("Price", { exact: false }).first();
    expect(await price.inputValue()).toBe("1490.50");
    await price.fill("1.234");
    await price.press("Tab");
    await text(page, "Enter a number without separators, such as 1490 or 12.50.");
    await price.fill("1.234,50");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(async () => (await admin.call("findProduct", { params: { id: _id } })).price)
      .toBe(1234.5);
    await visitor.close();
  });
});

test("on a phone an order shows its status first, then its product", async () => {
  const buyer = await register(store, "Paula Phone");
  const purchase = await placeFor(buyer, await addProduct(admin));
  for (const [width, first] of [
    [390, "Progress"],
    [1440, drill.name],
  ] as const) {
    const { page, close } = await openPage(store, { user: buyer, width });
    await page.goto(`/dashboard/order/${purchase._id}`);
    const place = async (name: string) => (await page.getByRole("heading", { name }).boundingBox()) ?? fail();
    const [progress, what] = [await place("Progress"), await place(drill.name)];
    const isFirst = width === 390 ? progress.y < what.y : what.x < progress.x;
    expect(isFirst, `${first} first at ${width}`).toBe(true);
    await close();
  }
});

describe.each([390, 1440])("a toast at %i pixels", (width) => {
  test("leaves the button of the page's heading uncovered", async () => {
    const buyer = await register(store, "Tess Toast");
    const purchase = await placeFor(buyer, await addProduct(admin));
    await payFor(store, buyer, purchase);
    const { page, close } = await openPage(store, { user: buyer, width, height: 500 });
    await page.goto(`/dashboard/order/${purchase._id}`);
    await page.getByRole("button", { name: "Copy" }).first().click();
    const toast = page.getByText("The browser did not allow copying.");
    await toast.hover();
    const free = () =>
      page.evaluate(() => {
        const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "Print");
        const box = button?.getBoundingClientRect() ?? new DOMRect();
        const corners = [box.top + 4, box.bottom - 4].flatMap((y) =>
          [box.left + 4, box.right - 4].map((x) => document.elementFromPoint(x, y)),
        );
        return corners.every((on) => on !== null && button?.contains(on));
      });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(free).toBe(true);
    await close();
  });
});

function fail(): never {
  throw new Error("not to be seen");
}

describe("an admin", () => {
  test("adds a product, which a visitor then sees", async () => {
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/addProduct");
    const add = page.getByRole("button", { name: "Add Product" });
    await add.click();
    for (const message of [
      "Name is Required",
      "Price is required",
      "Product Quantity is required",
      "Minimum Order Number is required",
      "Description is required",
      "Product picture is required",
    ]) {
      await page.getByText(message, { exact: true }).waitFor();
    }
    await expectNoProblems(visitor);
    await page.getByLabel("Name", { exact: true }).first().fill("Newly added saw");
    await page.getByLabel(/^Price/).fill("99.95");
    await page.getByLabel(/^Quantity/).fill("120");
    await page.getByLabel(/^Minimum order/).fill("12");
    await page.getByLabel(/^Description/).fill("C");
    await page.getByText("1 character", { exact: true }).waitFor();
    await page.getByLabel(/^Description/).fill("Cuts what it should.");
    await page.getByLabel(/^Picture/).fill(drill.picture);
    await add.click();
    await page.getByText("Product Added SuccessFully").waitFor();
    await visitor.close();
    const tools = await (await fetch(`${store.url}/products`)).json();
    expect(tools).toContainEqual(
      expect.objectContaining({ name: "Newly added saw", price: 99.95, quantity: 120, minimum_order: 12 }),
    );
  });

  test("removes a synonym, and restores it with Undo", async () => {
    await admin.call("addSynonym", { body: { term: "nibbler", sameAs: "sheet metal cutter" } });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/synonyms?q=nibbler");
    const remove = page.getByRole("button", { name: "Remove nibbler, the same as sheet metal cutter" });
    await remove.click();
    await page.getByText("No matching synonyms").waitFor();
    await page.getByRole("button", { name: "Undo deleting nibbler" }).click();
    await remove.waitFor();
    await remove.dblclick();
    await page.getByText("No matching synonyms").waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("adds a synonym once that is sent again after a lost response, also with Undo", async () => {
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/synonyms?q=flexi");
    await page.getByRole("textbox", { name: "Buyers type" }).fill("flexi");
    await page.getByRole("textbox", { name: "The same as" }).fill("angle grinder");
    const add = page.getByRole("button", { name: "Add", exact: true });
    let stop = await loseResponses(page, /\/admin\/synonyms$/);
    await add.click();
    await page.getByText("The store is not ready. Try again in a moment.").first().waitFor();
    await expect.poll(() => add.getAttribute("aria-busy")).not.toBe("true");
    stop();
    await add.click();
    const remove = page.getByRole("button", { name: "Remove flexi, the same as angle grinder" });
    await remove.click();
    stop = await loseResponses(page, /\/admin\/synonyms$/);
    await page.getByRole("button", { name: "Undo deleting flexi" }).click();
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    stop();
    visitor.expectProblem(/504/);
    await again.click();
    await remove.waitFor();
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("leads back from a page whose last row is removed", async () => {
    const pageAt = (cursor: string | undefined) =>
      admin.call("listSynonyms", { query: { limit: 25, ...(cursor && { cursor }) } });
    let last = await pageAt(undefined);
    let cursor: string | undefined;
    while (!cursor || last.next || last.synonyms.length !== 1) {
      await admin.call("addSynonym", { body: { term: `term ${performance.now()}`, sameAs: "the same" } });
      cursor = undefined;
      for (last = await pageAt(cursor); last.next; last = await pageAt(cursor)) cursor = last.next;
    }
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/synonyms?cursor=none");
    await page.getByText("This page link is not valid.").waitFor();
    await page.getByRole("button", { name: "First page" }).waitFor();
    await page.goto(`/dashboard/synonyms?cursor=${cursor}`);
    await page.getByRole("button", { name: /^Remove/ }).click();
    await page.getByText("Nothing left on this page").waitFor();
    await expectNoProblems(visitor);
    await page.getByRole("button", { name: "First page" }).click();
    await page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(25);
    await visitor.close();
  });

  test("hides a review and shows it again", async () => {
    const author = await register(store, "Rita Reviewer");
    await author.call("addReview", { body: { rating: 1, description: "Buy elsewhere" } });
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/reviews?q=elsewhere");
    await page.getByRole("button", { name: "Hide, review by Rita Reviewer" }).click();
    await page.getByText("The review by Rita Reviewer is hidden.").waitFor();
    await page.getByRole("link", { name: /^Hidden/ }).click();
    await page.waitForURL(/hidden=1/);
    await settled(page);
    await page.getByText("Buy elsewhere").waitFor();
    await expectNoProblems(visitor);
    await page.getByRole("button", { name: "Show again, review by Rita Reviewer" }).click();
    await page.getByText("The review by Rita Reviewer is shown again.").waitFor();
    await page.getByText("No matching results").waitFor();
    await visitor.close();
  });

  test("cancels an unpaid order after a confirmation", async () => {
    const buyer = await register(store, "Cora Cancelled");
    await placeFor(buyer, await addProduct(admin));
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto("/dashboard/manageOrder");
    await page.getByRole("button", { name: /^Cancel Order.*Cora Cancelled/ }).click();
    const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await dialog.getByRole("button", { name: "Cancel Order" }).click();
    await page.getByText("Orrder is cancelled successfully").waitFor();
    await settled(page);
    await expectNoProblems(visitor);
    expect(await buyer.call("listPurchasesOf", { params: { email: buyer.email } })).toEqual([]);
    await visitor.close();
  });
});

test.each(["manageOrder", "order"])(
  "an admin's %s page closes the question to cancel an order that was paid meanwhile",
  async (name) => {
    const buyer = await register(store, `Mia Meanwhile ${name}`);
    const purchase = await placeFor(buyer, await addProduct(admin));
    const visitor = await openPage(store, { user: admin });
    const { page } = visitor;
    await page.goto(`/dashboard/${name === "order" ? `order/${purchase._id}` : name}`);
    const cancel = page
      .locator(name === "order" ? "main" : "tr", { hasText: buyer.email })
      .getByRole("button", { name: /^Cancel Order/ });
    await cancel.waitFor();
    await payFor(store, buyer, purchase);
    await cancel.click();
    await page.getByText("This order is already paid and can no longer be cancelled.").waitFor();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await expectNoProblems(visitor);
    await visitor.close();
  },
);

test("an order whose cancellation lost its response leaves the focus to the list or the heading", async () => {
  const buyer = await register(store, "Lara Lost");
  const product = await addProduct(admin);
  const { page, close } = await openPage(store, { user: buyer });
  for (const [target, path] of [
    [page.locator(".listed"), "orders"],
    [
      page.getByRole("heading", { name: /^Order \d+/, level: 1 }),
      `order/${(await placeFor(buyer, product))._id}`,
    ],
  ] as const) {
    if (path === "orders") await placeFor(buyer, product);
    await page.goto(`/dashboard/${path}`);
    const stop = await loseResponses(page, "**/purchase/*");
    await page
      .getByRole("button", { name: /^Cancel Order/ })
      .first()
      .press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).press("Enter");
    await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
    stop();
  }
  await close();
});

test("an order paid elsewhere is updated on return, and no dialog offers to cancel it", async () => {
  const buyer = await register(store, "Tina Twotabs");
  const purchase = await placeFor(buyer, await addProduct(admin));
  const opened = await openPage(store, { user: buyer });
  const { page } = opened;
  await page.goto("/dashboard/orders");
  const cancel = page.getByRole("button", { name: /^Cancel/ }).first();
  await cancel.waitFor();
  await payFor(store, buyer, purchase);
  await cancel.click();
  await page.getByText("This order is already paid and can no longer be cancelled.").waitFor();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });

  await admin.call("shipPurchase", { params: { id: purchase._id } });
  await page.evaluate(() => ["blur", "focus"].map((type) => window.dispatchEvent(new Event(type))));
  await page.locator(".track--shipped").waitFor();
  await expectNoProblems(opened);
  await opened.close();
});
