/** Reads without the response cache: each request has another URL. The limit is bare Node with the SQL. */

import type pg from "pg";
import { compare } from "./compare.ts";
import { families } from "./families.ts";
import { generate } from "./generate.ts";
import { type Load, load, request, withCpuTime } from "./load.ts";
import { pinToCore, queryOnce, startScript, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

export const PRODUCTS = 10_000;
const CONNECTIONS = 16;
const ROUNDS = 1;
const SECONDS = 3;

export async function measureUncached(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  await generate(store.connection, PRODUCTS);
  const limit = await startScript("bare-reads.ts", store.connection);
  for (const { pid } of [store, limit]) pinToCore(pid, 0);
  pinToCore(process.pid, 1);
  const rows: string[][] = [];
  for (const { name, paths, headers } of await cases(store)) {
    let sent = 0;
    const next = () => request("GET", paths[sent++ % paths.length] as string, headers);
    const measure = (server: { port: number }, seconds = SECONDS) => load(server, CONNECTIONS, seconds, next);
    await measure(store);
    await measure(limit, 1);
    const { store: own, limit: baseline } = await compare(
      ROUNDS,
      () => withCpuTime(store.ownCpu, () => measure(store)),
      () => withCpuTime(limit.cpu, () => measure(limit)),
    );
    rows.push([
      name,
      formatInteger(await averageBytes(store.port, paths.slice(0, 50), headers)),
      formatInteger(own.perSecond),
      `${own.cpu.toFixed(2)} / ${baseline.cpu.toFixed(2)} (**${(baseline.cpu / own.cpu).toFixed(2)}**)`,
      `**${perCore(own)}**`,
      perCore(baseline),
    ]);
    printRow(rows.at(-1) as string[]);
  }
  await limit.stop();
  await store.stop();
  remove();
  return {
    title: "Reads that are not cached, against Node alone with the same SQL",
    head: [
      "Request",
      "Bytes, uncompressed",
      "Store, per second",
      "CPU time per request, store / Node alone, ms (ratio)",
      "Store, per second of CPU time",
      "Node alone, per second of CPU time",
    ],
    rows,
    note: `${formatInteger(PRODUCTS)} products, ${CONNECTIONS} clients, every request has another URL, one round of ${SECONDS} s. The server is pinned to one core; the clients and PostgreSQL share both. CPU time is that of the server process, without PostgreSQL. Node alone runs one prepared statement and sends its rows as JSON, 30 products for a page.`,
  };
}

function perCore({ cpu }: Load & { cpu: number }): string {
  return formatInteger(1000 / cpu);
}

interface MeasuredStore {
  port: number;
  connection: pg.PoolConfig;
}

interface Case {
  name: string;
  paths: string[];
  headers: Record<string, string>;
}

/** More paths of each kind than are requested while a response is fresh. */
export async function cases({ port, connection }: MeasuredStore): Promise<Case[]> {
  const ids = await productIds(connection);
  const browser = { Accept: "text/html", "Accept-Encoding": "gzip, deflate, br, zstd" };
  return [
    {
      name: "GET /products?limit=30&cursor={cursor}",
      paths: ids.map((id) => `/products?limit=30&cursor=next.${Buffer.from(id).toString("base64url")}.${id}`),
      headers: {},
    },
    { name: "GET /products/{id}", paths: ids.map((id) => `/products/${id}`), headers: {} },
    { name: "GET /tools?sort={sort}&cursor={cursor}", paths: await furtherPages(port), headers: browser },
    { name: "GET /tools?q={words}&{filters}", paths: searches(), headers: browser },
  ];
}

async function productIds(connection: pg.PoolConfig): Promise<string[]> {
  const rows = await queryOnce<{ id: string }>(
    connection,
    "SELECT id FROM shop.product ORDER BY id LIMIT $1",
    [PRODUCTS - 30],
  );
  return rows.map(({ id }) => id);
}

/** Every page of the whole catalogue, in three orders and with two filters that most products match. */
async function furtherPages(port: number): Promise<string[]> {
  const paths: string[] = [];
  for (const sort of ["price", "-price", "minimum"]) {
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const search = `sort=${sort}${cursor && `&cursor=${cursor}`}`;
      const response = await fetch(`http://127.0.0.1:${port}/catalog?${search}`);
      ({ next: cursor } = (await response.json()) as { next?: string });
      paths.push(`/tools?${search}`);
    }
  }
  return ["", "&stock=covers", "&minimum=50"].flatMap((filter) => paths.map((path) => path + filter));
}

function searches(): string[] {
  const names = families.map(({ name }) => encodeURIComponent(name.toLowerCase()));
  const filters = [
    "",
    "&voltage=18",
    "&voltage=230",
    "&stock=covers",
    "&stock=over500",
    "&minimum=50",
    "&price=2",
  ];
  const sorts = ["", "&sort=price", "&sort=-price", "&sort=name", "&sort=minimum"];
  return sorts.flatMap((sort) =>
    filters.flatMap((filter) => names.map((name) => `/tools?q=${name}${filter}${sort}`)),
  );
}

async function averageBytes(port: number, paths: string[], headers: Record<string, string>): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    bytes += (await response.arrayBuffer()).byteLength;
  }
  return bytes / paths.length;
}
