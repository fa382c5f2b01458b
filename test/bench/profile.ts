/**
 * `npm run profile`: the CPU profile of placing purchases; with `-- paying` of placing and paying, with `-- reading`
 * of the home page, with `-- rendering` of catalogue pages, with `-- listing` of product lists. Prints the functions with the most self time, and writes
 * the profile as a file for a browser's developer tools.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addTools, enrolBuyers } from "./buyers.ts";
import { purchasesOf } from "./buying.ts";
import { generate } from "./generate.ts";
import { load, request } from "./load.ts";
import { payFor } from "./paying.ts";
import { startStore, temporaryFolder } from "./processes.ts";
import { cases, PRODUCTS } from "./uncached.ts";

const SECONDS = 8;
const SHOWN = 25;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const [what = "buying"] = process.argv.slice(2);
const { folder, remove } = temporaryFolder();
const profiles = fileURLToPath(new URL("../../test-results/profiles/", import.meta.url));
mkdirSync(profiles, { recursive: true });
const before = new Set(readdirSync(profiles));
const store = await startStore(folder, {}, ["--cpu-prof", `--cpu-prof-dir=${profiles}`]);
if (what === "paying") {
  await payFor(SECONDS * 1000, store, await enrolBuyers(store, 16), await addTools(store));
} else if (what === "reading") {
  const home = request("GET", "/", { "Accept-Encoding": "br" });
  await load(store, 16, SECONDS, () => home);
} else if (what === "rendering" || what === "listing") {
  await generate(store.connection, PRODUCTS);
  const path = what === "rendering" ? "GET /tools" : "GET /products?";
  const { paths = [], headers } = (await cases(store)).find(({ name }) => name.startsWith(path)) ?? {};
  let sent = 0;
  await load(store, 16, SECONDS, () => request("GET", paths[sent++ % paths.length] as string, headers));
} else {
  const buyers = await enrolBuyers(store, 16);
  await load(store, 16, SECONDS, purchasesOf(buyers, await addTools(store, 1)));
}
await store.stop();
remove();
for (const file of readdirSync(profiles)) if (!before.has(file)) summarise(`${profiles}${file}`);

function summarise(path: string): void {
  const profile = JSON.parse(readFileSync(path, "utf8")) as CpuProfile;
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || "(anonymous)"}  ${url.replace(/^.*\/(node_modules|stator|main)\//, "")}:${lineNumber + 1}`,
    ]),
  );
  const own = new Map<string, number>();
  profile.samples.forEach((id, at) => {
    const name = names.get(id) as string;
    own.set(name, (own.get(name) ?? 0) + (profile.timeDeltas[at] ?? 0));
  });
  const working = [...own].filter(([name]) => !name.startsWith("(idle)"));
  const total = working.reduce((sum, [, time]) => sum + time, 0);
  process.stdout.write(`${path}\nworked ${(total / 1e6).toFixed(1)} s\n`);
  for (const [name, time] of working.sort((a, b) => b[1] - a[1]).slice(0, SHOWN)) {
    process.stdout.write(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}\n`);
  }
}
