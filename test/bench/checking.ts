/** Checking pasted lines: POST /lines/check, against a limit of one second for 5,000 lines. */
import type pg from "pg";
import { generate } from "./generate.ts";
import { queryOnce, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const PRODUCTS = 100_000;
const LINES = 5_000;
const RUNS = 7;
const LIMIT_MS = 1_000;

export async function measureChecking(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  await generate(store.connection, PRODUCTS);
  const products = await sampleOf(store.connection);
  const cases: Record<string, (at: number) => object> = {
    "Item numbers as written": (at) => ({ text: products[at]?.item_number, quantity: 100 }),
    "Item numbers in lower case, without spaces": (at) => ({
      text: products[at]?.item_number.toLowerCase().replace(/[\s-]/g, ""),
      quantity: "1,000",
    }),
    "Products of a cart": (at) => ({ productId: products[at]?.id, quantity: 100 }),
    "Item numbers with a wrong last digit": (at) => ({
      text: `${products[at]?.item_number}9`,
      quantity: 100,
    }),
  };
  const rows: string[][] = [];
  for (const [name, lineOf] of Object.entries(cases)) {
    const body = JSON.stringify({ lines: Array.from({ length: LINES }, (_, at) => lineOf(at)) });
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${store.port}/lines/check`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      });
      const { lines } = (await response.json()) as { lines: object[] };
      times.push(performance.now() - start);
      if (lines.length !== LINES) throw new Error(`${name}: ${response.status}, ${lines.length} lines.`);
    }
    times.sort((one, other) => one - other);
    const median = times[Math.floor(RUNS / 2)] as number;
    rows.push([
      name,
      formatInteger(median),
      formatInteger(times.at(-1) as number),
      median < LIMIT_MS ? "yes" : "**no**",
    ]);
    printRow(rows.at(-1) as string[]);
  }
  await store.stop();
  remove();
  return {
    title: `Checking ${formatInteger(LINES)} lines`,
    head: ["Lines", "Median, ms", "Slowest, ms", `Under ${formatInteger(LIMIT_MS)} ms`],
    rows,
    note: `${formatInteger(PRODUCTS)} products, one client, ${RUNS} requests each, from sending the request to having read the response.`,
  };
}

function sampleOf(connection: pg.PoolConfig): Promise<{ id: string; item_number: string }[]> {
  return queryOnce(
    connection,
    "SELECT id, item_number FROM shop.product WHERE item_number IS NOT NULL ORDER BY md5(id::text) LIMIT $1",
    [LINES],
  );
}
