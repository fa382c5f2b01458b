/** Complete orders over HTTP: placed, intent opened, card confirmed in the sandbox, payment confirmed. */

import pg from "pg";
import { openSecrets } from "../../server/secrets.ts";
import { addTools, ask, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { checkLedger } from "./buying.ts";
import { percentiles } from "./load.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { line, type Table, whole } from "./table.ts";

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
    const { perSecond, times } = await payFor(SECONDS * 1000, store, buyers.slice(0, count), tools);
    const { p50, p99 } = percentiles(times);
    const cpu = (store.cpu() - cpuBefore) / times.length;
    const sandbox = await sandboxCpu(store, count);
    rows.push([
      String(count),
      whole(perSecond),
      `${p50.toFixed(0)} / **${p99.toFixed(0)}**`,
      `${cpu.toFixed(1)} / ${sandbox.toFixed(1)}`,
      whole(times.length),
    ]);
    line(rows.at(-1) as string[]);
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
      while (performance.now() - started < ms) {
        const before = performance.now();
        await payOne(store, buyer, tools[Math.floor(Math.random() * tools.length)] as BenchTool);
        times.push(performance.now() - before);
      }
    }),
  );
  return { times, perSecond: times.length / ((performance.now() - started) / 1000) };
}

async function payOne(store: RunningStore, buyer: Buyer, tool: BenchTool): Promise<void> {
  const token = { Authorization: `Bearer ${buyer.token}` };
  const order = { address: "1 Bench Street", purchaseQuantity: 1, productId: tool._id };
  const { _id, total } = await ask<{ _id: string; total: number }>(store, "POST", "/purchase", order, token);
  const wanted = { total, purchaseId: _id };
  const { clientSecret } = await ask<{ clientSecret: string }>(
    store,
    "POST",
    "/create-payment-intent",
    wanted,
    token,
  );
  const intent = clientSecret.split("_secret")[0] as string;
  await confirm(store, intent, clientSecret);
  await ask(store, "PATCH", `/payment/${_id}`, { transactionId: intent }, token);
}

function confirm(store: RunningStore, intent: string, clientSecret: string): Promise<unknown> {
  return callSandbox(store, "POST", `/${intent}/confirm`, {
    client_secret: clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": "4242424242424242",
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
    "payment_method_data[card][cvc]": "123",
  });
}

const SANDBOX_ROUNDS = 200;

/** CPU time of the sandbox's work for one order: create, confirm and find an intent, and send its event. */
async function sandboxCpu(store: RunningStore, buyers: number): Promise<number> {
  const secrets = await openSecrets({ DATA_DIR: store.folder }, new pg.Pool(store.connection));
  const key = `sk_test_${secrets("sandbox secret key").replace(/\W/g, "0").slice(0, 24)}`;
  const headers = { Authorization: `Bearer ${key}` };
  const before = store.cpu();
  let left = SANDBOX_ROUNDS;
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      while (left-- > 0) {
        const form = { amount: "100", currency: "usd", "allowed_payment_method_types[]": "card" };
        const keyed = { ...headers, "Idempotency-Key": crypto.randomUUID() };
        const { id, client_secret } = await callSandbox(store, "POST", "", form, keyed);
        await confirm(store, id, client_secret);
        await callSandbox(store, "GET", `/${id}`, undefined, headers);
      }
    }),
  );
  return (store.cpu() - before) / SANDBOX_ROUNDS;
}

async function callSandbox(
  { port }: RunningStore,
  method: string,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ id: string; client_secret: string }> {
  const url = `http://localhost:${port}/sandbox/stripe/v1/payment_intents${path}`;
  const response = await fetch(url, { method, headers, ...(form && { body: new URLSearchParams(form) }) });
  if (!response.ok) throw new Error(`The sandbox responds ${response.status}: ${await response.text()}`);
  return response.json() as Promise<{ id: string; client_secret: string }>;
}
