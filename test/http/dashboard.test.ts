/** Pages of the dashboard as the server renders them: with data, for one session, never cached. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { addProduct, payFor, payOrder, placeFor, placeOrderFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, postIdentity, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
const orders: Record<"ada" | "ben", string> = { ada: "", ben: "" };
const tools = { ada: "Ada's rotary hammer", ben: "Ben's planer" };
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada Lane");
  ben = await register(store, "Ben Quarry");
  const place = async (buyer: SignedIn, name: string) => placeFor(buyer, await addProduct(admin, { name }));
  const [first, second] = [await place(ada, tools.ada), await place(ben, tools.ben)];
  Object.assign(orders, { ada: first._id, ben: second._id });
  await payFor(store, ada, first);
});
afterAll(() => store.stop());

/** A page as this user's browser gets it. */
async function open(path: string, cookie?: string) {
  const headers = { accept: "text/html", ...(cookie && { cookie }) };
  const response = await fetch(`${store.url}${path}`, { headers, redirect: "manual" });
  const html = await response.text();
  const markup = html.replace(/<script[\s\S]*?<\/script>/g, "").replaceAll("&#x27;", "'");
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get("location"),
    html,
    markup,
  };
}

describe("the first HTML", () => {
  test.each([
    ["/dashboard/orders", () => [tools.ada, "$125.00", orders.ada]],
    ["/dashboard/profile", () => ["Ada Lane", ada.email, "Not saved yet"]],
    ["/dashboard/review", () => ["Ada Lane"]],
    ["/dashboard/account", () => [ada.email, "Active sessions", "Recent activity"]],
    ["/dashboard/order/ID", () => [tools.ada, "Progress", "Unit 6, Canal Yard", " INV-", ">Contact us</a>"]],
    ["/dashboard/payment/ID", () => [tools.ada, "$125.00"]],
  ])("%s contains a buyer's data, and no spinner", async (path, words) => {
    const page = await open(path.replace("ID", orders.ada), ada.cookie);
    expect(page.status).toBe(200);
    for (const word of words()) expect(page.markup).toContain(word);
    expect(page.markup).not.toMatch(/class="loading|aria-busy="true"/);
    expect(page.markup).toContain("My Orders");
    expect(page.markup).toContain('<meta name="robots" content="noindex"/>');
  });

  test.each([
    ["/dashboard/overview", () => ["Revenue", "Awaiting shipment"]],
    ["/dashboard/manageOrder", () => [tools.ada, tools.ben, ben.email]],
    ["/dashboard/manageOrder?status=paid", () => [tools.ada]],
    [
      "/dashboard/order/ID",
      () => [">Pending</", "Pending, ship it", "Ship a part, or with a tracking number"],
    ],
    ["/dashboard/order/ID?lines=", () => ["Tracking number", "Ship now", "Left"]],
    ["/dashboard/manageProduct?q=planer", () => [tools.ben]],
    ["/dashboard/makeAdmin", () => [ada.email, ben.email]],
    ["/dashboard/audit-log", () => ["Order placed"]],
    ["/dashboard/activity", () => [ada.email]],
    ["/dashboard/emails", () => ["Emails, newest first"]],
    ["/dashboard/addProduct", () => ["Add Product"]],
  ])("%s contains an admin's data, and no spinner", async (path, words) => {
    const page = await open(path.replace("ID", orders.ada), admin.cookie);
    expect(page.status).toBe(200);
    for (const word of words()) expect(page.markup).toContain(word);
    expect(page.markup).not.toMatch(/class="loading|aria-busy="true"/);
    expect(page.markup).toContain("to ship");
  });

  test.each([
    [
      "manageOrder?q=&buyer=&customer=&po=&item=&from=&to=&age=&status=&sort=&cursor=",
      () => [tools.ada, tools.ben],
    ],
    ["manageOrder?customer=%20&cursor=%20", () => [tools.ada, tools.ben]],
    [
      "manageProduct?q=&category=&power=&voltage=&price=&minimum=&stock=&low=&archived=&cursor=",
      () => [tools.ada, tools.ben],
    ],
    ["pick-list?orders=", () => [tools.ada, ">Pick list</h1>"]],
    ["makeAdmin?q=&role=&cursor=", () => [ada.email, ben.email]],
    ["audit-log?q=&subject=&cursor=", () => ["Order placed"]],
    ["emails?q=&cursor=", () => ["Emails, newest first"]],
  ])("%s filters nothing by a blank parameter", async (path, words) => {
    const page = await open(`/dashboard/${path}`, admin.cookie);
    for (const word of words()) expect(page.markup).toContain(word);
  });

  test("has the menu of the role", async () => {
    const menuOf = async (cookie: string) => {
      const { markup } = await open("/dashboard/profile", cookie);
      const menu = /<nav aria-label="Dashboard">.*?<\/nav>/s.exec(markup)?.[0] ?? "";
      return [...menu.matchAll(/<a\b[^>]*>([^<]*)/g)].map(([, label]) => label);
    };
    expect(await menuOf(ada.cookie)).toEqual(["My Profile", "My Orders", "Lists", "Add a Review"]);
    const menu = await menuOf(admin.cookie);
    const specified = ["Manage All Orders", "Add A Tool", "Manage Products", "Make Admin", "My Profile"];
    expect(menu.slice(0, 5)).toEqual(specified);
    expect(menu).not.toContain("My Orders");
    expect(menu).not.toContain("Add a Review");
  });

  test.each([
    ["/dashboard/orders", () => ben],
    ["/dashboard/order/ID", () => ben],
    ["/dashboard/payment/ID", () => ben],
    ["/dashboard/manageOrder", () => admin],
    ["/dashboard/order/ID", () => admin],
  ] as const)("%s says when an unpaid order expires", async (path, user) => {
    const { keptUntil = "" } = await ben.call("findOrder", { params: { id: orders.ben } });
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(
      new Date(keptUntil),
    );
    const page = await open(path.replace("ID", orders.ben), user().cookie);
    expect(page.markup.replace(/<[^>]+>/g, "")).toMatch(new RegExp(`Reserved until ?${day}`));
  });

  test("of an admin's profile has no address book", async () => {
    expect((await open("/dashboard/profile", ada.cookie)).markup).toContain("Ship-to addresses");
    expect((await open("/dashboard/profile", admin.cookie)).markup).not.toContain("Ship-to addresses");
  });

  test("formats dates in the browser's time zone, or UTC", async () => {
    const [order] = await ben.call("listPurchasesOf", { params: { email: ben.email } });
    const dayIn = (timeZone: string) =>
      new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone }).format(
        new Date(order?.placedAt ?? ""),
      );
    const place = async (cookie: string) => (await open("/dashboard/orders", cookie)).markup;
    expect(await place(ben.cookie)).toContain(dayIn("UTC"));
    // 25 hours apart: never the same day
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
      expect(await place(`${ben.cookie}; stator.zone=${encodeURIComponent(zone)}`)).toContain(dayIn(zone));
    for (const nonsense of ["Mars%2FBase", "%", "%E0%A4"])
      expect(await place(`${ben.cookie}; stator.zone=${nonsense}`)).toContain(dayIn("UTC"));
    const byOffset = `${admin.cookie}; stator.zone=${encodeURIComponent("+05:30")}`;
    expect((await open("/dashboard/overview", byOffset)).markup).toContain("Awaiting shipment");
  });

  test("filters orders by the days that it shows, in the browser's time zone", async () => {
    const [order] = await ben.call("listPurchasesOf", { params: { email: ben.email } });
    const placedAt = Temporal.Instant.from(order?.placedAt ?? "");
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const cookie = `${admin.cookie}; stator.zone=${encodeURIComponent(zone)}`;
      const day = placedAt.toZonedDateTimeISO(zone).toPlainDate();
      const isListed = async (from: string) => {
        const { markup } = await open(`/dashboard/manageOrder?from=${from}&to=${from}`, cookie);
        const exported = /href="(\/admin\/orders\/export[^"]+)"/.exec(markup)?.[1]?.replaceAll("&amp;", "&");
        const csv = await admin.fetch(exported as string);
        expect((await csv.text()).includes(tools.ben)).toBe(markup.includes(tools.ben));
        return markup.includes(tools.ben);
      };
      expect(await isListed(`${day}`)).toBe(true);
      expect(await isListed(`${day.add({ days: 1 })}`)).toBe(false);
      expect(await isListed(`${day.subtract({ days: 1 })}`)).toBe(false);
    }
  });

  test("hatches the last column of a stock only if its day is not over", async () => {
    const { _id } = await addProduct(admin, { name: "Nibbler", quantity: 0 });
    await store.pool.query(
      `WITH moved AS (
         INSERT INTO shop.stock_movement (product_id, pieces, reason, moved_at)
         SELECT $1, 4, 'received', now() - make_interval(days => ago) FROM unnest(ARRAY[3, 2]) AS ago
       ) UPDATE shop.product SET quantity = 8 WHERE id = $1`,
      [_id],
    );
    const bars = async () =>
      (await open(`/dashboard/stock/${_id}`, admin.cookie)).markup.match(/class="column__bar[^"]*"/g);
    expect(await bars()).toEqual(['class="column__bar"', 'class="column__bar"']);
    await admin.call("changeStock", { params: { id: _id }, body: { kind: "receive", pieces: 1 } });
    expect((await bars())?.at(-1)).toBe('class="column__bar is-unfinished"');
  });

  test("shows the same errors as the API", async () => {
    const page = await open(`/dashboard/order/${orders.ben}`, ada.cookie);
    expect(page.status).toBe(403);
    expect(page.markup).toContain("No such order");
    expect(page.html).not.toContain(tools.ben);
  });
});

