/** Placing purchases at one, two and four nodes on one PostgreSQL, against the same SQL without the store. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addTools, type BenchTool, type Buyer, enrolBuyers } from "./buyers.ts";
import { checkLedger, loadBaseline, purchasesOf } from "./buying.ts";
import { compare } from "./compare.ts";
import { type ExternalDatabase, startExternalDatabase } from "./external-database.ts";
import { load, withCpuTime } from "./load.ts";
import { type RunningStore, startScript, startStore, temporaryFolder } from "./processes.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const NODES = [1, 2, 4];
const BUYERS = 64;
const ROUNDS = 5;
const SECONDS = 2;
/** for four nodes, the buyers of the SQL alone in two cases, and some to spare */
const DATABASE_CONNECTIONS = 300;
const EMAIL_SECONDS = 5;
/** What the figures are projected to: nodes of one core each, of which this much of a second is used. */
const PROJECTED_NODES = [10, 50];
const BUSY_MS = 700;

interface Case {
  name: string;
  buyers: Buyer[];
  tools: BenchTool[];
  baseline: Awaited<ReturnType<typeof startScript>>;
}

interface Measured {
  case: Case;
  cells: string[];
  /** CPU time per order in milliseconds */
  nodesMs: number;
  databaseMs: number;
}

export async function measureFleet(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const database = await startExternalDatabase(join(folder, "database"), DATABASE_CONNECTIONS);
  const nodes: RunningStore[] = [];
  const startNode = async (role: "web" | "worker") => {
    const home = join(folder, `${role}-${nodes.length}`);
    mkdirSync(home);
    return startStore(home, { DATABASE_URL: database.url, ROLE: role });
  };
  const first = await startNode("web");
  nodes.push(first);
  const buyers = await enrolBuyers(first, BUYERS);
  const tools = await addTools(first);
  const cases = [
    await openCase("one hot product", buyers, tools.slice(0, 1), database),
    await openCase(`${tools.length} products`, buyers, tools, database),
  ];
  const measured: Measured[] = [];
  for (const count of NODES) {
    // idle nodes use CPU time too: each receives every change notification
    while (nodes.length < count) nodes.push(await startNode("web"));
    for (const one of cases) {
      measured.push(await measureCase(one, nodes, database));
      printRow((measured.at(-1) as Measured).cells);
    }
  }
  await Promise.all([...cases.map(({ baseline }) => baseline.stop()), ...nodes.map((node) => node.stop())]);
  await checkLedger(first);
  const email = await measureEmails(await startNode("worker"), database);
  await database.stop();
  remove();
  return {
    title: "Several nodes on one database, against the same SQL without the store",
    head: [
      "Purchases of",
      "Nodes",
      "Nodes, per second",
      "SQL alone, per second",
      "Ratio (spread)",
      "Nodes p99, ms",
      "SQL alone p99, ms",
      "CPU time per order of the nodes, ms",
      "CPU time per order of PostgreSQL, nodes / SQL alone, ms",
      "Connections of the nodes",
    ],
    rows: cases.flatMap((one) => measured.filter((row) => row.case === one).map(({ cells }) => cells)),
    note: `Each node is a store of its own (\`ROLE=web\`, one process), ${BUYERS} buyers are spread over the nodes, and each sends the next purchase as soon as it has the response. Nodes, PostgreSQL and client share two cores, so more nodes cannot place more purchases here: the columns of CPU time are what a larger fleet is computed from (*Scale on paper* in operating.md). The emails wait meanwhile; a worker then needs ${email.worker.toFixed(1)} ms of CPU time for each, and PostgreSQL ${email.database.toFixed(1)} ms. Projected from the last row, with one core a node and every core busy to ${BUSY_MS / 10} percent: ${project(measured.at(-1) as Measured, email)}. SQL alone is measured in the same rounds. Afterwards the stock ledger must match the stock.`,
  };
}

function project({ nodesMs, databaseMs }: Measured, email: { worker: number; database: number }): string {
  const fleets = PROJECTED_NODES.map((count) => {
    const orders = (count * BUSY_MS) / nodesMs;
    const database = formatInteger(Math.ceil((orders * (databaseMs + email.database)) / BUSY_MS));
    const workers = formatInteger(Math.ceil((orders * email.worker) / BUSY_MS));
    return `${count} nodes place ${formatInteger(orders)} orders a second and need ${database} cores for PostgreSQL and ${workers} for workers`;
  });
  return fleets.join("; ");
}

async function openCase(
  name: string,
  buyers: Buyer[],
  tools: BenchTool[],
  { url }: ExternalDatabase,
): Promise<Case> {
  const connection = { connectionString: url };
  return {
    name,
    buyers,
    tools,
    baseline: await startScript("bare-purchases.ts", { connection, buyers, tools }),
  };
}

async function measureCase(
  measured: Case,
  nodes: RunningStore[],
  database: ExternalDatabase,
): Promise<Measured> {
  const { name, buyers, tools, baseline } = measured;
  const next = purchasesOf(buyers, tools);
  const cpu = { inDatabase: 0, responses: 0 };
  const byNodes = async () => {
    const before = database.cpu();
    const loaded = await load(nodes, BUYERS, SECONDS, next);
    cpu.inDatabase += database.cpu() - before;
    cpu.responses += loaded.responses;
    return loaded;
  };
  await byNodes();
  await loadBaseline(baseline, SECONDS, BUYERS);
  const cpuOfNodes = () => nodes.reduce((sum, node) => sum + node.cpu(), 0);
  const {
    store: fleet,
    limit,
    ratio,
  } = await compare(
    ROUNDS,
    () => withCpuTime(cpuOfNodes, byNodes),
    () => withCpuTime(database.cpu, () => loadBaseline(baseline, SECONDS, BUYERS)),
  );
  const [open] = await database.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'stator %'",
  );
  const databaseMs = cpu.inDatabase / cpu.responses;
  const cells = [
    name,
    String(nodes.length),
    formatInteger(fleet.perSecond),
    formatInteger(limit.perSecond),
    `**${ratio.median.toFixed(2)}** (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
    fleet.p99.toFixed(1),
    limit.p99.toFixed(1),
    fleet.cpu.toFixed(2),
    `${databaseMs.toFixed(2)} / ${limit.cpu.toFixed(2)}`,
    String(open?.count),
  ];
  return { case: measured, cells, nodesMs: fleet.cpu, databaseMs };
}

/** CPU time in milliseconds that a worker and PostgreSQL need for the email of one order. */
async function measureEmails(worker: RunningStore, database: ExternalDatabase) {
  const waiting = async () => {
    const [row] = await database.query<{ count: string }>(
      "SELECT count(*) FROM graphile_worker._private_jobs",
    );
    return Number(row?.count);
  };
  const before = { worker: worker.cpu(), database: database.cpu(), waiting: await waiting() };
  await pause(EMAIL_SECONDS * 1000);
  const sent = before.waiting - (await waiting());
  if (sent < 100) throw new Error(`The worker has sent ${sent} emails only.`);
  const figures = {
    worker: (worker.cpu() - before.worker) / sent,
    database: (database.cpu() - before.database) / sent,
  };
  await worker.stop();
  return figures;
}
