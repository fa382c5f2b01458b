/** Importing a file of 200 MB, and the same file cut off in the middle. */
import { once } from "node:events";
import { createWriteStream, openAsBlob } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Output } from "../../api/contract.ts";
import { tokenFor } from "./buyers.ts";
import { checkLedger } from "./buying.ts";
import { NEW_HEADING, newProduct, send, urlOf } from "./importing.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const MB = 1_000_000;
const BYTES = 200 * MB;
/** its price is a word */
const WRONG_ROW = 300_000;

type Headers = Record<string, string>;

export async function measureLargeFile(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const files = temporaryFolder();
  const path = join(files.folder, "large.csv");
  await writeFile(path);
  const store = await startStore(folder);
  const { token } = await tokenFor(store, "sign-in", store.admin);
  const headers = { Authorization: `Bearer ${token}` };
  const file = await openAsBlob(path);
  const rows: string[][] = [];
  for (const [name, content] of [
    ["Cut off after 100 MB", file.slice(0, BYTES / 2)],
    ["Whole", file],
  ] as const) {
    rows.push([name, ...(await importFile(store, headers, content))]);
    printRow(rows.at(-1) as string[]);
  }
  await checkLedger(store);
  await store.stop();
  remove();
  files.remove();
  return {
    title: "Importing a file of 200 MB",
    head: ["File", "Rows", "Sent, s", "Finished, s", "Added", "Reported", "Memory before / **at most**, MB"],
    rows,
    note: "New products; the price of one is a word. Memory: resident, of the store's process without PostgreSQL's, twice a second. Afterwards the ledger's sums are compared with the stock.",
  };
}

async function writeFile(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write(NEW_HEADING);
  for (let row = 2, bytes = 0; bytes < BYTES; row += 1) {
    const text = `\n${newProduct(row, row === WRONG_ROW ? "cheap" : undefined)}`;
    bytes += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

async function importFile(store: RunningStore, headers: Headers, content: Blob): Promise<string[]> {
  const before = store.memory();
  const memory = { most: before };
  const sampling = setInterval(() => {
    memory.most = Math.max(memory.most, store.memory());
  }, 500);
  const started = performance.now();
  const secondsSince = () => ((performance.now() - started) / 1000).toFixed(1);
  const id = await send(store, headers, content);
  const sent = secondsSince();
  const result = await untilDone(store, headers, id);
  const finished = secondsSince();
  clearInterval(sampling);
  return [
    formatInteger(result.rows),
    sent,
    finished,
    formatInteger(result.created),
    result.problem ?? (await refusals(store, headers, id)),
    `${formatInteger(before)} / **${formatInteger(memory.most)}**`,
  ];
}

async function untilDone(store: RunningStore, headers: Headers, id: string): Promise<Output<"findImport">> {
  for (;;) {
    await setTimeout(500);
    const response = await fetch(`${urlOf(store)}/admin/imports/${id}`, { headers });
    const result = (await response.json()) as Output<"findImport">;
    if (result.state === "done" || result.state === "failed") return result;
  }
}

async function refusals(store: RunningStore, headers: Headers, id: string): Promise<string> {
  const response = await fetch(`${urlOf(store)}/admin/imports/${id}/rows?status=refused`, { headers });
  const { records } = (await response.json()) as Output<"listImportRows">;
  return records.map(({ row, reason }) => `Row ${row}: ${reason}`).join("; ");
}