test("a filter of the URL that is none of the list's is shown as it is", async () => {
  for (const price of ["999", "-1", "cheap"]) {
    const { markup } = await open(`/dashboard/manageProduct?price=${price}`, admin.cookie);
    expect(markup).toContain(`aria-label="Remove the filter ${price}"`);
  }
});

test("a page of something that does not exist is 404 and leads back", async () => {
  const none = "00000000-0000-4000-8000-000000000000";
  for (const [path, back] of [
    ["lists", "All lists"],
    ["import", "Back to Import"],
    ["stock", "Back to Stock"],
    ["customers", "Back to Customers"],
  ]) {
    const page = await open(`/dashboard/${path}/${none}`, admin.cookie);
    expect(page.status, path).toBe(404);
    expect(page.markup, path).toContain(back);
    if (path === "import") expect(page.markup).toMatch(/<h1[^>]*>Import tools/);
    expect(page.markup, path).not.toContain("Try again");
  }
});

describe("an order of several lines", () => {
  let tool: Product[];
  beforeAll(async () => {
    tool = [await addProduct(admin), await addProduct(admin)];
  });
  const place = () =>
    placeOrderFor(
      ada,
      tool.map((one) => [one, 10]),
    );

  test("is not shown to others; an order of one line keeps its own page", async () => {
    const { number, lines } = await place();
    const line = await open(`/dashboard/order/${lines[1]?._id}`, admin.cookie);
    expect(line.markup).toMatch(new RegExp(`<h1[^>]*>Order ${number}</h1>`));
    expect(line.markup).toContain(`href="/dashboard/order/${number}"`);
    const refused = await open(`/dashboard/order/${number}`, ben.cookie);
    expect([refused.status, refused.markup]).toEqual([
      403,
      expect.stringContaining("belongs to another buyer."),
    ]);
    const single = await placeOrderFor(ada, [[tool[0] as Product, 10]]);
    for (const id of [single._id, single.number, single.lines[0]?._id]) {
      const { markup } = await open(`/dashboard/order/${id}`, ada.cookie);
      expect(markup).toMatch(new RegExp(`<h1[^>]*>Order ${single.number}</h1>`));
      expect(markup).toContain('aria-label="Pay, 10 × Impact drill ID 13"');
    }
  });

  test("is not paid after a cancellation, nor by others", async () => {
    const order = await place();
    await ada.call("cancelOrder", { params: { id: order._id } });
    for (const id of [order._id, order.lines[0]?._id, order.number]) {
      const cancelled = await open(`/dashboard/payment/${id}`, ada.cookie);
      expect(cancelled.status).toBe(404);
      expect(cancelled.markup).toContain("This order does not exist or was cancelled.");
    }
    const refused = await open(`/dashboard/payment/${(await place())._id}`, ben.cookie);
    expect([refused.status, refused.markup]).toEqual([
      403,
      expect.stringContaining("belongs to another buyer."),
    ]);
  });

  test("has emails that link to its page and its payment", async () => {
    const order = await place();
    const emails = async () =>
      (await store.outbox(ada.email)).filter(({ subject }) => subject.includes(String(order.number)));
    await expect.poll(async () => (await emails()).length, { timeout: 20_000 }).toBe(1);
    await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
    await expect.poll(async () => (await emails()).length, { timeout: 20_000 }).toBe(2);
    for (const { text } of await emails()) {
      const links = text.match(/\/dashboard\/\S+/g) ?? [];
      expect(links).not.toEqual([]);
      for (const link of links)
        expect((await open(link, ada.cookie)).markup).toContain(`Order ${order.number}`);
    }
  });
});

