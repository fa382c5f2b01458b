/** Public responses in a Varnish in front of the store, with the configuration in ops. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { openEdgePurger } from "../../server/cache/purge-edge.ts";
import { readConfig } from "../../server/config.ts";
import { freshDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";
import { addProduct, editProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { startBalancer } from "./balancer.ts";
import { hasVarnish, startVarnish } from "./varnish.ts";

if (!hasVarnish) console.warn("Not tested with Varnish: install varnish and varnish-modules.");

describe.skipIf(!hasVarnish)("through Varnish", () => {
  let store: TestStore;
  let admin: SignedIn;
  let product: Product;
  let edge: string;
  let stopVarnish: () => Promise<void>;
  let stopped = false;
  beforeAll(async () => {
    const [port, origin] = [await freePort(), await freePort()];
    stopVarnish = await startVarnish(port, origin);
    edge = `http://127.0.0.1:${port}`;
    store = await openStore({ environment: { PORT: String(origin), PURGE_URL: `${edge}/purge` } });
    admin = await adminOf(store);
    product = await addProduct(admin);
  });
  afterAll(async () => {
    if (!stopped) await store?.stop();
    await stopVarnish?.();
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(edge + path, { headers, redirect: "manual" });
    return { response, cache: response.headers.get("x-cache"), text: await response.text() };
  };
  /** Until the purge of an earlier change is over, a response may be fetched twice. */
  const untilHit = (path: string) => expect.poll(async () => (await get(path)).cache).toBe("hit");

  test.each(["/", "/tools", "/products", "/reviews", "/catalog"])(
    "%s is answered from the edge",
    async (path) => {
      await untilHit(path);
      const { response } = await get(path);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("surrogate-key")).toBeNull();
    },
  );

  test("public responses, and no others, state how long an edge may keep them", async () => {
    const headersOf = async (path: string, headers = {}) =>
      Object.fromEntries((await fetch(store.url + path, { headers, redirect: "manual" })).headers);
    const lifetimes = {
      "cache-control": "public, max-age=0, s-maxage=10, stale-if-error=86400",
      "cdn-cache-control": "max-age=10, stale-while-revalidate=20, stale-if-error=86400",
    };
    const keys = { "surrogate-key": "store products reviews", "cache-tag": "store,products,reviews" };
    expect(await headersOf("/tools")).toMatchObject({ ...lifetimes, ...keys, vary: "Accept-Encoding" });
    const vary = "Accept, Sec-Fetch-Mode, Accept-Encoding";
    for (const path of ["/products", `/products/${product._id}`, "/catalog"])
      expect(await headersOf(path), path).toMatchObject({ ...lifetimes, ...keys, vary });
    const reviews = { "surrogate-key": "store reviews", "cache-tag": "store,reviews" };
    expect(await headersOf("/reviews")).toMatchObject({ ...lifetimes, ...reviews, vary });
    const { cookie, token } = await register(store, "Eve Buyer");
    const cached = await Promise.all([
      headersOf("/dashboard/profile", { cookie }),
      headersOf("/cart", { authorization: `Bearer ${token}` }),
      headersOf(`/product/${product._id}`, { cookie }),
      headersOf(`/product/${product._id}`),
      headersOf("/no-such-page"),
    ]);
    for (const headers of cached) {
      expect(headers["cache-control"] ?? "").not.toMatch(/s-maxage|public/);
      expect(headers).not.toHaveProperty("cdn-cache-control");
    }
  });

  test("a changed price is seen within a second, on the page and in the list", async () => {
    for (const [path, price] of [
      ["/tools", "77.25"],
      ["/products", "88.75"],
    ] as const) {
      await untilHit(path);
      const current = await admin.call("findProduct", { params: { id: product._id } });
      await editProduct(admin, current, { price: Number(price) });
      await expect.poll(async () => (await get(path)).text, { timeout: 1000, interval: 50 }).toContain(price);
    }
  });

  test("no response to a session or a token is kept, and nobody gets another's", async () => {
    const buyers = [await register(store, "Ada Buyer"), await register(store, "Ben Buyer")];
    for (const { cookie } of buyers)
      for (const path of ["/", "/tools", "/dashboard/profile", `/product/${product._id}`])
        expect((await get(path, { cookie })).cache, path).toBe("miss");
    for (const user of buyers) {
      const [profile, again] = [
        await get("/dashboard/profile", { cookie: user.cookie }),
        await get("/dashboard/profile", { cookie: user.cookie }),
      ];
      for (const { text, response } of [profile, again]) {
        expect(response.headers.get("cache-control")).toBe("private, no-store");
        expect(text).toContain(user.email);
        for (const other of buyers) if (other !== user) expect(text).not.toContain(other.email);
      }
      const { text, cache } = await get(`/user/${user.email}`, { authorization: `Bearer ${user.token}` });
      expect(text).toContain(user.email);
      expect(cache).toBe("miss");
    }
    const strangers = await get("/dashboard/profile");
    for (const { email } of buyers) expect(strangers.text).not.toContain(email);
    expect((await get(`/product/${product._id}`)).response.headers.get("location")).toContain("/login");
  });

  test("carts are never cached", async () => {
    const buyers = [await register(store, "Cy Buyer"), await register(store, "Di Buyer")];
    const carts = await Promise.all(
      buyers.flatMap(({ token }) => [0, 1].map(() => get("/cart", { authorization: `Bearer ${token}` }))),
    );
    for (const { response, cache } of carts) {
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toMatch(/no-store/);
      expect(cache).toBe("miss");
    }
    expect((await get("/cart")).response.status).toBe(401);
  });

  test("a browser that opens a call gets its page, not the cached JSON", async () => {
    await untilHit("/products");
    // fetch sets Sec-Fetch-Mode itself
    const [response] = await once(
      request(`${edge}/products`, { headers: { accept: "text/html" } }).end(),
      "response",
    );
    response.resume();
    expect(response.headers.location).toBe("/tools");
  });

  test("a purge from elsewhere is refused", async () => {
    const headers = { "surrogate-key": "store", "x-forwarded-for": "203.0.113.7" };
    expect((await fetch(`${edge}/purge`, { method: "POST", headers })).status).toBe(403);
  });

  test("public pages are served stale while the store is down", async () => {
    await untilHit("/tools");
    const { text } = await get("/tools");
    await store.stop();
    stopped = true;
    await fetch(`${edge}/purge`, { method: "POST", headers: { "surrogate-key": "store" } });
    const { response, text: stale } = await get("/tools");
    expect(response.status).toBe(200);
    expect(stale).toBe(text);
    expect((await get("/dashboard/profile")).response.status).toBe(503);
  });
});

