/**
 * The connections to PostgreSQL: never more than available, and a request that gets none in time is refused with a
 * clear message.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openPool } from "../../../database/client.ts";
import { ConnectionError } from "../../../database/connection-error.ts";
import { connectIdentity } from "../../../providers/identity/connect-identity.ts";
import { processesFor } from "../../../server/database.ts";
import { ensureFirstAdmin } from "../../../server/first-admin.ts";
import { MAX_CONNECTIONS, MIN_CONNECTIONS, poolSizesFor } from "../../../server/pool-sizes.ts";
import type { Store } from "../../../shop/store.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { clientOf } from "../../harness/client.ts";
import { freshDatabase, waitingStatements } from "../../harness/database.ts";
import { addProduct, payFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn, signUp } from "../../harness/users.ts";

describe("the connections of a process", () => {
  const total = (available: number, isPooled = false) =>
    Object.values(poolSizesFor(available, isPooled)).reduce((sum, share) => sum + share, 0);

  test("are never more than its share, and enough to work with", () => {
    for (let available = MIN_CONNECTIONS; available <= 100; available += 1) {
      for (const isPooled of [false, true]) {
        const { shop, identity, direct } = poolSizesFor(available, isPooled);
        expect(total(available, isPooled)).toBeLessThanOrEqual(available);
        // the queue keeps one for its locks, and the migrations need two
        expect(shop + direct).toBeGreaterThanOrEqual(5);
        expect(identity).toBeGreaterThanOrEqual(2);
      }
    }
    const most = { shop: 20, identity: 5, changes: 1 };
    expect(poolSizesFor(Number.POSITIVE_INFINITY)).toEqual({ ...most, direct: 0 });
    expect(poolSizesFor(Number.POSITIVE_INFINITY, true)).toEqual({ ...most, direct: 2 });
    expect(total(Number.POSITIVE_INFINITY, true)).toBe(MAX_CONNECTIONS);
  });

  test.each([
    // the embedded server's hundred, a small managed server's twenty-five
    [80, 1, 1],
    [80, 4, 4],
    [80, 64, 10],
    [17, 1, 1],
    [17, 2, 2],
    [17, 4, 2],
  ])("with %i connections, of %i processes %i are started", (available, requested, started) => {
    const lines: string[] = [];
    const processes = processesFor(available, requested, (line) => lines.push(line));
    expect(processes).toBe(started);
    expect(processes * total(Math.floor(available / processes))).toBeLessThanOrEqual(available);
    expect(lines).toEqual(
      started === requested
        ? []
        : [
            `WORKERS: the database has connections for ${started} of ${requested} processes; ${started} are started.`,
          ],
    );
  });

  test("with too few connections for one process, the store does not start", () => {
    expect(() => processesFor(MIN_CONNECTIONS - 1, 1, () => undefined)).toThrow(/needs 8 connections/);
  });
});

function identityOn(pool: pg.Pool, report: (message: string) => void) {
  const nothing = async () => undefined;
  return connectIdentity({
    pool,
    publicUrl: "http://localhost:3000",
    otherOrigins: [],
    secret: "0123456789abcdef0123456789abcdef",
    requireVerifiedEmail: false,
    google: null,
    report,
    sendEmail: nothing,
    isDisabled: async () => false,
    needsSecondFactor: async () => false,
    recordEvent: nothing,
    mayNotify: async () => false,
    mayConfirm: async () => true,
    idleHours: 72,
  });
}

test("signing in gets the same message", async () => {
  const database = await freshDatabase();
  const pool = openPool({ ...database.connection, max: 1, connectionTimeoutMillis: 300 }, () => undefined);
  const reported: string[] = [];
  const identity = identityOn(pool, (message) => reported.push(message));
  const logIn = async () => {
    const response = await identity.handler(
      new Request("http://localhost:3000/api/auth/sign-in/email", {
        method: "POST",
        headers: { "content-type": "application/json", origin: "http://localhost:3000" },
        body: JSON.stringify({ email: "ada@buyers.example", password: "a good password" }),
      }),
    );
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  expect(await logIn()).toEqual([401, expect.any(String)]);
  const holder = await pool.connect();
  expect(await logIn()).toEqual([503, refusals.serverBusy]);
  expect(reported).toEqual([]);
  holder.release();
  await pool.end();
  await database.drop();
});

test("a start that is killed while it prints the first admin's password has not used it", async () => {
  const { pool, drop } = await freshDatabase();
  const identity = identityOn(pool, (message) => expect.fail(message));
  const email = "first@admins.example";
  const start = (print: (line: string) => void) =>
    ensureFirstAdmin({ pool } as unknown as Store, identity, email, undefined, print);
  await expect(start(() => expect.fail("killed"))).rejects.toThrow("killed");
  const printed: string[] = [];
  await start((line) => printed.push(line));
  const password =
    /^First admin: first@admins\.example, password: (\S{16})$/.exec(printed.join("\n"))?.[1] ?? "";
  expect(await identity.api.signInEmail({ body: { email, password } })).toMatchObject({ user: { email } });
  const { rows } = await pool.query("SELECT email, role FROM shop.user");
  expect(rows).toEqual([{ email, role: "admin" }]);
  await drop();
});

test("a server without free connections reports it, and the next request is served", async () => {
  const role = `few_${Date.now()}`;
  const owner = new pg.Client(inject("postgres"));
  await owner.connect();
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 1`);
  const reported: Error[] = [];
  const pool = openPool({ ...inject("postgres"), user: role, password: "few" }, (error) =>
    reported.push(error),
  );
  const first = await pool.connect();
  for (const send of [() => pool.query("SELECT 1"), () => pool.connect()]) {
    await expect(send()).rejects.toThrow(ConnectionError);
    await expect(send()).rejects.toMatchObject({ busy: true, code: "53300" });
  }
  // at intervals, however many wait
  expect(reported).toHaveLength(1);
  first.release();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await owner.query(`DROP ROLE ${role}`);
  await owner.end();
});

test("a lost idle connection is reported once, and the next request is served", async () => {
  const database = await freshDatabase();
  const reported: string[] = [];
  const pool = openPool(database.connection, ({ message }) => reported.push(message));
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const removed = new Promise<unknown>((done) => pool.once("remove", done));
  await database.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await removed;
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect(reported).toEqual(["terminating connection due to administrator command"]);
  await pool.end();
  await database.drop();
});

describe("a store with the fewest connections", () => {
  let store: TestStore;
  let admin: SignedIn;
  let ada: SignedIn;
  let highest = 0;
  let looking: NodeJS.Timeout;
  beforeAll(async () => {
    store = await openStore({ connections: MIN_CONNECTIONS });
    looking = setInterval(count, 50);
    admin = await adminOf(store);
    ada = await register(store, "Ada");
  });
  afterAll(async () => {
    clearInterval(looking);
    await store.stop();
  });

  async function count() {
    const { rows } = await store.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend'`,
    );
    highest = Math.max(highest, (rows[0]?.count ?? 0) - store.pool.totalCount);
  }

  test("registers many users, sells, takes payments, sends emails and reconciles", async () => {
    const buyers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => signUp(store, `Buyer ${index}`)),
    );
    const tool = await addProduct(admin, { quantity: 1000 });
    const purchases = await Promise.all(buyers.map((user) => placeFor(user, tool)));
    await Promise.all(purchases.map((purchase, index) => payFor(store, buyers[index] as SignedIn, purchase)));
    const received = async () =>
      (await store.outbox()).filter(({ subject }) => /^Payment received/.test(subject)).length;
    await expect.poll(received, { timeout: 20_000 }).toBe(8);
    expect((await admin.call("reconcile", {})).faults).toEqual([]);
    expect(highest).toBeGreaterThan(4);
    expect(highest).toBeLessThanOrEqual(MIN_CONNECTIONS);
  });

  test("responds 503 with Retry-After when no connection is free, in calls and on pages, and continues afterwards", async () => {
    const purchase = await placeFor(ada, await addProduct(admin));
    const call = () => ada.send("findOrder", { params: { id: purchase._id } });
    const open = async (_: unknown, n: number) => {
      const response = await fetch(`${store.url}/product/${crypto.randomUUID()}?${n}`, {
        headers: { connection: "close", cookie: ada.cookie },
      });
      return [response.status, response.headers.get("content-type"), await response.text()];
    };
    let calls: ReturnType<typeof call>[] = [];
    let pages: ReturnType<typeof open>[] = [];
    // statements on these tables wait, each with a connection
    const holder = await store.pool.connect();
    try {
      await holder.query("BEGIN; LOCK TABLE shop.purchase, shop.product");
      const startedAt = Date.now();
      calls = Array.from({ length: 8 }, call);
      await expect.poll(() => waitingStatements(store.pool)).toBeGreaterThan(0);
      pages = Array.from({ length: 8 }, open);
      const refused = await Promise.race(calls);
      expect(Date.now() - startedAt).toBeLessThan(20_000);
      expect(refused).toMatchObject({ status: 503, body: { detail: refusals.serverBusy } });
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(await Promise.race(pages)).toEqual([
        503,
        expect.stringMatching(/^text\/html/),
        expect.stringContaining("Your connection or our server did not respond."),
      ]);
      const health = await fetch(`${store.url}/healthz`);
      expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    } finally {
      holder.release(true);
    }
    await Promise.all(pages);
    const replies = await Promise.all(calls);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect((await call()).status).toBe(200);
    store.logs.expect(/no database connection: timeout exceeded/);
  });
});

test("a request for an access token without a database connection gets a 503 with Retry-After", async () => {
  // whose own connections the test does not use, because they are ended
  const database = await freshDatabase();
  // without jobs, which would report the lost connections in their own words
  const store = await openStore({ database, environment: { ROLE: "web" } });
  const ada = await signUp(store, "Ada");
  const send = () => clientOf(store, ada).send("issueToken", { params: { email: ada.email }, body: {} });
  const owner = new pg.Client(inject("postgres"));
  await owner.connect();
  const name = database.connection.database;
  await owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await owner.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  // a query on a connection that the store believes open is another case
  const open = "SELECT FROM pg_stat_activity WHERE datname = $1";
  await expect.poll(async () => (await owner.query(open, [name])).rowCount, { timeout: 10_000 }).toBe(0);
  const refused = await send();
  await owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await owner.end();
  expect(refused).toMatchObject({ status: 503, body: { detail: refusals.serverNotReady } });
  expect(refused.headers.get("retry-after")).toBe("5");
  await expect.poll(async () => (await send()).status, { timeout: 10_000 }).toBe(200);
  store.logs.expect(/connection/);
  await store.stop();
  await database.drop();
});
