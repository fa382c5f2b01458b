/** A stopping store completes its requests, and no client delays it. */
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json } from "node:stream/consumers";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { closeConnections } from "../../server/http/graceful-shutdown.ts";
import { freshDatabase, waitingStatements } from "../harness/database.ts";
import { startMailbox } from "../harness/mailbox.ts";
import {
  addProduct,
  confirmCard,
  disablePolling,
  dropWebhooks,
  openPaymentFor,
  placeFor,
} from "../harness/orders.ts";
import { openStore } from "../harness/store.ts";
import { adminOf, register, signUp } from "../harness/users.ts";

test("requests in flight are answered when the store stops, and keep-alive connections do not keep it running", async () => {
  const store = await openStore();
  const agent = new Agent({ keepAlive: true });
  const holder = await store.pool.connect();
  await holder.query("BEGIN; LOCK TABLE shop.product");
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    get(`${store.url}/products?limit=3`, { agent }, resolve).on("error", reject);
  });
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  const startedAt = Date.now();
  const stopped = store.stop();
  await holder.query("ROLLBACK");
  holder.release();
  expect([(await response).statusCode, await json(await response)]).toEqual([200, []]);
  await stopped;
  // a kept-alive connection would delay it for more than a minute
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  agent.destroy();
});

test("a reconciliation that runs when the store stops is left to the next process", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const { pool } = database;
  const store = await openStore({ database });
  await dropWebhooks(store);
  await disablePolling(store);
  const ada = await register(store, "Ada");
  const purchase = await placeFor(ada, await addProduct(await adminOf(store)));
  const payment = await openPaymentFor(ada, purchase);
  expect((await confirmCard(store, ada, payment)).body.status).toBe("succeeded");
  await pool.query("SELECT graphile_worker.add_job('check-books')");
  const job = `SELECT attempts, locked_by IS NOT NULL AS running FROM graphile_worker._private_jobs job
    JOIN graphile_worker._private_tasks task ON task.id = task_id AND identifier = 'check-books'`;
  await expect.poll(async () => (await pool.query(job)).rows).toEqual([{ attempts: 1, running: true }]);
  const startedAt = Date.now();
  await store.stop();
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect((await pool.query(job)).rows).toEqual([{ attempts: 0, running: false }]);
  expect((await pool.query("SELECT FROM shop.books_report")).rowCount).toBe(0);
});

const EMAIL_JOBS = `SELECT attempts, locked_by IS NOT NULL AS running FROM graphile_worker._private_jobs job
  JOIN graphile_worker._private_tasks task ON task.id = task_id AND identifier = 'send-mail'`;

test("an SMTP server that does not respond does not keep it running; the email is sent after the next start", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const mailbox = await startMailbox({ silent: true });
  onTestFinished(mailbox.stop);
  const environment = { SMTP_URL: mailbox.url };
  const store = await openStore({ database, environment });
  const jobs = async () => (await database.pool.query(EMAIL_JOBS)).rows;
  await database.pool.query("DELETE FROM graphile_worker._private_jobs");
  const { email } = await signUp(store, "Ada");
  await expect.poll(jobs).toEqual([{ attempts: 1, running: true }]);
  const startedAt = performance.now();
  await store.stop();
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(await jobs()).toEqual([{ attempts: 0, running: false }]);
  mailbox.greet();
  const next = await openStore({ database, environment });
  onTestFinished(next.stop);
  await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
  expect(mailbox.received.map(({ to }) => to)).toEqual([[email]]);
});

test("a stop waits until the SMTP server has accepted an email that it has got", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const mailbox = await startMailbox({ acceptAfterMs: 1500 });
  onTestFinished(mailbox.stop);
  const store = await openStore({ database, environment: { SMTP_URL: mailbox.url } });
  const { email } = await signUp(store, "Ada");
  const received = () => mailbox.received.filter(({ to }) => to.includes(email)).length;
  await expect.poll(received, { timeout: 10_000, interval: 20 }).toBe(1);
  await store.stop();
  expect((await database.pool.query(EMAIL_JOBS)).rows).toEqual([]);
});

test("orders that expire one after the other are left to the next process", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const store = await openStore({ database });
  const [ada, product] = [await register(store, "Ada"), await addProduct(await adminOf(store))];
  for (let placed = 0; placed < 10; placed += 1) await placeFor(ada, product);
  await store.stop();
  await database.pool.query(`
    CREATE FUNCTION shop.slow_down() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$;
    CREATE TRIGGER slow_down BEFORE UPDATE OF cancelled_at ON shop.purchase FOR EACH ROW EXECUTE FUNCTION shop.slow_down();
    UPDATE shop.purchase SET placed_at = now() - interval '30 days'`);
  const next = await openStore({ database });
  const left = "SELECT FROM shop.purchase WHERE cancelled_at IS NULL";
  const countLeft = async () => (await database.pool.query(left)).rowCount ?? 0;
  await expect.poll(countLeft, { timeout: 15_000 }).toBeLessThan(10);
  const startedAt = performance.now();
  await next.stop();
  expect(performance.now() - startedAt).toBeLessThan(6000);
  expect(await countLeft()).toBeGreaterThan(0);
});

test("clients that send half a body, or do not read a response, do not keep it running", async () => {
  const app = Fastify({ forceCloseConnections: "idle" });
  closeConnections(app, 300);
  app.get("/file", async () => Buffer.alloc(64 * 1024 * 1024));
  app.post("/words", async () => "read");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const send = async (request: string) => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined); // it is reset
    onTestFinished(() => void socket.destroy());
    socket.pause();
    const arrived = once(app.server, "request");
    socket.write(request);
    await arrived;
  };
  await send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
  await send("POST /words HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab");
  const startedAt = Date.now();
  await app.close();
  expect(Date.now() - startedAt).toBeLessThan(5000);
});
