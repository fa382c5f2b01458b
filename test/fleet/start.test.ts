/** Nodes that start at the same time on an empty database, and their roles afterwards. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { sampleCatalogue } from "../../shop/sample-data/catalogue.ts";
import { clientOf } from "../harness/client.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { logIn } from "../harness/people.ts";
import { admin, type FleetNode, startNode } from "./node.ts";

const CONNECTIONS = 8;
const roles = ["web", "web", "both", "worker"];

let database: FreshDatabase;
let nodes: FleetNode[];
beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
  nodes = await Promise.all(
    roles.map((ROLE) =>
      startNode(database.connection, { ROLE, SAMPLE_DATA: "on", DATABASE_CONNECTIONS: String(CONNECTIONS) }),
    ),
  );
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.remove();
  await database.drop();
});

const [web, otherWeb, both, worker] = [0, 1, 2, 3].map((index) => () => nodes[index] as FleetNode) as [
  () => FleetNode,
  () => FleetNode,
  () => FleetNode,
  () => FleetNode,
];

test("migrations and seed run once", async () => {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM identity.user) AS accounts,
       (SELECT count(*)::int FROM shop.user WHERE role = 'admin') AS admins,
       (SELECT count(*)::int FROM shop.product) AS products,
       (SELECT count(*)::int FROM shop.shared_secret) AS secrets`,
  );
  expect(rows).toEqual([{ accounts: 1, admins: 1, products: sampleCatalogue.length, secrets: 1 }]);
  expect(nodes.filter((node) => node.output().includes("First admin:"))).toHaveLength(1);
});

test("a token of one node is valid at the others", async () => {
  const { token, cookie } = await logIn(web(), admin);
  for (const node of [web(), otherWeb(), both()]) {
    expect((await clientOf(node, { token }).ask("findUser", { params: { email: admin.email } })).status).toBe(
      200,
    );
    const page = await fetch(`${node.url}/dashboard/profile`, { headers: { cookie }, redirect: "manual" });
    expect(page.status).toBe(200);
  }
});

test("connections are named and no more than allowed", async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      fetch(`${web().url}/products?limit=${(index % 20) + 1}&n=${index}`),
    ),
  );
  const { rows } = await database.pool.query<{ name: string; count: number }>(
    `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'test'
     GROUP BY 1`,
  );
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(nodes.length * CONNECTIONS);
  for (const { name } of rows) expect(name).toMatch(/^stator (shop|identity|changes) \S+$/);
  expect(new Set(rows.map(({ name }) => name.split(" ")[1])).size).toBe(3);
});

test("a worker serves health checks and no pages", async () => {
  expect((await fetch(`${worker().url}/readyz`)).status).toBe(200);
  expect((await fetch(`${worker().url}/healthz`)).status).toBe(200);
  expect((await fetch(`${worker().url}/`)).status).toBe(404);
  expect((await fetch(`${worker().url}/products`)).status).toBe(404);
});

test("jobs run on a worker, not on web nodes", async () => {
  expect(await both().stop()).toBe(0);
  expect(await worker().stop()).toBe(0);
  await database.pool.query("SELECT graphile_worker.add_job('send-mail', '{}')");
  const queued = async () =>
    (
      await database.pool.query(
        "SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NULL AND attempts = 0",
      )
    ).rowCount;
  await expect.poll(queued, { timeout: 2000 }).toBe(1);
  await new Promise((done) => setTimeout(done, 1500));
  expect(await queued()).toBe(1);
  const another = await startNode(database.connection, { ROLE: "worker", LOG_LEVEL: "silent" });
  try {
    await expect.poll(queued).toBe(0);
  } finally {
    await another.remove();
  }
});

test.each([
  ["ROLE", "master", "Invalid option"],
  ["DATABASE_CONNECTIONS", "7", "Too small"],
  ["DATABASE_CONNECTIONS", "many", "Invalid input"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "must be addresses or networks"],
  ["TRUSTED_PROXIES", "0.0.0.0/0", "must be addresses or networks"],
  ["TRUSTED_PROXIES", "10.0.0.0/8;10.1.0.0/16", "must be addresses or networks"],
  ["TRUSTED_PROXIES", "proxy.example", "must be addresses or networks"],
])("%s of %s is refused", (name, value, why) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: ${why}`));
});
