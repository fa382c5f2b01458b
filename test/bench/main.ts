/**
 * `npm run bench`: measures the store against its limits and writes docs/benchmarks.md. Sections can be named: `npm
 * run bench -- reading buying`. Each starts what it measures, in a temporary folder, warms it up, and checks the
 * responses.
 */

import { measureAdministering } from "./administering.ts";
import { measureBrowser } from "./browser.ts";
import { measureBuying } from "./buying.ts";
import { measureCart } from "./cart.ts";
import { drawGrowth } from "./chart.ts";
import { measureChecking } from "./checking.ts";
import { measureDeveloping } from "./developing.ts";
import { measureDocuments } from "./documents.ts";
import { measureFleet } from "./fleet.ts";
import { measureImporting } from "./importing.ts";
import { measureLargeFile } from "./large-file.ts";
import { measureMemory } from "./memory.ts";
import { measureOrdering } from "./ordering.ts";
import { measurePaying } from "./paying.ts";
import { measureReading } from "./reading.ts";
import { measureSearch } from "./searching.ts";
import { measureStart } from "./starting.ts";
import { type Table, writeTable } from "./table.ts";
import { measureUncached } from "./uncached.ts";
import { measureWorkers } from "./workers.ts";

const sections: Record<string, () => Promise<Table>> = {
  reading: measureReading,
  uncached: measureUncached,
  memory: measureMemory,
  buying: measureBuying,
  ordering: measureOrdering,
  paying: measurePaying,
  checking: measureChecking,
  cart: measureCart,
  documents: measureDocuments,
  importing: measureImporting,
  "large-file": measureLargeFile,
  administering: measureAdministering,
  workers: measureWorkers,
  fleet: measureFleet,
  searching: measureSearch,
  starting: measureStart,
  browser: measureBrowser,
  developing: measureDeveloping,
};

const requested = process.argv.slice(2);
const unknown = requested.find((name) => !(name in sections));
if (unknown) {
  process.stderr.write(`There is no section "${unknown}"; there are ${Object.keys(sections).join(", ")}.\n`);
  process.exit(1);
}
for (const [name, measure] of Object.entries(sections)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  process.stdout.write(`${name}\n`);
  writeTable(name, await measure());
}
drawGrowth();
