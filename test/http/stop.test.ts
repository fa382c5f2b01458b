/** A stopping store completes its requests, and no client delays it. */
import { Agent, get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { waitingStatements } from "../harness/database.ts";
import { openStore } from "../harness/store.ts";

test("requests in flight are answered when the store stops, and keep-alive connections do not keep it running", async () => {
  const store = await openStore();
  const agent = new Agent({ keepAlive: true });
  const holder = await store.pool.connect();
  await holder.query("BEGIN; LOCK TABLE shop.product");
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    get(`${store.url}/products?limit=3`, { agent }, resolve).on("error", reject);
  });
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  const startedAt = Date.now();
  const stopped = store.stop();
  await holder.query("ROLLBACK");
  holder.release();
  expect([(await answer).statusCode, await json(await answer)]).toEqual([200, []]);
  await stopped;
  // a kept-alive connection would delay it for more than a minute
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  agent.destroy();
});
