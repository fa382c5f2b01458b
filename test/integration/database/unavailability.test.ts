/**
 * A database that is disconnected, read-only or full: nothing is lost, requests get a "try again", and it recovers.
 */
import files, { symlink } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { clientOf, type Reply, replyOf } from "../../harness/client.ts";
import { freshDatabase, waitingStatements } from "../../harness/database.ts";
import { addProduct, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, postIdentity, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let ada: SignedIn;
let tool: Product;
beforeAll(async () => {
  store = await openStore();
  ada = await register(store, "Ada");
  tool = await addProduct(await adminOf(store), { quantity: 1000 });
});
afterAll(() => store.stop());

const ordered = async () =>
  (await store.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM shop.purchase")).rows[0]?.n ?? 0;
const ready = async () => replyOf(await fetch(`${store.url}/readyz`));
const newKey = () => ({ "Idempotency-Key": crypto.randomUUID() });

function place(headers: Record<string, string>): Promise<Reply> {
  const { _id, minimum_order } = tool;
  const body = { address: "Unit 6, Canal Yard", productId: _id, purchaseQuantity: minimum_order };
  return ada.send("placePurchase", { body }, headers);
}

/** Terminates every connection of the store. */
async function cutOff({ pool } = store): Promise<void> {
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name <> 'test'`,
  );
}

function expectUnavailable({ status, headers, body }: Reply, detail: string, seconds: number): void {
  expect([status, headers.get("retry-after"), headers.get("content-type")]).toEqual([
    503,
    String(seconds),
    expect.stringContaining("application/problem+json"),
  ]);
  const requestId = headers.get("x-request-id");
  expect(body).toEqual({ type: "about:blank", title: "Service Unavailable", status: 503, detail, requestId });
}

test("a write whose connection is lost gets 503, and takes effect once with the same key", async () => {
  const key = newKey();
  const before = await ordered();
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [tool._id]);
  const placing = place(key);
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  await holder.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expectUnavailable(await placing, refusals.serverNotReady, 5);
  await holder.query("ROLLBACK");
  holder.release();
  const again = await place(key);
  expect(again.status).toBe(200);
  expect((await place(key)).body._id).toBe(again.body._id);
  expect(await ordered()).toBe(before + 1);
  store.logs.expect(/terminating connection due to administrator command/);
});

test("a write that waits longer than the time limit for statements gets 503", async () => {
  const key = newKey();
  const before = await ordered();
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [tool._id]);
  const placing = place(key);
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  // the same error as after the 15 seconds of the limit
  await holder.query(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expectUnavailable(await placing, refusals.serverBusy, 5);
  await holder.query("ROLLBACK");
  holder.release();
  expect((await place(key)).status).toBe(200);
  expect(await ordered()).toBe(before + 1);
  store.logs.expect(/canceling statement due to user request/);
});

test("a resumable call whose connection is lost does, too", async () => {
  const { _id } = await placeFor(ada, tool);
  const key = newKey();
  const cancel = () => ada.send("cancelPurchase", { params: { id: _id } }, key);
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.purchase WHERE id = $1 FOR UPDATE", [_id]);
  const cancelling = cancel();
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  await holder.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expectUnavailable(await cancelling, refusals.serverNotReady, 5);
  await holder.query("ROLLBACK");
  holder.release();
  expect((await cancel()).status).toBe(200);
  store.logs.expect(/terminating connection due to administrator command/);
});

test("a read-only database is read from; writes and sign-ins get 503 until it is writable", async () => {
  const { database } = store.pool.options;
  const key = newKey();
  const otherKey = newKey();
  const update = () =>
    ada.send(
      "updateProfile",
      { params: { email: ada.email }, body: { phone: "+44 20 7946 0000" } },
      otherKey,
    );
  const logIn = () => postIdentity(store, "/api/auth/sign-in/email", ada).then(replyOf);
  const account = { name: "Ben", email: "ben@buyers.example", password: "a good password" };
  const signUp = () => postIdentity(store, "/api/auth/sign-up/email", account).then(replyOf);
  const before = await ordered();
  await store.pool.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await cutOff();
  await expect.poll(ready).toMatchObject({ status: 503, body: { detail: "The database is read-only." } });
  expect((await clientOf(store).send("findProduct", { params: { id: tool._id } })).status).toBe(200);
  expectUnavailable(await place(key), refusals.databaseDown.readOnly, 30);
  expectUnavailable(await update(), refusals.databaseDown.readOnly, 30);
  for (const refused of [await logIn(), await signUp()]) {
    expect(refused).toMatchObject({ status: 503, body: { message: refusals.databaseDown.readOnly } });
    expect(refused.headers.get("retry-after")).toBe("30");
  }
  await store.pool.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  await cutOff();
  await expect.poll(ready).toMatchObject({ status: 200 });
  expect((await place(key)).status).toBe(200);
  expect((await update()).status).toBe(200);
  expect([(await logIn()).status, (await signUp()).status]).toEqual([200, 200]);
  expect(await ordered()).toBe(before + 1);
  store.logs.expect(/read-only/);
  store.logs.expect(/terminat|EPIPE|ECONNRESET/);
});

test("connections that are lost together are logged in one line", async () => {
  const cut = await openStore();
  onTestFinished(() => cut.stop());
  const isReady = async () => (await fetch(`${cut.url}/readyz`)).status;
  // a store reads its catalogue after it has opened
  await fetch(`${cut.url}/catalog?q=saw`);
  await Promise.all(Array.from({ length: 10 }, isReady));
  await cutOff(cut);
  await expect.poll(isReady).toBe(200);
  const lines = cut.logs.expect(/terminat|EPIPE|ECONNRESET|validate the database schema/);
  expect(lines.filter((line) => /terminating .*"a database connection failed"/.test(line))).toHaveLength(1);
});

test("a full disk gives 503, and /readyz says why", async () => {
  const key = newKey();
  await store.pool.query(`
    CREATE FUNCTION shop.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file "base/16384/16385": No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER fill BEFORE INSERT ON shop.purchase FOR EACH ROW EXECUTE FUNCTION shop.fill()`);
  expectUnavailable(await place(key), refusals.databaseDown.diskFull, 30);
  expect(await ready()).toMatchObject({ status: 503, body: { detail: "The disk of the database is full." } });
  await store.pool.query("DROP FUNCTION shop.fill CASCADE");
  expect((await place(key)).status).toBe(200);
  store.logs.expect(/No space left on device/);
});

test.runIf(process.platform === "linux")("a full disk that an upload meets gives 503", async () => {
  const admin = await adminOf(store);
  const { mkdtemp } = files;
  const spy = vi.spyOn(files, "mkdtemp").mockImplementationOnce(async (prefix) => {
    const folder = await mkdtemp(prefix as string);
    await symlink("/dev/full", join(folder, "file"));
    return folder;
  });
  // other test files of this process have imported it already
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  const upload = () =>
    admin.send("importProducts", {
      body: { file: { name: "erp.csv", content: "item_number,price\nA 1,5\n" } },
    });
  expectUnavailable(await upload(), refusals.databaseDown.diskFull, 30);
  expect((await upload()).status).toBe(202);
  store.logs.expect(/ENOSPC/);
});

test("a full disk that only a sign-in or a job has met is in /readyz, too", async () => {
  const attempts = {
    session: (other: TestStore) => postIdentity(other, "/api/auth/sign-in/email", other.admin).then(replyOf),
    job: (other: TestStore) => other.pool.query("SELECT graphile_worker.add_job('check-books')"),
  };
  const tables = { session: "identity.session", job: "shop.books_report" };
  for (const what of ["session", "job"] as const) {
    const other = await openStore();
    await other.pool.query(`
      CREATE FUNCTION shop.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'could not extend file "base/16384/16385": No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER fill BEFORE INSERT ON ${tables[what]} FOR EACH ROW EXECUTE FUNCTION shop.fill()`);
    const attempt = await attempts[what](other);
    if ("status" in attempt)
      expect([attempt.status, attempt.headers.get("retry-after")]).toEqual([503, "30"]);
    await expect
      .poll(async () => replyOf(await fetch(`${other.url}/readyz`)), { timeout: 10_000 })
      .toMatchObject({ status: 503, body: { detail: "The disk of the database is full." } });
    other.logs.expect(/No space left on device/);
    await other.stop();
  }
});

