/** The metrics on a listener of their own. */
import { createServer } from "node:net";
import pg from "pg";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { addStoreMetrics } from "../../server/metrics/store-metrics.ts";
import { clientOf } from "../harness/client.ts";
import { freshDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";
import { adminOf, register } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer, payFor, placeFor } from "../harness/trade.ts";
import { startNode } from "./node.ts";

/** Scrapes a port; the result sums a metric's values with these labels. */
async function scrape(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n");
  return (name: string, labels: Record<string, string> = {}) => {
    const found = lines.filter(
      (line) =>
        line.split(/[{ ]/)[0] === name &&
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
    );
    return found.length === 0
      ? undefined
      : found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  };
}

describe("of one process", () => {
  let store: TestStore;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    store = await openStore({ environment: { METRICS_PORT: String(port) } });
  });
  afterAll(() => store.stop());

  test("count requests and responses of the cache, with their times", async () => {
    const times = 20;
    for (let index = 0; index < times; index += 1) await (await fetch(`${store.url}/openapi.json`)).text();
    expect((await fetch(`${store.url}/orders`)).status).toBe(401);
    const find = await scrape(port);
    const route = "/openapi.json";
    expect(find("stator_request_seconds_count", { route, status: "200" })).toBe(times);
    expect(find("stator_request_seconds_count", { route, cache: "hit" })).toBe(times - 1);
    expect(find("stator_request_seconds_bucket", { route, cache: "hit", le: "+Inf" })).toBe(times - 1);
    expect(find("stator_request_seconds_count", { status: "401" })).toBe(1);
    expect(find("stator_request_seconds_sum", { route })).toBeGreaterThan(0);
  });

  test("show the process and its connections", async () => {
    const find = await scrape(port);
    expect(find("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(find("nodejs_heap_size_used_bytes")).toBeGreaterThan(1e6);
    for (const pool of ["shop", "identity"]) {
      expect(find("stator_database_waiting", { pool })).toBe(0);
      expect(find("stator_database_connections", { pool })).toBeGreaterThanOrEqual(1);
    }
  });

  test("show the business", async () => {
    const admin = await adminOf(store);
    const ada = await register(store, "Ada");
    const before = await scrape(port);
    expect(before("stator_oldest_unshipped_seconds")).toBe(0);
    const product = await offer(admin, { quantity: 1000 });
    const purchase = await placeFor(ada, product);
    await placeFor(ada, product);
    await payFor(store, ada, purchase);
    const refused = await ada.ask("placePurchase", {
      body: { address: "Unit 6, Canal Yard", productId: product._id, purchaseQuantity: 1_000_000 },
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await store.pool.query(
      "UPDATE shop.purchase SET paid_at = now() - interval '59 minutes' WHERE status = 'paid'",
    );
    await store.pool.query(
      "SELECT graphile_worker.add_job('send-mail', '{}', run_at => now() + interval '1 day') FROM generate_series(1, 3)",
    );
    const find = await scrape(port);
    expect(find("stator_figures_up")).toBe(1);
    expect(find("stator_orders_last_hour")).toBe(2);
    expect(find("stator_revenue_last_hour_cents")).toBe(Math.round(purchase.total * 100));
    expect(find("stator_oldest_unshipped_seconds")).toBeGreaterThanOrEqual(59 * 60);
    expect(find("stator_oldest_unshipped_seconds")).toBeLessThan(61 * 60);
    expect(find("stator_emails_queued")).toBeGreaterThanOrEqual(3);
    expect(find("stator_jobs", { task: "send-mail" })).toBe(find("stator_emails_queued"));
    expect(
      find("stator_purchases_rejected_total", { call: "placePurchase", status: String(refused.status) }),
    ).toBe(1);
  });

  test("are not on the port of the store, and nothing else is on theirs", async () => {
    expect((await clientOf(store).fetch("/metrics")).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(404);
  });
});

test("of several processes are added up", { timeout: 120_000 }, async () => {
  const database = await freshDatabase();
  const port = await freePort();
  const node = await startNode(database.connection, {
    WORKERS: "2",
    DATABASE_CONNECTIONS: "20",
    METRICS_PORT: String(port),
  });
  try {
    const times = 60;
    for (let index = 0; index < times; index += 1)
      await fetch(`${node.url}/healthz`, { headers: { connection: "close" } });
    const find = await scrape(port);
    expect(find("stator_request_seconds_count", { route: "/healthz" })).toBe(times);
    expect(find("stator_figures_up")).toBe(1);
    expect(find("stator_jobs", { task: "send-mail" })).toBeGreaterThanOrEqual(0);
    expect(await node.stop()).toBe(0);
  } finally {
    await node.remove();
    await database.drop();
  }
});

test("without the database leave out what they do not know", async () => {
  const registry = new Registry();
  const pool = new pg.Pool({ host: "127.0.0.1", port: await freePort() });
  const reported: unknown[] = [];
  addStoreMetrics(registry, pool, (error) => reported.push(error));
  const text = await registry.metrics();
  expect(text).toMatch(/^stator_figures_up 0$/m);
  expect(text).not.toMatch(/^stator_(orders|revenue|oldest|emails|jobs)\S* \d/m);
  expect(reported).toHaveLength(1);
  await pool.end();
});

test("a port that is taken stops the start with one line", async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, "127.0.0.1", listening));
  const { port } = taken.address() as { port: number };
  const database = await freshDatabase();
  const start = startNode(database.connection, { METRICS_PORT: String(port) });
  await expect(start).rejects.toThrow(
    /^METRICS_PORT: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+$/m,
  );
  taken.close();
  await database.drop();
});

test.each([
  [{ METRICS_PORT: "70000" }, /^METRICS_PORT: Too big/],
  [{ METRICS_PORT: "none" }, /^METRICS_PORT: Invalid input/],
  [{ METRICS_PORT: "3000" }, /^METRICS_PORT: 3000 is the port of the store\.$/],
])("%j is refused", (variables, line) => {
  expect(() => readConfig(variables)).toThrow(line);
});
