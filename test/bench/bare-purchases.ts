/** The limit of buying: the same statement, from as many connections, with nothing around it. */
import { createServer } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { actorText } from "../../shop/audit-log/actor.ts";
import { PLACE } from "../../shop/orders/insert.ts";
import type { BenchTool, Buyer } from "./buyers.ts";
import { percentiles } from "./load.ts";

interface Task {
  connection: pg.ClientConfig;
  buyers: Buyer[];
  tools: BenchTool[];
}

const { connection, buyers, tools } = (await json(process.stdin)) as Task;
async function buy(client: pg.Client, buyer: Buyer): Promise<void> {
  const tool = tools[Math.floor(Math.random() * tools.length)] as BenchTool;
  const order = {
    number: 0,
    product: tool._id,
    pieces: 1,
    price_cents: tool.price * 100,
    buyer: buyer.id,
    name: buyer.name,
    email: buyer.email,
    address: "1 Bench Street",
    phone: "",
    actor: actorText(),
    request: crypto.randomUUID(),
    key: crypto.randomUUID(),
    digest: "bare",
  };
  const values = [JSON.stringify([order]), true];
  const { rowCount } = await client.query({ name: "place-purchases", text: PLACE, values });
  if (rowCount !== 1) throw new Error("Nothing was bought.");
}

/** "seconds connections everyMs" in, the load out as JSON. */
async function measure(seconds: number, count: number, everyMs: number) {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client(connection);
      await client.connect();
      return client;
    }),
  );
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
  await Promise.all(clients.map((client) => client.end()));
  return { ...percentiles(times), perSecond };
}

createServer((socket) => {
  socket.on("data", async (asked) => {
    const [seconds = 0, count = 0, everyMs = 0] = asked.toString().split(" ").map(Number);
    socket.end(JSON.stringify(await measure(seconds, count, everyMs)));
  });
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
process.on("SIGTERM", () => process.exit(0));
