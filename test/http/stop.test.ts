/** A stopping store completes its requests, and no client delays it. */
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json } from "node:stream/consumers";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { closeConnections } from "../../server/http/graceful-shutdown.ts";
import { freshDatabase, waitingStatements } from "../harness/database.ts";
import {
  addProduct,
  confirmCard,
  disablePolling,
  dropWebhooks,
  openPaymentFor,
  placeFor,
} from "../harness/orders.ts";
import { openStore } from "../harness/store.ts";
import { adminOf, register } from "../harness/users.ts";

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
