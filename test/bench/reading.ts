/** Public reads: the home page and the lists, against bare Node sending the same bytes. */
import { setTimeout as pause } from "node:timers/promises";
import { compare } from "./compare.ts";
import { load, request, withCpuTime } from "./load.ts";
import { startScript, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const browser = { "Accept-Encoding": "gzip, deflate, br, zstd" };
const ROUNDS = 9;
const SECONDS = 1;
const LASTING_MS = 1500;

export async function measureReading(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const paths = await publicPaths(store.port);
  // an unchanged response is compressed harder after a second: the limit sends that, too
  await fetchResponses(store.port, paths);
  await pause(LASTING_MS);
  await fetchResponses(store.port, paths);
  await pause(LASTING_MS);
  const limit = await startScript("bare-server.ts", await fetchResponses(store.port, paths));
  const rows: string[][] = [];
  for (const path of paths) {
    const bytes = request("GET", path, browser);
    for (const connections of [16, 64]) {
      const measure = (server: { port: number }, seconds: number) =>
        load(server, connections, seconds, () => bytes);
      await measure(store, 1);
      await measure(limit, 1);
      const {
        store: own,
        limit: baseline,
        ratio,
      } = await compare(
        ROUNDS,
        () => withCpuTime(store.cpu, () => measure(store, SECONDS)),
        () => withCpuTime(limit.cpu, () => measure(limit, SECONDS)),
      );
      rows.push([
        `GET ${path.replace(/[0-9a-f-]{36}/, "{id}")}`,
        String(connections),
        formatInteger(own.perSecond),
        formatInteger(baseline.perSecond),
        `**${ratio.median.toFixed(2)}** (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
        `${formatInteger(own.cpu * 1000)} / ${formatInteger(baseline.cpu * 1000)} (**${(baseline.cpu / own.cpu).toFixed(2)}**)`,
        own.p99.toFixed(1),
        baseline.p99.toFixed(1),
      ]);
      printRow(rows.at(-1) as string[]);
    }
  }
  const [sent, same] = [await fetchResponses(store.port, paths), await fetchResponses(limit.port, paths)];
  for (const path of paths)
    if (sent[path]?.body !== same[path]?.body) throw new Error(`${path}: not the same bytes.`);
  const memory = store.memory();
  await limit.stop();
  await store.stop();
  remove();
  return {
    title: "Cached reads, against bare Node sending the same bytes",
    head: [
      "Request",
      "Connections",
      "Store, per second",
      "Node alone, per second",
      "Ratio (spread)",
      "CPU time per request, store / Node alone, µs (ratio)",
      "Store p99, ms",
      "Node alone p99, ms",
    ],
    rows,
    note: `Resident memory of the store's process afterwards: ${formatInteger(memory)} MB.`,
  };
}

async function publicPaths(port: number): Promise<string[]> {
  const [product] = (await (await fetch(`http://127.0.0.1:${port}/products`)).json()) as { _id: string }[];
  return ["/", "/tools", "/products", `/products/${product?._id}`, "/reviews"];
}

/** The store's response, which the limit sends as well. */
async function fetchResponses(port: number, paths: string[]) {
  const { get } = await import("node:http");
  const responses: Record<string, { headers: [string, string][]; body: string }> = {};
  for (const path of paths) {
    responses[path] = await new Promise((resolve, reject) => {
      get({ port, host: "127.0.0.1", path, headers: browser }, async (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${path} answers ${response.statusCode}`));
        const body = Buffer.concat(await response.toArray());
        const raw = response.rawHeaders;
        const headers = raw.flatMap((name, at) =>
          at % 2 === 0 ? [[name, raw[at + 1]] as [string, string]] : [],
        );
        const sent = headers.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name));
        resolve({ headers: sent, body: body.toString("base64") });
      }).on("error", reject);
    });
  }
  return responses;
}
