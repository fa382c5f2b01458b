/** Complete orders over HTTP: placed, intent opened, card confirmed in the sandbox, payment confirmed. */

import { setTimeout as pause } from "node:timers/promises";
import { DELAY_MS } from "@stator/stripe-sandbox/webhook-dispatcher";
import pg from "pg";
import { openSecrets } from "../../server/secrets.ts";
import { addTools, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { checkLedger, randomItem } from "./buying.ts";
import { type Connection, openConnection } from "./connection.ts";
import { percentiles } from "./load.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const SECONDS = 6;
const BUYERS = [1, 16, 64];

export async function measurePaying(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const buyers = await enrolBuyers(store, Math.max(...BUYERS));
  const tools = await addTools(store);
  await payFor(1000, store, buyers.slice(0, 16), tools);
  const rows: string[][] = [];
  for (const count of BUYERS) {
    const cpuBefore = store.cpu();
    const ownBefore = process.cpuUsage();
    const { perSecond, times } = await payFor(SECONDS * 1000, store, buyers.slice(0, count), tools);
    const { p50, p99 } = percentiles(times);
    const cpu = (store.cpu() - cpuBefore) / times.length;
    const { user, system } = process.cpuUsage(ownBefore);
    const client = (user + system) / 1000 / times.length;
    const sandbox = await sandboxCpu(store, count);
    rows.push([
      String(count),
      formatInteger(perSecond),
      `${p50.toFixed(0)} / **${p99.toFixed(0)}**`,
      `${cpu.toFixed(1)} / ${sandbox.toFixed(1)}`,
      client.toFixed(1),
      formatInteger(times.length),
    ]);
    printRow(rows.at(-1) as string[]);
  }
  await checkLedger(store);
  await store.stop();
  remove();
  return {
    title: "Paid orders",
    head: [
      "Buyers",
      "Orders per second",
      "p50 / **p99**, ms",
      "CPU time per order / of it the sandbox, ms",
      "CPU time of the measuring client, ms",
      "Orders",
    ],
    rows,
    note: "Four sequential requests per order. The payment provider is the embedded sandbox in the same process; its share is measured by making the same calls without the store. Afterwards the stock ledger must match the stock.",
  };
}

/** Each buyer places and pays orders of one line, one after the other, for `ms`. */
export async function payFor(ms: number, store: RunningStore, buyers: Buyer[], tools: BenchTool[]) {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    buyers.map(async (buyer) => {
      const connection = openConnection(store);
      while (performance.now() - started < ms) {
        const before = performance.now();
        await payOne(connection, buyer, randomItem(tools));
        times.push(performance.now() - before);
      }
      connection.end();
    }),
  );
  return { times, perSecond: times.length / ((performance.now() - started) / 1000) };
}

async function payOne(connection: Connection, buyer: Buyer, tool: BenchTool): Promise<void> {
  const token = { Authorization: `Bearer ${buyer.token}` };
  const order = { address: "1 Bench Street", purchaseQuantity: 1, productId: tool._id };
  const { _id, total } = await connection.send<Placed>("POST", "/purchase", order, token);
  const body = { total, purchaseId: _id };
  const { clientSecret } = await connection.send<Opened>("POST", "/create-payment-intent", body, token);
  const intent = clientSecret.split("_secret")[0] as string;
  await confirm(connection, intent, clientSecret);
  await connection.send("PATCH", `/payment/${_id}`, { transactionId: intent }, token);
}

interface Placed {
  _id: string;
  total: number;
}

interface Opened {
  clientSecret: string;
}

const INTENTS = "/sandbox/stripe/v1/payment_intents";

function confirm(connection: Connection, intent: string, clientSecret: string): Promise<unknown> {
  const form = new URLSearchParams({
    client_secret: clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": "4242424242424242",
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
    "payment_method_data[card][cvc]": "123",
  });
  return connection.send("POST", `${INTENTS}/${intent}/confirm`, form.toString());
}

const SANDBOX_ROUNDS = 200;
/** Events are delivered within twice their delay. */
const EVENTS_MS = 2 * DELAY_MS;

/** CPU time of the sandbox's work for one order: create, confirm and find an intent, and send its event. */
async function sandboxCpu(store: RunningStore, buyers: number): Promise<number> {
  const secrets = await openSecrets({ DATA_DIR: store.folder }, new pg.Pool(store.connection));
  const key = `sk_test_${secrets("sandbox secret key").replace(/\W/g, "0").slice(0, 24)}`;
  const headers = { Authorization: `Bearer ${key}` };
  const before = store.cpu();
  let left = SANDBOX_ROUNDS;
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      const connection = openConnection(store);
      while (left-- > 0) {
        const form = "amount=100&currency=usd&allowed_payment_method_types[]=card";
        const keyed = { ...headers, "Idempotency-Key": crypto.randomUUID() };
        const { id, client_secret } = await connection.send<Intent>("POST", INTENTS, form, keyed);
        await confirm(connection, id, client_secret);
        await connection.send("GET", `${INTENTS}/${id}`, undefined, headers);
      }
      connection.end();
    }),
  );
  await pause(EVENTS_MS);
  return (store.cpu() - before) / SANDBOX_ROUNDS;
}

interface Intent {
  id: string;
  client_secret: string;
}
