/**
 * The store and its database are killed under load, at random moments and between the provider's success and our
 * commit. Acknowledged data survives, nothing is charged or emailed twice, the data is consistent. KILLS=25 repeats
 * more often, and waits for what takes time.
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileCache } from "../harness/compile-cache.ts";
import { addProduct, confirmCard, openPaymentFor, payFor, placeFor } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { type Load, startLoad } from "./buyers.ts";
import { startCalls } from "./callers.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const KILLS = Number(process.env.KILLS ?? 1);
const MAX_LIFE_MS = 1500;
const BUYERS = 4;

let victim: StoreProcess;
let admin: SignedIn;
let buyers: SignedIn[];
let productId: string;
beforeAll(async () => {
  victim = await createStoreProcess();
  await victim.start();
  admin = await adminOf(asStore());
  buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, index) => register(asStore(), `Buyer ${index}`)),
  );
  productId = (await addProduct(admin, { quantity: 1_000_000, minimum_order: 1 }))._id;
});
afterAll(() => victim.remove(), 60_000);

/** The harness only needs the store's URL. */
const asStore = () => victim as unknown as TestStore;

/** Calls `run`, which kills a process, while buyers buy. Tokens survive with the database's sessions, but expire. */
async function loadFor(run: () => Promise<void>): Promise<Load> {
  const load = startLoad(victim, buyers, productId);
  // a kill that hits all of them in their first call would leave nothing to check
  await expect.poll(() => load.acknowledged.placed.length, { timeout: 30_000 }).toBeGreaterThan(BUYERS);
  await run();
  await pause(300);
  const stopped = load.stop().then(() => true);
  while (!(await Promise.race([stopped, pause(500, false)]))) if (KILLS === 1) await endTheMinute();
  return load;
}

/** The key of an interrupted call is held for a minute; nobody retries during a call. The long run waits. */
function endTheMinute(): Promise<unknown> {
  return victim.query(
    "UPDATE shop.request SET held_until = now() WHERE answer IS NULL AND held_until > now()",
  );
}

async function expectAcknowledged({ acknowledged }: Load): Promise<void> {
  expect(acknowledged.bad).toEqual([]);
  expect(acknowledged.placed.length).toBeGreaterThan(BUYERS);
  expect(new Set(acknowledged.placed).size).toBe(acknowledged.placed.length);
  await waitUntilSettled();
  const purchases = await victim.query<{ id: string; status: string }>(
    "SELECT id, status FROM shop.purchase WHERE cancelled_at IS NULL",
  );
  const statuses = new Map(purchases.map(({ id, status }) => [id, status]));
  for (const id of acknowledged.placed) expect([id, statuses.has(id)]).toEqual([id, true]);
  for (const id of acknowledged.paid) expect([id, statuses.get(id)]).toEqual([id, "paid"]);
}

/** Over the whole run, nothing was bought, charged or emailed without intent. */
async function expectNothingTwice(intents: number): Promise<void> {
  const [{ count }] = (await victim.query("SELECT count(*)::int AS count FROM shop.purchase")) as [
    { count: number },
  ];
  expect(count).toBe(intents);
  const charged = await victim.query(
    `SELECT y.purchase_id FROM sandbox.charge c JOIN shop.payment y ON y.id = c.payment_intent_id
     WHERE c.status = 'succeeded' GROUP BY 1 HAVING count(*) > 1`,
  );
  expect(charged).toEqual([]);
  const emails = await emailsSent();
  const expected = await victim.query<{ email: string }>(
    `WITH line AS (SELECT p.id, number, status FROM shop.purchase p JOIN shop.order o ON o.id = order_id)
     SELECT number || ' placed' AS email FROM line UNION ALL
     SELECT number || ' received' FROM line WHERE status <> 'unpaid' UNION ALL
     SELECT number || ' refund' FROM shop.refund JOIN line ON line.id = purchase_id WHERE refund.status = 'done'`,
  );
  expect(emails).toEqual(expected.map(({ email }) => email).sort());
}

/** Waits until the queue is empty and no succeeded payment is unrecorded. */
async function waitUntilSettled(): Promise<void> {
  const left = async () => {
    await victim.query(
      "UPDATE shop.payment SET checked_at = checked_at - interval '1 minute' WHERE status = 'open'",
    );
    await victim.query(
      "UPDATE shop.refund SET checked_at = checked_at - interval '1 minute' WHERE status = 'due'",
    );
    const [row] = await victim.query<{ jobs: number; unrecorded: number; due: number }>(
      `SELECT (SELECT count(*)::int FROM graphile_worker._private_jobs) AS jobs,
         (SELECT count(*)::int FROM shop.payment y JOIN sandbox.payment_intent i ON i.id = y.id
          WHERE y.status = 'open' AND i.status = 'succeeded') AS unrecorded,
         (SELECT count(*)::int FROM shop.refund WHERE status = 'due') AS due`,
    );
    return row;
  };
  try {
    await expect.poll(left, { timeout: 120_000, interval: 500 }).toEqual({ jobs: 0, unrecorded: 0, due: 0 });
  } catch (error) {
    const stuck = await victim.query(
      `SELECT attempts, run_at - now() AS due_in, now() - locked_at AS locked_for, locked_by, left(last_error, 100) AS error,
         (SELECT count(*)::int FROM graphile_worker._private_jobs) AS jobs
       FROM graphile_worker._private_jobs ORDER BY run_at LIMIT 3`,
    );
    throw new Error(`not settled: ${JSON.stringify(stuck)}`, { cause: error });
  }
}

