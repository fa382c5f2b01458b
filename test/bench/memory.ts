/** Resident memory of the store after many distinct requests, and whether popular pages stay cached. */
import { load, request } from "./load.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { printRow, type Table } from "./table.ts";

const CONNECTIONS = 16;
/** Requests with an unknown parameter of some kilobytes; and with words without results. */
const kinds = [
  {
    name: "/reviews with an unknown parameter of 3 kB",
    urls: 100_000,
    path: (count: number) => `/reviews?pad=${count}${"x".repeat(3000)}`,
  },
  {
    name: "/catalog with different words",
    urls: 20_000,
    path: (count: number) => `/catalog?limit=1&q=word${count}`,
  },
];

export async function measureMemory(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const rows: string[][] = [];
  try {
    const home = request("GET", "/", { "Accept-Encoding": "br" });
    await load(store, CONNECTIONS, 5, () => home);
    for (const { name, urls, path } of kinds) {
      const before = store.memory();
      const { responses, homeMs } = await requestAll(store, urls, path, home);
      const after = store.memory();
      rows.push([
        name,
        String(responses),
        before.toFixed(0),
        after.toFixed(0),
        (after - before).toFixed(0),
        homeMs.toFixed(1),
      ]);
      printRow(rows.at(-1) as string[]);
    }
  } finally {
    await store.stop();
    remove();
  }
  return {
    title: "Memory under distinct URLs",
    head: ["URL", "Requests", "Before, MB", "After, MB", "Grown by, MB", "Home page meanwhile, p50 ms"],
    rows,
    note: "Resident memory of the store's process. Every request has a URL of its own; The home page is requested again every two seconds; rendering it takes about 14 ms.",
  };
}

async function requestAll(
  store: { port: number },
  urls: number,
  path: (count: number) => string,
  home: Buffer,
): Promise<{ responses: number; homeMs: number }> {
  let count = 0;
  let responses = 0;
  let homeMs = 0;
  while (count < urls) {
    const different = await load(store, CONNECTIONS, 2, () => request("GET", path(count++)));
    responses += different.responses;
    homeMs = (await load(store, 1, 0.2, () => home)).p50;
  }
  return { responses, homeMs };
}