test.skipIf(!hasVarnish)("with two nodes, no copy from before a change is kept", async () => {
  const database = await freshDatabase();
  const balancer = await startBalancer();
  const port = await freePort();
  const stopVarnish = await startVarnish(port, Number(new URL(balancer.url).port));
  const edge = `http://127.0.0.1:${port}`;
  const environment = { PURGE_URL: `${edge}/purge` };
  const stores: TestStore[] = [];
  try {
    for (let nodes = 0; nodes < 2; nodes += 1) stores.push(await openStore({ database, environment }));
    for (const { url } of stores) balancer.ports.add(Number(new URL(url).port));
    await expect.poll(() => balancer.ready()).toHaveLength(2);
    const admin = await adminOf(stores[0] as TestStore);
    const product = await addProduct(admin);
    const paths = ["/products", "/tools", "/catalog"];
    // at once, so that Varnish needs a connection for each and the balancer uses both nodes
    const read = () => Promise.all(paths.map(async (path) => (await fetch(edge + path)).text()));
    for (const price of [71.25, 72.25, 73.25]) {
      for (const { url } of stores) for (const path of paths) await (await fetch(url + path)).text();
      const current = await admin.call("findProduct", { params: { id: product._id } });
      await editProduct(admin, current, { price });
      const isSeen = async () => (await read()).every((text) => text.includes(String(price)));
      await expect.poll(isSeen, { timeout: 1000, interval: 20 }).toBe(true);
      for (const end = performance.now() + 1000; performance.now() < end; await pause(20))
        expect(await isSeen()).toBe(true);
    }
    expect(balancer.used.size).toBe(2);
  } finally {
    for (const store of stores) await store.stop();
    await stopVarnish();
    await balancer.close();
    await database.drop();
  }
});

