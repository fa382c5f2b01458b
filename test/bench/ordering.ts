/** Placing orders of many lines over HTTP, against the same SQL without the store. */
import { addTools, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { checkLedger, compareFor, KEY, randomItem, withNewKey } from "./buying.ts";
import { load, request } from "./load.ts";
import { queryOnce, startScript, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const LINES = [1, 20, 200, 2000];
const BUYERS = [1, 4];
/** The limit for one buyer with this many lines. */
const LIMITS_MS: Record<number, number> = { 200: 50, 2000: 500 };

export async function measureOrdering(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const buyers = await enrolBuyers(store, Math.max(...BUYERS));
  const tools = await addTools(store, Math.max(...LINES));
  // As autovacuum does within a minute: plans made for empty tables scan all of them, also when they have grown.
  await load(store, 1, 1, ordersOf(buyers, tools, 20));
  await queryOnce(store.connection, "ANALYZE");
  const rows: string[][] = [];
  for (const lines of LINES) {
    const baseline = await startScript("bare-purchases.ts", {
      connection: store.connection,
      buyers,
      tools,
      lines,
    });
    for (const count of BUYERS) {
      const workload = { buyers: count, everyMs: 0, rounds: 5, seconds: 1 };
      const figures = await compareFor(workload, store, baseline, ordersOf(buyers, tools, lines));
      const limit = count === 1 ? (LIMITS_MS[lines] ?? null) : null;
      rows.push([
        formatInteger(lines),
        String(count),
        ...figures,
        limit === null ? "" : formatInteger(limit),
      ]);
      printRow(rows.at(-1) as string[]);
    }
    await baseline.stop();
  }
  await checkLedger(store);
  await store.stop();
  remove();
  return {
    title: "Placing orders of many lines, against the same SQL without the store",
    head: [
      "Lines",
      "Buyers",
      "Store, per second",
      "SQL alone, per second",
      "Ratio (spread)",
      "CPU time per order, store / SQL alone, ms (ratio)",
      "Store p50, ms",
      "Store p99, ms",
      "SQL alone p99, ms",
      "p50 allowed, ms",
    ],
    rows,
    note: `${formatInteger(Math.max(...LINES))} tools, lines in random order, each order with its own idempotency key; fsync on. SQL alone is the store's statements (key, order, response). Afterwards the stock ledger must match the stock.`,
  };
}

const ORDERS_OF_EACH = 8;

/** Each buyer's next request: an order of this many products, starting from any. */
function ordersOf(buyers: Buyer[], tools: BenchTool[], lines: number): (connection: number) => Buffer {
  const requests = buyers.map((buyer) =>
    Array.from({ length: ORDERS_OF_EACH }, () => orderRequest(buyer, tools, lines)),
  );
  return (connection) => withNewKey(randomItem(requests[connection] as Buffer[]));
}

function orderRequest(buyer: Buyer, tools: BenchTool[], lines: number): Buffer {
  const first = Math.floor(Math.random() * tools.length);
  const order = {
    address: "1 Bench Street",
    lines: Array.from({ length: lines }, (_, index) => {
      const tool = tools[(first + index) % tools.length] as BenchTool;
      return { productId: tool._id, quantity: 1, price: tool.price };
    }),
  };
  const headers = {
    Authorization: `Bearer ${buyer.token}`,
    "Content-Type": "application/json",
    "Idempotency-Key": KEY,
  };
  return request("POST", "/orders", headers, JSON.stringify(order));
}