test("a list of another account, or a deleted one, is not shown", async () => {
  const { _id: id } = await ada.call("addSavedList", { body: { name: "Van" } });
  const pageOf = async (user: SignedIn) => (await open(`/dashboard/lists/${id}`, user.cookie)).markup;
  expect(await pageOf(ben)).toContain("This belongs to another account.");
  await ada.call("deleteSavedList", { params: { id } });
  expect(await pageOf(ben)).toContain("This list does not exist.");
});

test("a list is shown whatever its lines cost", async () => {
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, description, picture, price_cents, minimum_order, quantity)
     SELECT 'Turbine ' || n, 'Large.', '/tools/turbine.svg', 99999999, 1, 1000000 FROM generate_series(1, 100) n
     RETURNING id`,
  );
  const lines = rows.map(({ id }) => ({ productId: id, quantity: 1_000_000 }));
  const { _id: id } = await ada.call("addSavedList", { body: { name: "Plant", lines } });
  for (const path of ["/dashboard/lists", `/dashboard/lists/${id}`]) {
    const page = await open(path, ada.cookie);
    expect([page.status, page.markup], path).toEqual([200, expect.stringContaining("Plant")]);
  }
  await store.pool.query("UPDATE shop.product SET archived_at = now() WHERE name LIKE 'Turbine %'");
});

test("a shipped order links to its documents", async () => {
  const order = await placeFor(ben, await addProduct(admin));
  await payFor(store, ben, order);
  await admin.call("shipPurchase", { params: { id: order._id } });
  const { markup } = await open(`/dashboard/order/${order._id}`, ben.cookie);
  for (const name of ["Order confirmation", "Invoice INV", "Packing slip, shipment"])
    expect(markup.replace(/<!--.*?-->/g, "")).toContain(name);
});

describe("a page of the dashboard", () => {
  test("is never cached, also with concurrent requests", async () => {
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => open("/dashboard/orders", turn % 2 ? ben.cookie : ada.cookie)),
    );
    for (const [turn, page] of pages.entries()) {
      const [mine, other] = turn % 2 ? [tools.ben, tools.ada] : [tools.ada, tools.ben];
      expect(page.markup).toContain(mine);
      expect(page.html.replaceAll("\\", "")).not.toContain(other);
      expect(page.headers.get("cache-control")).toBe("private, no-store");
    }
    expect((await open("/dashboard/orders")).status).toBe(302);
  });

  test.each(["/dashboard/orders.data", "/dashboard.data"])("so do its data, %s", async (path) => {
    const { headers, html } = await open(path, ada.cookie);
    expect(headers.get("cache-control")).toBe("private, no-store");
    const stranger = await open(path);
    expect(stranger.headers.get("cache-control")).toBe("private, no-store");
    expect(stranger.html).toContain("/login?from=");
    expect(stranger.html).not.toContain(tools.ada);
    if (path.includes("orders")) expect(html).toContain(tools.ada);
  });

  test("is reachable by a link on another site, but cannot be embedded there", async () => {
    const headers = { cookie: ada.cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const response = await fetch(`${store.url}/dashboard/orders`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain(tools.ada);
  });

  test.each([
    ["/DASHBOARD/orders?x=1", "/dashboard/orders?x=1"],
    ["/Dashboard/ORDERS", "/dashboard/ORDERS"],
    ["/%64ashboard/profile", "/dashboard/profile"],
  ])("at %s leads to %s, with a session or without one", async (path, to) => {
    for (const cookie of [undefined, ada.cookie]) {
      const page = await open(path, cookie);
      expect([page.status, page.location]).toEqual([302, to]);
      expect(page.html).not.toContain("Ada Lane");
    }
  });

  test("of an admin reveals nothing to others and does not sign them out", async () => {
    const page = await open("/dashboard/manageOrder", ben.cookie);
    expect(page.html).not.toContain(tools.ada);
    expect(page.html).not.toContain(ada.email);
    expect((await open("/dashboard/orders", ben.cookie)).status).toBe(200);
  });

  test("leads to the login when the session has ended or the account was closed", async () => {
    const user = await register(store, "Gil Gone");
    expect((await open("/dashboard/orders", user.cookie)).status).toBe(200);
    await postIdentity(store, "/api/auth/sign-out", {}, user.cookie);
    const page = await open("/dashboard/orders?a=b", user.cookie);
    expect([page.status, page.location]).toEqual([302, "/login?from=%2Fdashboard%2Forders%3Fa%3Db"]);
    const closed = await register(store, "Cleo Closed");
    await admin.call("closeUser", { params: { email: closed.email }, body: { closed: true } });
    expect((await open("/dashboard/orders", closed.cookie)).status).toBe(302);
  });

  test("that does not exist is 404 for everyone", async () => {
    expect((await open("/dashboard/nowhere")).status).toBe(404);
    expect((await open("/dashboard/nowhere", ada.cookie)).status).toBe(404);
  });
});
