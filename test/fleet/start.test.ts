/** Nodes that start at the same time on an empty database, and their roles afterwards. */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "../../server/config.ts";
import { sampleCatalogue } from "../../shop/sample-data/catalogue.ts";
import { sampleReviews } from "../../shop/sample-data/reviews.ts";
import { clientOf } from "../harness/client.ts";
import { type FreshDatabase, freshDatabase, waitingStatements } from "../harness/database.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { logIn } from "../harness/users.ts";
import { admin, type FleetNode, startNode, urlOf } from "./node.ts";

const CONNECTIONS = 8;
/** of database/migrate.ts */
const MIGRATION_LOCK = 7_128_640;

let database: FreshDatabase;
/** Nodes share nothing but the database: most of them can run in this process, which takes a tenth of the CPU time. */
const stores: TestStore[] = [];
const processes: FleetNode[] = [];
const nodes = () => [...stores, ...processes];

beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
  const lock = await database.pool.connect();
  await lock.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  const starts = [
    ...["web", "web", "both"].map(startProcess),
    ...Array.from({ length: 7 }, async () => {
      stores.push(
        await openStore({ database, connections: CONNECTIONS, sample: true, environment: inFleet() }),
      );
    }),
  ];
  const started = Promise.all(starts);
  await Promise.race([started, vi.waitUntil(allWait, { timeout: 200_000, interval: 200 })]);
  await lock.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
  lock.release();
  await started;
}, 300_000);
afterAll(async () => {
  for (const store of stores) await store.stop();
  for (const node of processes) await node.remove();
  await database.drop();
});

const allWait = async () => (await waitingStatements(database.pool)) === 10;
const inFleet = () => ({ ROLE: "web", DATABASE_URL: urlOf(database.connection) });

async function startProcess(ROLE: string): Promise<FleetNode> {
  const node = await startNode(database.connection, {
    ROLE,
    SAMPLE_DATA: "on",
    DATABASE_CONNECTIONS: String(CONNECTIONS),
    LOG_LEVEL: "warn",
  });
  processes.push(node);
  return node;
}

test("migrations, seed, first admin and secret of ten nodes are made once", async () => {
  const migrations = readdirSync("database/migrations").filter((name) => name.endsWith(".sql"));
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM public.migration) AS migrations,
       (SELECT count(*)::int FROM identity.user) AS accounts,
       (SELECT count(*)::int FROM shop.user WHERE role = 'admin') AS admins,
       (SELECT count(*)::int FROM shop.product) AS products,
       (SELECT count(*)::int FROM shop.review) AS reviews,
       (SELECT count(*)::int FROM shop.shared_secret) AS secrets`,
  );
  expect(rows).toEqual([
    {
      migrations: migrations.length,
      accounts: 1,
      admins: 1,
      products: sampleCatalogue.length,
      reviews: sampleReviews.length,
      secrets: 1,
    },
  ]);
  // a warning or an error would be a line of JSON
  for (const node of processes) expect(node.output()).not.toContain("{");
});

test("all ten serve, and a token of one is valid at the others", async () => {
  const { token, cookie } = await logIn(stores[0] as TestStore, admin);
  expect(nodes()).toHaveLength(10);
  for (const node of nodes()) {
    const client = clientOf(node, { token, cookie });
    expect(await client.call("listProducts", { query: { limit: 100 } })).toHaveLength(sampleCatalogue.length);
    await client.call("findUser", { params: { email: admin.email } });
  }
  for (const node of processes)
    expect((await clientOf(node, { cookie }).fetch("/dashboard/profile")).status).toBe(200);
});

test("connections are named and no more than allowed", async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      fetch(`${processes[0]?.url}/products?limit=${(index % 20) + 1}&n=${index}`),
    ),
  );
  const { rows } = await database.pool.query<{ name: string; count: number }>(
    `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'test'
     GROUP BY 1`,
  );
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(nodes().length * CONNECTIONS);
  for (const { name } of rows) expect(name).toMatch(/^stator (shop|identity|changes) \S+$/);
  expect(new Set(rows.map(({ name }) => name.split(" ")[1])).size).toBe(3);
});

test("jobs run on a worker, which serves health checks and no pages", async () => {
  for (const node of processes) expect(await node.stop()).toBe(0);
  await database.pool.query("SELECT graphile_worker.add_job('send-mail', '{}')");
  const queued = async () =>
    (
      await database.pool.query(
        "SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NULL AND attempts = 0",
      )
    ).rowCount;
  await pause(1500);
  expect(await queued()).toBe(1);
  const worker = await startProcess("worker");
  await expect.poll(queued).toBe(0);
  for (const [path, status] of [
    ["/readyz", 200],
    ["/healthz", 200],
    ["/", 404],
    ["/products", 404],
  ])
    expect((await fetch(`${worker.url}${path}`)).status, String(path)).toBe(status);
});

test.each([
  ["ROLE", "master", "must be web or worker or both"],
  ["DATABASE_CONNECTIONS", "7", "must be a whole number from 8 to 10000"],
  ["DATABASE_CONNECTIONS", "many", "must be a whole number from 8 to 10000"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "must be IP addresses or networks"],
  ["TRUSTED_PROXIES", "0.0.0.0/0", "must be IP addresses or networks"],
  ["TRUSTED_PROXIES", "10.0.0.0/8;10.1.0.0/16", "must be IP addresses or networks"],
  ["TRUSTED_PROXIES", "proxy.example", "must be IP addresses or networks"],
])("%s of %s is refused", (name, value, why) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: ${why}`));
});
