/**
 * The limit of placing purchases: the statements of the same transaction, on as many connections, without the store.
 */
import { createServer } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { actorText } from "../../shop/audit-log/actor.ts";
import { PLACE } from "../../shop/orders/place.ts";
import type { BenchTool, Buyer } from "./buyers.ts";
import { percentiles } from "./load.ts";

interface Task {
  connection: pg.ClientConfig;
  buyers: Buyer[];
  tools: BenchTool[];
  /** of each order; default 1 */
  lines?: number;
}

const { connection, buyers, tools, lines = 1 } = (await json(process.stdin)) as Task;
async function buy(client: pg.Client, buyer: Buyer): Promise<void> {
  const first = Math.floor(Math.random() * tools.length);
  const order = {
    buyer: buyer.id,
    name: buyer.name,
    email: buyer.email,
    address: "1 Bench Street",
    phone: "",
    actor: actorText(),
    exact: true,
    lines: Array.from({ length: lines }, (_, index) => {
      const tool = tools[(first + index) % tools.length] as BenchTool;
      return { index, product: tool._id, quantity: 1, price_cents: tool.price * 100 };
    }),
  };
  await client.query("BEGIN");
  const { rows: claims } = await client.query({
    name: "claim-key",
    text: "SELECT shop.claim_key($1, $2, $3, $4, '250ms') AS id",
    values: [crypto.randomUUID(), buyer.id, crypto.randomUUID(), "bare"],
  });
  const values = [JSON.stringify(order)];
  const { rows } = await client.query({ name: "place-order", text: PLACE, values });
  if (rows[0].problem !== null) throw new Error("Nothing was bought.");
  await client.query({
    name: "save-response",
    text: "UPDATE shop.request SET answer = $2 WHERE id = $1 AND answer IS NULL",
    values: [claims[0].id, JSON.stringify(lines === 1 ? rows[0] : rows)],
  });
  await client.query("COMMIT");
}

/** Kept, as the store does: opening them is not what is measured. */
const open: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

/** "seconds connections everyMs" in, the load out as JSON. */
async function measure(seconds: number, count: number, everyMs: number) {
  while (open.length < count) open.push(await connect());
  const clients = open.slice(0, count);
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    clients.map(async (client, index) => {
      await pause((everyMs * index) / count);
      for (let next = performance.now(); next < end; ) {
        if (everyMs > 0) await pause(Math.max(0, next - performance.now()));
        const before = performance.now();
        await buy(client, buyers[index] as Buyer);
        times.push(performance.now() - before);
        next = Math.max(before + everyMs, performance.now());
      }
    }),
  );
  const perSecond = times.length / ((performance.now() - started) / 1000);
  return { ...percentiles(times), perSecond };
}

createServer((socket) => {
  socket.on("data", async (asked) => {
    const [seconds = 0, count = 0, everyMs = 0] = asked.toString().split(" ").map(Number);
    socket.end(JSON.stringify(await measure(seconds, count, everyMs)));
  });
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
process.on("SIGTERM", () => process.exit(0));
