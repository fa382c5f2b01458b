/** The metrics on a listener of their own, and the traces. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import pg from "pg";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { addStoreMetrics } from "../../server/metrics/store-metrics.ts";
import { clientOf } from "../harness/client.ts";
import { freshDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";
import { addProduct, dropWebhooks, payFor, placeFor, redeliverWebhooks } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register } from "../harness/users.ts";
import { startNode } from "./node.ts";
import { type ReceivedSpan, receiveTraces, type TraceReceiver } from "./trace-receiver.ts";

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

function attributeOf({ attributes }: ReceivedSpan, name: string): unknown {
  return Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
}

/** Ends a process that loads what exports traces. */
const withoutSdk = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) {
    if (/opentelemetry[/](sdk|exporter|otlp)/.test(url)) throw new Error("loads " + url);
    return next(url, context);
  } });`)}`;

describe("of one process", () => {
  let store: TestStore;
  let port: number;
  let receiver: TraceReceiver;
  beforeAll(async () => {
    port = await freePort();
    receiver = await receiveTraces();
    store = await openStore({
      environment: {
        METRICS_PORT: String(port),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: "100",
      },
    });
  });
  afterAll(async () => {
    await store.stop();
    receiver.close();
  });

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
    const atFirst = await scrape(port);
    expect(atFirst("stator_oldest_unshipped_seconds")).toBe(0);
    // in a series that begins with the first failure, Prometheus and the alert rules see no increase
    for (const call of ["placePurchase", "placeOrder"])
      expect(atFirst("stator_purchases_rejected_total", { call, status: "500" })).toBe(0);
    expect(atFirst("stator_edge_purges_total", { result: "failed" })).toBe(0);
    const product = await addProduct(admin, { quantity: 1000 });
    const purchase = await placeFor(ada, product);
    await placeFor(ada, product);
    await payFor(store, ada, purchase);
    const refused = await ada.send("placePurchase", {
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

  test("one trace connects the requests of a purchase, their SQL, the provider and the emails", async () => {
    const admin = await adminOf(store);
    const ada = await register(store, "Ada Traced");
    const product = await addProduct(admin);
    const trace = { id: randomBytes(16).toString("hex"), caller: randomBytes(8).toString("hex") };
    const { token, cookie } = ada;
    const headers = { traceparent: `00-${trace.id}-${trace.caller}-01` };
    const buyer = { ...ada, ...clientOf(store, { token, cookie, headers }) };
    await dropWebhooks(store); // one that is first has a trace of its own
    await payFor(store, buyer, await placeFor(buyer, product));
    await redeliverWebhooks(store);
    const spans = () => receiver.spans.filter(({ traceId }) => traceId === trace.id);
    const names = () => spans().map(({ name }) => name);
    await expect.poll(() => names().filter((name) => name === "job send-mail")).toHaveLength(2);
    expect(names()).toEqual(
      expect.arrayContaining([
        "POST /purchase",
        "POST /create-payment-intent",
        "PATCH /payment/:id",
        "Stripe POST",
        "Stripe GET",
        "mark-paid",
        "deliver email",
      ]),
    );
    const ids = new Set([trace.caller, ...spans().map(({ spanId }) => spanId)]);
    expect(spans().filter(({ parentSpanId = "" }) => !ids.has(parentSpanId))).toEqual([]);
    const emails = spans().filter(({ name }) => name === "job send-mail");
    expect(emails.map((span) => attributeOf(span, "stator.email")).sort()).toEqual([
      "purchasePaid",
      "purchasePlaced",
    ]);
    const paid = spans().find(({ name }) => name === "mark-paid") as ReceivedSpan;
    expect(attributeOf(paid, "db.query.text")).toContain("transaction_id = $1");
    expect(receiver.senders[0]).toContainEqual({ key: "service.name", value: { stringValue: "stator" } });
    const text = JSON.stringify([receiver.spans, receiver.senders]);
    for (const secret of [ada.email, encodeURIComponent(ada.email), "Ada Traced", "Canal Yard", token])
      expect(text.includes(secret), secret).toBe(false);
  });

  test("a failure has one request id and trace id in its log line, its response and on its page", async () => {
    await store.pool.query("ALTER TABLE shop.review RENAME TO gone");
    const [call, page] = await Promise.all([
      clientOf(store).send("listReviews", { query: { limit: 7 } }),
      clientOf(store).fetch("/", { headers: { "x-request-id": "from-the-proxy-1" } }),
    ]);
    await store.pool.query("ALTER TABLE shop.gone RENAME TO review");
    const { requestId, traceId } = call.body;
    expect([call.status, page.status]).toEqual([500, 500]);
    expect(call.headers.get("x-request-id")).toBe(requestId);
    expect(page.headers.get("x-request-id")).toBe("from-the-proxy-1");
    const lines = store.logs.expect(/does not exist/).map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ requestId, trace_id: traceId, level: 50 }));
    const ofPage = lines.find((line) => line.requestId === "from-the-proxy-1");
    expect(ofPage.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(await page.text()).toContain(`>from-the-proxy-1, trace ${ofPage.trace_id}<`);
    await expect.poll(() => receiver.spans.map((span) => span.traceId)).toContain(traceId);
    const span = receiver.spans.find((one) => one.traceId === traceId && !one.parentSpanId) as ReceivedSpan;
    expect(span.name).toBe("GET /reviews");
    expect(attributeOf(span, "stator.request_id")).toBe(requestId);
    expect(attributeOf(span, "error.type")).toBe("500");
  });

  test("are not on the port of the store, and nothing else is on theirs", async () => {
    expect((await clientOf(store).fetch("/metrics")).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(404);
  });
});

test("of several processes are added up", async () => {
  const database = await freshDatabase();
  const port = await freePort();
  const node = await startNode(database.connection, {
    WORKERS: "2",
    DATABASE_CONNECTIONS: "20",
    METRICS_PORT: String(port),
    NODE_OPTIONS: withoutSdk,
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
  await expect(start).rejects.toThrow(`METRICS_PORT: ${port} is already in use. Set it to another one.`);
  taken.close();
  await database.drop();
});

test.each([
  [{ METRICS_PORT: "70000" }, /^METRICS_PORT: must be a whole number/],
  [{ METRICS_PORT: "none" }, /^METRICS_PORT: must be a whole number/],
  [{ METRICS_PORT: "3000" }, /^METRICS_PORT: 3000 is the port of the store\.$/],
])("%j is refused", (variables, line) => {
  expect(() => readConfig(variables)).toThrow(line);
});
