/** The catalogue search at three sizes, through HTTP, over words as people type them. */

import { families, series } from "./families.ts";
import { generate } from "./generate.ts";
import { load, percentiles, request, watched } from "./load.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { seeded } from "./random.ts";
import { line, type Table, whole } from "./table.ts";

const SIZES = (process.env.BENCH_SIZES ?? "1000,100000").split(",").map(Number);
const SECONDS = 8;

export async function measureSearch(): Promise<Table> {
  // an own folder, if given, is filled up and kept
  const own = process.env.BENCH_FOLDER;
  const { folder, remove } = own ? { folder: own, remove: () => {} } : temporaryFolder();
  const rows: string[][] = [];
  const requests = queries().map((query) => request("GET", `/catalog?${query}`));
  const pages = queries().map((query) => request("GET", `/tools?${query}`, { "Accept-Encoding": "br" }));
  for (const size of SIZES) {
    let store = await startStore(folder);
    const began = performance.now();
    await generate(store.connection, size, (done) => line([done]));
    const filledIn = performance.now() - began;
    await store.stop();
    store = await startStore(folder);
    await checkAnswers(store.port);
    const each = (from: Buffer[]) => {
      let place = 0;
      return () => from[place++ % from.length] as Buffer;
    };
    await load(store, 1, SECONDS / 2, each(requests));
    const one = await watched(store.cpu, () => load(store, 1, SECONDS, each(requests)));
    const four = await load(store, 4, SECONDS, each(requests));
    const page = await load(store, 1, SECONDS, each(pages));
    const best = percentiles(await bestTimes(store.port, queries().slice(0, 240)));
    rows.push([
      whole(size),
      `${best.p50.toFixed(1)} / **${best.p95.toFixed(1)}** / ${best.p99.toFixed(1)}`,
      `${one.p50.toFixed(1)} / **${one.p95.toFixed(1)}** / ${one.p99.toFixed(1)}`,
      `${four.p50.toFixed(1)} / ${four.p95.toFixed(1)}`,
      whole(four.perSecond),
      (one.cpu ?? 0).toFixed(1),
      `${page.p50.toFixed(1)} / ${page.p95.toFixed(1)}`,
      `${(store.startedInMs / 1000).toFixed(1)} s`,
      `${whole(store.memory())} MB`,
      `${whole(filledIn / 1000)} s`,
    ]);
    line(rows.at(-1) as string[]);
    await store.stop();
  }
  remove();
  return {
    title: "Searching the catalogue",
    head: [
      "Tools",
      "GET /catalog, each search's best of five: p50 / **p95** / p99, ms",
      "GET /catalog, one client: p50 / **p95** / p99, ms",
      "four clients: p50 / p95, ms",
      "searches per second",
      "Processor time each, ms",
      "page /tools, one client: p50 / p95, ms",
      "Start",
      "Memory",
      "Generated in",
    ],
    rows,
    note: "600 different searches in turn: words half and fully typed, mistyped, item numbers, facets, sorts. The million: `BENCH_SIZES=1000,100000,1000000 npm run bench -- searching`.",
  };
}

/** Each search five times, one at a time; the best is what it takes when nothing else is in the way. */
async function bestTimes(port: number, asked: string[]): Promise<number[]> {
  const best = asked.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round += 1) {
    // an address that nobody asked for yet, so that the store cannot answer from memory
    for (const [at, query] of asked.entries()) {
      const began = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/catalog?${query}&round=${round}`)).arrayBuffer();
      best[at] = Math.min(best[at] as number, performance.now() - began);
    }
  }
  return best;
}

/** Searches as people make them; the same every time. */
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

/** Two neighbouring letters change places. */
function mistype(word: string, at: number): string {
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}

async function checkAnswers(port: number): Promise<void> {
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