test.each([
  ["a deadlock", "40P01"],
  ["a conflict of a replica with what it replays", "40001"],
  ["a lock that is waited for longer than the role may", "55P03"],
  ["a transaction that takes longer than the role may", "25P04"],
])("%s gives 503", async (_, code) => {
  const key = newKey();
  await store.pool.query(`
    CREATE FUNCTION shop.collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'the statement was cancelled' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER collide BEFORE INSERT ON shop.purchase FOR EACH ROW EXECUTE FUNCTION shop.collide()`);
  expectUnavailable(await place(key), refusals.serverBusy, 5);
  await store.pool.query("DROP FUNCTION shop.collide CASCADE");
  expect((await place(key)).status).toBe(200);
  store.logs.expect(/the statement was cancelled/);
});

test("a database whose machine is lost gives 503", async () => {
  const database = await freshDatabase();
  const sockets: Socket[] = [];
  const stream = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket as never;
  };
  const other = await openStore({
    database: { ...database, connection: { ...database.connection, stream } },
  });
  const holder = await database.pool.connect();
  await holder.query("BEGIN; LOCK TABLE shop.product");
  const listing = clientOf(other).send("listProducts", {});
  await expect.poll(() => waitingStatements(database.pool)).toBeGreaterThan(0);
  // as Linux reports it for a machine of the same network
  const lost = Object.assign(new Error("read EHOSTUNREACH"), { code: "EHOSTUNREACH" });
  for (const socket of sockets) socket.destroy(lost);
  expectUnavailable(await listing, refusals.serverNotReady, 5);
  await holder.query("ROLLBACK");
  holder.release();
  other.logs.expect(/EHOSTUNREACH/);
  await other.stop();
  await database.drop();
});
