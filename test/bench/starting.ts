/** The first start on an empty folder, later starts, and the weight of the home page. */
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { median } from "./compare.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, type Table } from "./table.ts";

const STARTS = 5;

export async function measureStart(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const first = await startStore(folder);
  const home = Buffer.from(await (await fetch(`http://127.0.0.1:${first.port}/`)).arrayBuffer());
  const scripts = scriptsOf(home.toString());
  const styles = [...home.toString().matchAll(/href="(\/assets\/[^"]+\.css)"/g)].map(([, path]) =>
    assetOf(path as string),
  );
  await first.stop();
  const next: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const store = await startStore(folder);
    next.push(store.startedInMs);
    await store.stop();
  }
  remove();
  const bytes = (parts: Buffer[]) => parts.reduce((sum, part) => sum + gzipSync(part).length, 0);
  return {
    title: "Start time, and the size of the home page",
    head: ["What", "Figure"],
    rows: [
      [
        "First start on an empty folder: PostgreSQL, tables, sample catalogue",
        `${(first.startedInMs / 1000).toFixed(1)} s`,
      ],
      [`Next starts, median of ${STARTS}`, `${(median(next) / 1000).toFixed(1)} s`],
      [
        "Home page, HTML plain / gzip / brotli",
        [home.length, gzipSync(home).length, brotliCompressSync(home).length]
          .map((size) => `${formatInteger(size / 1024)} kB`)
          .join(" / "),
      ],
      [`Home page, JavaScript gzip (${scripts.length} files)`, `${formatInteger(bytes(scripts) / 1024)} kB`],
      [`Home page, CSS gzip (${styles.length} files)`, `${formatInteger(bytes(styles) / 1024)} kB`],
    ],
  };
}

/** All that the page requests before hydration. */
function scriptsOf(html: string): Buffer[] {
  const preloaded = html.matchAll(/<link rel="later"[^>]* href="(\/assets\/[^"]+\.js)"/g);
  return [...new Set([...preloaded].map(([, path]) => path as string))].map(assetOf);
}

function assetOf(path: string): Buffer {
  return readFileSync(new URL(`../../build/client${path}`, import.meta.url));
}
