/** Placing purchases over HTTP, with token, role, parsing and job, against the same SQL without the store. */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { addTools, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { compare } from "./compare.ts";
import { type Load, load, request, withCpuTime } from "./load.ts";
import {
  type Listening,
  queryOnce,
  type RunningStore,
  startScript,
  startStore,
  temporaryFolder,
} from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const MAX_BUYERS = 64;

/** How many buyers, and their pause between two purchases: none, or realistic. */
export interface Workload {
  buyers: number;
  everyMs: number;
  rounds: number;
  /** of each round */
  seconds: number;
}

const withoutPause = (buyers: number): Workload => ({ buyers, everyMs: 0, rounds: 7, seconds: 1 });
const withPauses: Workload = { buyers: MAX_BUYERS, everyMs: 1000, rounds: 5, seconds: 10 };

/** The load with pauses first, on an idle store: thousands of purchases queue thousands of emails. */
const workloads: Record<1 | 2, Workload[]> = {
  1: [withPauses, withoutPause(1), withoutPause(16), withoutPause(MAX_BUYERS)],
  2: [withoutPause(16)],
};

export async function measureBuying(): Promise<Table> {
  const rows: string[][] = [];
  for (const workers of [1, 2] as const) {
    const { folder, remove } = temporaryFolder();
    const store = await startStore(folder, { WORKERS: String(workers) });
    const buyers = await enrolBuyers(store, MAX_BUYERS);
    const tools = await addTools(store);
    const baseline = await startScript("bare-purchases.ts", { connection: store.connection, buyers, tools });
    for (const workload of workloads[workers]) {
      const figures = await compareFor(workload, store, baseline, purchasesOf(buyers, tools));
      rows.push([describeWorkload(workload), String(workers), ...figures]);
      printRow(rows.at(-1) as string[]);
    }
    await baseline.stop();
    await checkLedger(store);
    await store.stop();
    remove();
  }
  return {
    title: "Placing purchases, against the same SQL without the store",
    head: [
      "Buyers",
      "WORKERS",
      "Store, per second",
      "SQL alone, per second",
      "Ratio (spread)",
      "CPU time per purchase, store / SQL alone, ms (ratio)",
      "Store p50, ms",
      "Store p99, ms",
      "SQL alone p99, ms",
    ],
    rows,
    note: `200 tools, each buyer with a token and a connection, each purchase with its own idempotency key; fsync on. SQL alone is the store's statements (key, order line, response) on one connection per buyer, one purchase at a time. Unless stated otherwise, buyers send the next request as soon as they have the response, so p50 is the number of buyers divided by the purchases per second. After each run the stock ledger must match the stock.`,
  };
}

function describeWorkload({ buyers, everyMs }: Workload): string {
  return everyMs > 0 ? `${buyers}, one purchase every ${everyMs / 1000} s each` : String(buyers);
}

export async function compareFor(
  { buyers, everyMs, rounds, seconds }: Workload,
  store: RunningStore,
  baseline: { port: number; cpu: () => number },
  next: (connection: number) => Buffer,
): Promise<string[]> {
  const byStore = () => load(store, buyers, seconds, next, everyMs);
  const byStatement = () => loadBaseline(baseline, seconds, buyers, everyMs);
  await byStore();
  await byStatement();
  const {
    store: storeLoad,
    limit,
    ratio,
  } = await compare(
    rounds,
    () => withCpuTime(store.cpu, byStore),
    // includes PostgreSQL
    () => withCpuTime(() => baseline.cpu() + store.cpu(), byStatement),
  );
  return [
    formatInteger(storeLoad.perSecond),
    formatInteger(limit.perSecond),
    `**${ratio.median.toFixed(2)}** (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
    `${storeLoad.cpu.toFixed(2)} / ${limit.cpu.toFixed(2)} (**${(limit.cpu / storeLoad.cpu).toFixed(2)}**)`,
    storeLoad.p50.toFixed(1),
    storeLoad.p99.toFixed(1),
    limit.p99.toFixed(1),
  ];
}

/** The load that a running `bare-purchases.ts` made. */
export async function loadBaseline(
  { port }: Listening,
  seconds: number,
  connections: number,
  everyMs = 0,
): Promise<Load> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${seconds} ${connections} ${everyMs}`);
  return JSON.parse(await text(socket)) as Load;
}

/** Each buyer's next request: a purchase of any of the products, with a new key. */
export function purchasesOf(buyers: Buyer[], tools: BenchTool[]): (connection: number) => Buffer {
  const requests = buyers.map((buyer) => tools.map((tool) => purchaseRequest(buyer, tool)));
  return (connection) => withNewKey(randomItem(requests[connection] as Buffer[]));
}

/** The key that `withNewKey` replaces. */
export const KEY = "00000000-0000-4000-8000-000000000000";

/** One piece of a product, as the purchase form orders it; see `withNewKey`. */
function purchaseRequest(buyer: Buyer, tool: BenchTool): Buffer {
  const order = {
    name: buyer.name,
    email: buyer.email,
    address: "1 Bench Street",
    phone: "",
    purchaseQuantity: 1,
  };
  const expected = { productId: tool._id, price: tool.price, total: tool.price, status: "unpaid" };
  const headers = {
    Authorization: `Bearer ${buyer.token}`,
    "Content-Type": "application/json",
    "Idempotency-Key": KEY,
  };
  return request("POST", "/purchase", headers, JSON.stringify({ ...order, ...expected }));
}

/** The same request as another purchase. */
export function withNewKey(bytes: Buffer): Buffer {
  const own = Buffer.from(bytes);
  own.write(crypto.randomUUID(), own.indexOf(KEY), "latin1");
  return own;
}

export function randomItem<Item>(items: Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** The measurement only counts if the data is consistent. */
export async function checkLedger(store: RunningStore): Promise<void> {
  const rows = await queryOnce(
    store.connection,
    `SELECT product.id FROM shop.product LEFT JOIN shop.stock_movement movement ON movement.product_id = product.id
     GROUP BY product.id HAVING product.quantity <> coalesce(sum(movement.pieces), 0)`,
  );
  if (rows.length > 0) throw new Error(`The ledger of ${rows.length} tools does not add up to their stock.`);
}
