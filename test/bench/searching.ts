/**
 * The catalogue search with growing catalogues, over HTTP, with realistic queries. A million products take long to
 * create, so they are measured only in a kept folder: `BENCH_MILLION=folder npm run bench -- searching`.
 */

import { resolve } from "node:path";
import { families, series } from "./families.ts";
import { generate } from "./generate.ts";
import { load, percentiles, request, withCpuTime } from "./load.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { seeded } from "./random.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const SIZES = [1000, 100_000];
const MILLION = 1_000_000;
const SECONDS = 6;
const SINGLE = 240;

export async function measureSearch(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const keptFolder = process.env.BENCH_MILLION;
  const rows: string[][] = [];
  for (const size of SIZES) rows.push(await measureAt(size, folder));
  remove();
  if (keptFolder) rows.push(await measureAt(MILLION, resolve(keptFolder)));
  return {
    title: "Searching the catalogue",
    head: [
      "Tools",
      "GET /catalog, one client: p50 / **p95** / p99, ms",
      "first request of each: p50 / p95 / p99, ms",
      "best of five: p50 / p95 / p99, ms",
      "four clients: p50 / p95, ms",
      "searches per second",
      "CPU time per search, ms",
      "page /tools, one client: p50 / p95, ms",
      "Start",
      "Memory",
      "Generated in",
    ],
    rows,
    note: "600 different searches: partly and fully typed words, typos, item numbers, facets, sort orders. First request: just after the start, with cold caches. The million products are in a folder that is filled once and kept: `BENCH_MILLION=folder npm run bench -- searching`.",
  };
}

/** One row: fills the folder up to `size`, and restarts the store. */
async function measureAt(size: number, folder: string): Promise<string[]> {
  const began = performance.now();
  let store = await startStore(folder);
  const added = await generate(store.connection, size, (done) => printRow([done]));
  const filledIn = performance.now() - began;
  await store.stop();
  store = await startStore(folder);
  const requests = queries().map((query) => request("GET", `/catalog?${query}`));
  const pages = queries().map((query) => request("GET", `/tools?${query}`, { "Accept-Encoding": "br" }));
  const [first] = await timesOf(store.port, queries().slice(0, SINGLE), 1);
  await checkResponses(store.port);
  const each = (from: Buffer[]) => {
    let place = 0;
    return () => from[place++ % from.length] as Buffer;
  };
  const one = await withCpuTime(store.cpu, () => load(store, 1, SECONDS, each(requests)));
  const four = await load(store, 4, SECONDS, each(requests));
  const page = await load(store, 1, SECONDS, each(pages));
  const rounds = await timesOf(store.port, queries().slice(0, SINGLE), 5);
  const best = (rounds[0] ?? []).map((_, at) => Math.min(...rounds.map((times) => times[at] as number)));
  const row = [
    formatInteger(size),
    spread(one, true),
    spread(percentiles(first ?? [])),
    spread(percentiles(best)),
    `${four.p50.toFixed(1)} / ${four.p95.toFixed(1)}`,
    formatInteger(four.perSecond),
    (one.cpu ?? 0).toFixed(1),
    `${page.p50.toFixed(1)} / ${page.p95.toFixed(1)}`,
    `${(store.startedInMs / 1000).toFixed(1)} s`,
    `${formatInteger(store.memory())} MB`,
    added > 0 ? `${formatInteger(filledIn / 1000)} s` : "filled in advance",
  ];
  printRow(row);
  await store.stop();
  return row;
}

function spread({ p50, p95, p99 }: { p50: number; p95: number; p99: number }, bold = false): string {
  const middle = bold ? `**${p95.toFixed(1)}**` : p95.toFixed(1);
  return `${p50.toFixed(1)} / ${middle} / ${p99.toFixed(1)}`;
}

/** The duration of each search, one at a time, in `rounds` rounds. */
async function timesOf(port: number, queries: string[], rounds: number): Promise<number[][]> {
  const all: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = [];
    // a new URL, so that it is not cached
    for (const query of queries) {
      const began = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/catalog?${query}&round=${rounds}-${round}`)).arrayBuffer();
      times.push(performance.now() - began);
    }
    all.push(times);
  }
  return all;
}

/** Realistic, reproducible queries. */
function queries(): string[] {
  const random = seeded(6);
  return Array.from({ length: 600 }, (_, number) => {
    const family = random.pick(families);
    const name = family.name.toLowerCase();
    const kinds = [
      () => ({ q: name }),
      () => ({ q: name.slice(0, random.between(2, name.length)) }),
      () => ({ q: mistype(name, random.between(1, name.length - 2)) }),
      () => ({ q: `${random.pick([18, 36, 230])} v ${name.split(" ").at(-1)}` }),
      () => ({ q: `${random.pick(series).toLowerCase()} ${name} kit` }),
      () => ({ q: `${random.pick(family.measure.values)} ${family.measure.unit} ${name}` }),
      () => ({ q: `${family.prefix} ${random.pick([18, 230])}` }),
      () => ({ q: name, voltage: "18" }),
      () => ({ q: family.facts[0] ?? name, sort: "price" }),
      () => ({ category: family.category }),
      () => ({ category: family.category, power: "Battery", sort: "price" }),
      () => ({ sort: random.pick(["name", "-price", "minimum"]), stock: "covers" }),
    ];
    return new URLSearchParams((kinds[number % kinds.length] as () => Record<string, string>)()).toString();
  });
}

/** Swaps two neighbouring letters. */
function mistype(word: string, at: number): string {
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}

async function checkResponses(port: number): Promise<void> {
  const found = async (query: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/catalog?${query}`)).json()) as {
      tools: { name: string }[];
      total: number;
    };
  const mistyped = await found("q=jgisaw");
  if (!mistyped.tools.every(({ name }) => /jigsaw/i.test(name)) || mistyped.total === 0)
    throw new Error("A mistyped jigsaw was not found.");
  const none = await found("q=drill&category=Dust+extraction");
  if (none.tools.some(({ name }) => !/drill/i.test(name)))
    throw new Error("A filter let something else through.");
}
