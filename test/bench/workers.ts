/** The gain of a second process of the store (WORKERS=2), on the same two cores as PostgreSQL and the client. */
import { addTools, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { purchasesOf } from "./buying.ts";
import { compare } from "./compare.ts";
import { load, request, withCpuTime } from "./load.ts";
import { type RunningStore, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const ROUNDS = 5;
const SECONDS = 2;
const BUYERS = 64;

interface Side {
  store: RunningStore;
  remove: () => void;
  buyers: Buyer[];
  tools: BenchTool[];
}

export async function measureWorkers(): Promise<Table> {
  const one = await open("1");
  const two = await open("2");
  const home = request("GET", "/", { "Accept-Encoding": "br" });
  let count = 0;
  // a new URL is rendered
  const rendered = () => request("GET", `/tools?n=${count++}`, { "Accept-Encoding": "br" });
  const bought = ({ buyers, tools }: Side) => purchasesOf(buyers, tools);
  const rows = [
    await compareSides("GET /, cached", 64, one, two, () => () => home),
    await compareSides("GET /tools, rendered", 16, one, two, () => rendered),
    await compareSides("POST /purchase", BUYERS, one, two, bought),
  ];
  for (const { store, remove } of [one, two]) {
    await store.stop();
    remove();
  }
  return {
    title: "One process and two",
    head: [
      "Request",
      "Connections",
      "WORKERS=1, per second",
      "WORKERS=2, per second",
      "Ratio (spread)",
      "Cores used by the store, one / two processes",
      "Answers of a core at work, per second, one / two processes",
      "p99, one / two processes, ms",
    ],
    rows,
    note: "The store, PostgreSQL and the client share two cores. Where one process already uses both, a second process cannot be faster; it must not cost more per request.",
  };
}

async function open(workers: string): Promise<Side> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder, { WORKERS: workers });
  return { store, remove, buyers: await enrolBuyers(store, BUYERS), tools: await addTools(store) };
}

async function compareSides(
  what: string,
  connections: number,
  one: Side,
  two: Side,
  nextOf: (side: Side) => (connection: number) => Buffer,
): Promise<string[]> {
  const measure = (side: Side) => {
    const next = nextOf(side);
    return () => withCpuTime(side.store.cpu, () => load(side.store, connections, SECONDS, next));
  };
  const [byOne, byTwo] = [measure(one), measure(two)];
  await byOne();
  await byTwo();
  const { store: double, limit: single, ratio } = await compare(ROUNDS, byTwo, byOne);
  const cores = (side: { cpu: number; perSecond: number }) => ((side.cpu * side.perSecond) / 1000).toFixed(1);
  const perCore = ({ cpu }: { cpu: number }) => formatInteger(1000 / cpu);
  const row = [
    what,
    String(connections),
    formatInteger(single.perSecond),
    formatInteger(double.perSecond),
    `**${ratio.median.toFixed(2)}** (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
    `${cores(single)} / ${cores(double)}`,
    `${perCore(single)} / ${perCore(double)}`,
    `${single.p99.toFixed(1)} / ${double.p99.toFixed(1)}`,
  ];
  printRow(row);
  return row;
}