test.skipIf(!hasVarnish)("a store that responds 503 is an outage too, and ends with it", async () => {
  let status = 200;
  let requests = 0;
  const origin = createServer((_message, response) => {
    requests += 1;
    const cacheHeaders =
      status === 200 ? { "cdn-cache-control": "max-age=10", "surrogate-key": "store" } : {};
    response.writeHead(status, { "cache-control": "no-cache", ...cacheHeaders }).end(`${status} ${requests}`);
  });
  await once(origin.listen(0, "127.0.0.1"), "listening");
  const port = await freePort();
  const stopVarnish = await startVarnish(port, (origin.address() as { port: number }).port);
  const edge = `http://127.0.0.1:${port}`;
  const read = async () => (await fetch(edge)).text();
  try {
    expect([await read(), await read()]).toEqual(["200 1", "200 1"]);
    await fetch(`${edge}/purge`, { method: "POST", headers: { "surrogate-key": "store" } });
    status = 503;
    expect([await read(), await read()]).toEqual(["200 1", "200 1"]);
    const cookie = "__Host-stator.session_token=one";
    expect((await fetch(edge, { headers: { cookie } })).status).toBe(503);
    const unknown = await fetch(`${edge}/another`);
    expect([unknown.status, await unknown.text()]).toEqual([503, `503 ${requests}`]);
    status = 200;
    expect(await read()).toBe(`200 ${requests}`);
    expect(requests).toBeGreaterThan(3);
  } finally {
    await stopVarnish();
    origin.closeAllConnections();
    origin.close();
  }
});

test("changes are sent together, with the token, until the edge accepts them", async () => {
  const received: { keys: unknown; token: string | undefined; tags: string[] }[] = [];
  const server = createServer(async (message: IncomingMessage, response) => {
    const { "surrogate-key": keys, authorization: token } = message.headers;
    const { tags } = (await json(message)) as { tags: string[] };
    received.push({ keys, token, tags });
    response.writeHead(received.length < 3 ? 500 : 200).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  const results: string[] = [];
  const reports: string[] = [];
  const purger = openEdgePurger({
    urls: [`http://127.0.0.1:${port}/purge`],
    PURGE_TOKEN: "a token",
    count: (result) => results.push(result),
    report: (_error, message) => reports.push(message),
  });
  for (const table of ["product", "review", "product"]) purger.onChange(table);
  await expect.poll(() => results).toEqual(["failed", "failed", "sent"]);
  const sent = { keys: "products reviews", token: "Bearer a token", tags: ["products", "reviews"] };
  expect(received).toEqual([sent, sent, sent]);
  expect(reports).toEqual([`the edge cache at 127.0.0.1:${port} was not purged`]);
  await purger.stop();
  server.close();
});

test("without a PURGE_URL nothing may be kept in front of the store", async () => {
  const store = await openStore();
  const { headers } = await fetch(`${store.url}/products`);
  for (const name of ["cdn-cache-control", "surrogate-key", "cache-tag"])
    expect(headers.get(name)).toBeNull();
  expect(headers.get("cache-control")).toBe("no-cache");
  await store.stop();
});

test.each([
  [{ PURGE_URL: "varnish:6081" }, /^PURGE_URL: /],
  [{ PURGE_TOKEN: "secret" }, /^PURGE_TOKEN is sent to a PURGE_URL, which is missing\.$/],
])("%j is refused", (variables, line) => {
  expect(() => readConfig(variables)).toThrow(line);
});
