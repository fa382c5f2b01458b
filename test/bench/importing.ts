/** Importing products from CSV while the catalogue is read, against limits of two minutes and of 100 ms. */

import pg from "pg";
import { tokenFor } from "./buyers.ts";
import { checkLedger } from "./buying.ts";
import { families } from "./families.ts";
import { generate } from "./generate.ts";
import { generatedTool } from "./generated-tool.ts";
import { percentiles } from "./load.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const PRODUCTS = 100_000;
const LIMIT_S = 120;
const LIMIT_P95_MS = 100;

export async function measureImporting(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  await generate(store.connection, PRODUCTS);
  const { token } = await tokenFor(store, "sign-in", store.admin);
  const headers = { Authorization: `Bearer ${token}` };
  const exportStarted = performance.now();
  const exported = await (await fetch(`${urlOf(store)}/admin/products/export.csv`, { headers })).text();
  const exportSeconds = (performance.now() - exportStarted) / 1000;
  const cases: [string, string][] = [
    ["None changes anything", exported],
    ["A higher price in each", raisePrices(exported)],
    ["All are new", newProducts()],
  ];
  const rows: string[][] = [];
  for (const [name, content] of cases) {
    const started = performance.now();
    const id = await send(store, headers, content);
    const { times, result } = await searchUntilDone(store, headers, id);
    const seconds = (performance.now() - started) / 1000;
    const { p50, p95, p99 } = percentiles(times);
    rows.push([
      name,
      formatInteger(result.rows),
      seconds.toFixed(1),
      formatInteger(result.changed + result.created),
      `${p50.toFixed(0)} / **${p95.toFixed(0)}** / ${p99.toFixed(0)}`,
      seconds < LIMIT_S && p95 < LIMIT_P95_MS ? "yes" : "**no**",
    ]);
    printRow(rows.at(-1) as string[]);
    if (result.refused > 0 || result.state !== "done") throw new Error(JSON.stringify(result));
  }
  const prices = await changePrices(store, headers);
  await checkLedger(store);
  const memory = store.memory();
  await store.stop();
  remove();
  return {
    title: `Importing ${formatInteger(PRODUCTS)} products`,
    head: [
      "Rows",
      "Number",
      `Seconds (limit ${LIMIT_S})`,
      "Applied",
      `GET /catalog meanwhile: p50 / **p95** (limit ${LIMIT_P95_MS}) / p99, ms`,
      "Within the limits",
    ],
    rows,
    note: `${prices} The files are imported into a catalogue of ${formatInteger(PRODUCTS)} products, from sending the file to the last row, while one client searches the catalogue, each time for other words. The export of these products took ${exportSeconds.toFixed(1)} s. Resident memory of the store's process afterwards: ${formatInteger(memory)} MB. Afterwards the ledger's sums are compared with the stock.`,
  };
}

const BULK = 10_000;
const BULK_LIMIT_S = 10;

/** A price of many products through the calls: compared, applied, undone. */
async function changePrices(store: RunningStore, headers: Record<string, string>): Promise<string> {
  const client = new pg.Client(store.connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM shop.product WHERE archived_at IS NULL ORDER BY id LIMIT ${BULK}`,
  );
  await client.end();
  const body = JSON.stringify({ ids: rows.map(({ id }) => id), field: "price", how: "percent", value: 2.5 });
  const post = async (path: string, sent?: string) => {
    const type = sent ? { "Content-Type": "application/json" } : {};
    const started = performance.now();
    const response = await fetch(urlOf(store) + path, {
      method: "POST",
      headers: { ...headers, ...type },
      ...(sent && { body: sent }),
    });
    if (response.status !== 202) throw new Error(`${path} answers ${response.status}`);
    const { _id: id } = (await response.json()) as { _id: string };
    const { result } = await searchUntilDone(store, headers, id);
    if (result.changed !== BULK) throw new Error(JSON.stringify(result));
    return { id, seconds: (performance.now() - started) / 1000 };
  };
  const { id, seconds: compared } = await post("/admin/products/bulk", body);
  const { seconds: applied } = await post(`/admin/imports/${id}/apply`);
  const { seconds: undone } = await post(`/admin/imports/${id}/undo`);
  const isWithin = compared + applied < BULK_LIMIT_S && undone < BULK_LIMIT_S;
  return (
    `${formatInteger(BULK)} prices are raised by 2.5 %: compared in ${compared.toFixed(1)} s, applied in ` +
    `${applied.toFixed(1)} s, undone in ${undone.toFixed(1)} s (limit ${BULK_LIMIT_S} s: ${isWithin ? "kept" : "**not kept**"}).`
  );
}

export const urlOf = ({ port }: RunningStore) => `http://127.0.0.1:${port}`;

export async function send(
  store: RunningStore,
  headers: Record<string, string>,
  content: string | Blob,
): Promise<string> {
  const form = new FormData();
  form.append("file", new File([content], "products.csv"));
  const response = await fetch(`${urlOf(store)}/admin/products/import`, {
    method: "POST",
    headers,
    body: form,
  });
  if (response.status !== 202)
    throw new Error(`The import answers ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { _id: string })._id;
}

interface Result {
  state: string;
  rows: number;
  created: number;
  changed: number;
  refused: number;
}

async function searchUntilDone(
  store: RunningStore,
  headers: Record<string, string>,
  id: string,
): Promise<{ times: number[]; result: Result }> {
  const times: number[] = [];
  const words = families.map(({ name }) => name);
  for (;;) {
    const response = await fetch(`${urlOf(store)}/admin/imports/${id}`, { headers });
    const result = (await response.json()) as Result;
    if (result.state === "done" || result.state === "failed") return { times, result };
    for (let count = 0; count < 20; count += 1) {
      const q = encodeURIComponent(`${words[times.length % words.length]} ${times.length % 97}`);
      const started = performance.now();
      await (await fetch(`${urlOf(store)}/catalog?q=${q}`)).arrayBuffer();
      times.push(performance.now() - started);
    }
  }
}

/** Each price a dollar higher; it is the fourth column of an export. */
function raisePrices(csv: string): string {
  return csv.replace(
    /^((?:"(?:[^"]|"")*"|[^",\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\n]*)){2}),(\d+)\.(\d\d),/gm,
    (_, before, formatInteger, cents) => `${before},${Number(formatInteger) + 1}.${cents},`,
  );
}

function newProducts(): string {
  return [NEW_HEADING, ...Array.from({ length: PRODUCTS }, (_, index) => newProduct(index))].join("\n");
}

export const NEW_HEADING = "item_number,name,category,price,minimum_order,quantity,description,picture";

export function newProduct(index: number, price?: string): string {
  const tool = generatedTool(index);
  return [
    `NEW-${index}`,
    tool.name,
    tool.category,
    price ?? (tool.price_cents / 100).toFixed(2),
    tool.minimum_order,
    tool.quantity,
    tool.description,
    tool.picture,
  ]
    .map((value) => `"${String(value).replaceAll('"', '""')}"`)
    .join(",");
}
