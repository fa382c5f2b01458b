/** Admin tables with 100,000 rows of everything: each response against a limit of 100 ms. */
import pg from "pg";
import { tokenFor } from "./buyers.ts";
import { generate } from "./generate.ts";
import { generateOrders } from "./generate-orders.ts";
import { percentiles } from "./load.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { line, type Table, whole } from "./table.ts";

const NUMBER = 100_000;
const RUNS = 21;
const LIMIT_MS = 100;

const tables: [string, string[]][] = [
  [
    "Manage All Orders",
    [
      "/purchases",
      "/purchases?status=paid&sort=waiting",
      "/purchases?sort=total",
      "/purchases?q=buyer-4711",
      "/purchases?q=drill",
      "/purchases?buyer=Buyer+99",
      "/purchases?po=PO-99999",
      "/purchases?item=saw",
      "/purchases?from=2026-01-01&to=2026-01-31",
      "/purchases?age=30&sort=oldest",
    ],
  ],
  [
    "Manage Products",
    [
      "/admin/products",
      "/admin/products?low=1",
      "/admin/products?sort=name",
      "/admin/products?sort=price",
      "/admin/products?sort=stock",
      "/admin/products?q=drill+18",
      "/admin/products?limit=100&offset=50000",
      "/admin/products?limit=100&offset=99900&sort=name",
    ],
  ],
  [
    "Customers",
    [
      "/admin/customers",
      "/admin/customers?sort=revenue",
      "/admin/customers?sort=orders",
      "/admin/customers?sort=name",
      "/admin/customers?q=buyer+99",
    ],
  ],
  ["Stock", ["/admin/stock"]],
  ["Overview", ["/overview?period=days&zone=UTC"]],
  ["Audit log", ["/history", "/history?q=buyer-4711"]],
  ["Make Admin", ["/admin/users", "/admin/users?q=buyer-4711"]],
];

export async function measureAdministering(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  await generate(store.connection, NUMBER);
  const client = new pg.Client(store.connection as pg.ClientConfig);
  await client.connect();
  await client.query("SET synchronous_commit = off");
  await generateOrders(client, { customers: NUMBER, orders: NUMBER }, () => undefined);
  await client.end();
  const { token } = await tokenFor(store, "sign-in", store.admin);
  const headers = { Authorization: `Bearer ${token}` };
  const rows: string[][] = [];
  for (const [name, paths] of tables) {
    for (const path of paths) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const started = performance.now();
        const response = await fetch(`http://127.0.0.1:${store.port}${path}`, { headers });
        const body = await response.text();
        times.push(performance.now() - started);
        if (!response.ok) throw new Error(`${path}: ${response.status} ${body.slice(0, 200)}`);
      }
      const { p50, p95 } = percentiles(times);
      rows.push([name, `\`${path}\``, whole(p50), whole(p95), p50 < LIMIT_MS ? "yes" : "**no**"]);
      line(rows.at(-1) as string[]);
    }
  }
  await store.stop();
  remove();
  return {
    title: `Tables of admins, with ${whole(NUMBER)} products, customers and orders`,
    head: ["Page", "Request", "Median, ms", "p95, ms", `Median under ${LIMIT_MS} ms`],
    rows,
    note: `One client, ${RUNS} requests each, from sending the request to having read the response.`,
  };
}