async function emailsSent(): Promise<string[]> {
  const folder = join(victim.dataDir, "outbox");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const emails = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))),
  );
  return emails
    .map(({ subject, text }) => {
      const kind = /^Order placed/.test(subject)
        ? "placed"
        : /^Payment received/.test(subject)
          ? "received"
          : /^Refund/.test(subject)
            ? "refund"
            : null;
      const order = /^Order: (\d+)$/m.exec(text)?.[1];
      return kind && `${order} ${kind}`;
    })
    .filter((email) => email !== null)
    .sort();
}

let intents = 0;

test(`the store is killed ${KILLS} times at random moments under load`, {
  timeout: 180_000 + KILLS * 30_000,
}, async () => {
  const load = await loadFor(async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(200 + Math.random() * MAX_LIFE_MS);
      await victim.kill();
      await victim.start();
    }
    await pause(500);
  });
  intents += load.acknowledged.placed.length;
  await expectAcknowledged(load);
});

test(`its PostgreSQL is killed ${KILLS} times under load, and the store keeps running`, {
  timeout: 180_000 + KILLS * 30_000,
}, async () => {
  const load = await loadFor(async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(200 + Math.random() * MAX_LIFE_MS);
      victim.killDatabase();
      await expect
        .poll(() => victim.query("SELECT 1 AS one").catch(() => []), { timeout: 30_000 })
        .toEqual([{ one: 1 }]);
    }
    await pause(500);
  });
  intents += load.acknowledged.placed.length;
  await expectAcknowledged(load);
});

test(`one of its processes is killed ${KILLS} times under load, and another takes its place`, {
  timeout: 180_000 + KILLS * 30_000,
}, async () => {
  const load = await loadFor(async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(200 + Math.random() * MAX_LIFE_MS);
      const stopCalls = startCalls(`${victim.url}/healthz`);
      await pause(300);
      victim.killWorker();
      await pause(3000);
      expect(await stopCalls(), "calls that nobody answers").toBe(0);
    }
  });
  intents += load.acknowledged.placed.length;
  await expectAcknowledged(load);
});

/**
 * No response, or one of a process that outlived the first: that its database was gone, or success, if PostgreSQL ended
 * the holder of the lock before the request that waited for it.
 */
const OUTCOMES = [503, 200];
const noResponse = () => ({ status: 503 });

test("a kill between the provider's success and the commit of a payment leaves the order paid", {
  timeout: 240_000,
}, async () => {
  const [buyer] = buyers as [SignedIn];
  const purchase = await placeFor(buyer, await admin.call("findProduct", { params: { id: productId } }), 2);
  intents += 1;
  const payment = await openPaymentFor(buyer, purchase);
  const holder = await victim.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.purchase WHERE id = $1 FOR UPDATE", [purchase._id]);
  const confirmed = await confirmCard(asStore(), buyer, payment);
  expect(confirmed.body.status).toBe("succeeded");
  const confirmation = buyer
    .send("confirmPayment", { params: { id: purchase._id }, body: { transactionId: payment.id } })
    .catch(noResponse);
  await waitForLock();
  await victim.kill();
  expect(OUTCOMES).toContain((await confirmation).status);
  await victim.start();
  await waitUntilSettled();
  const order = await buyer.call("findOrder", { params: { id: purchase._id } });
  expect(order).toMatchObject({ status: "paid", transactionId: payment.id });
});

test("a kill between the provider's success and the commit of a refund refunds once", {
  timeout: 240_000,
}, async () => {
  const [buyer] = buyers as [SignedIn];
  const purchase = await placeFor(buyer, await admin.call("findProduct", { params: { id: productId } }), 2);
  intents += 1;
  await payFor(asStore(), buyer, purchase);
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const parts = { params: { id: purchase._id }, body: { amount: 5, reason: "One was scratched." } };
  const holder = await victim.connect();
  await holder.query("BEGIN");
  // recording its end waits for this; the provider does not
  await holder.query("LOCK TABLE graphile_worker._private_jobs IN SHARE MODE");
  const request = admin.send("refundPurchase", parts, key).catch(noResponse);
  const refunds = () =>
    victim.query("SELECT amount_cents FROM sandbox.refund WHERE metadata->>'reason' = 'One was scratched.'");
  await expect.poll(refunds, { timeout: 20_000 }).toEqual([{ amount_cents: 500 }]);
  await waitForLock();
  await victim.kill();
  expect(OUTCOMES).toContain((await request).status);
  await victim.start();
  await waitUntilSettled();
  await endTheMinute();
  expect(await admin.send("refundPurchase", parts, key)).toMatchObject({
    status: 200,
    body: { state: "done" },
  });
  expect(await refunds()).toEqual([{ amount_cents: 500 }]);
  const order = await buyer.call("findOrder", { params: { id: purchase._id } });
  expect(order.refunded).toBe(5);
});

async function waitForLock(): Promise<void> {
  const waiting = () => victim.query("SELECT DISTINCT true AS waits FROM pg_locks WHERE NOT granted");
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ waits: true }]);
}

test("nothing was placed, charged or emailed twice, and the doctor finds nothing", {
  timeout: 120_000,
}, async () => {
  await waitUntilSettled();
  await expectNothingTwice(intents);
  const { code, out } = await new Promise<{ code: unknown; out: string }>((done) => {
    const env = { PATH: process.env.PATH, ...compileCache, DATA_DIR: victim.dataDir };
    execFile(process.execPath, ["server/doctor.ts"], { env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, out: stdout + stderr }),
    );
  });
  expect([code, out]).toEqual([0, expect.stringMatching(/^All \d+ checks passed/)]);
  console.info(`survived with ${intents} purchases`);
});

test("after the stop no process is left", async () => {
  await victim.stop();
  await expect.poll(() => victim.processes(), { timeout: 15_000 }).toBe(0);
});
