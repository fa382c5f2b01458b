/**
 * The primary of the database is killed under load and a standby promoted; FAILOVERS=10 repeats it. Every request and
 * response is recorded and checked against a sequential model (check-history.ts).
 */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { connectTo, hostsOf } from "../../database/hosts.ts";
import { readConfig } from "../../server/config.ts";
import { compileCache } from "../harness/compile-cache.ts";
import { drill } from "../harness/orders.ts";
import { logIn, type SignedIn } from "../harness/users.ts";
import { isRunning, type RecordedRequest, startBuyers } from "./buyers.ts";
import {
  type Attempt,
  type Charge,
  checkHistory,
  type FinalState,
  type RecordedLine,
} from "./check-history.ts";
import { admin, type FleetNode, startNode } from "./node.ts";
import { type ReplicatedDatabase, startReplicatedDatabase } from "./replicated-database.ts";

const FAILOVERS = Number(process.env.FAILOVERS ?? 1);
const PRODUCTS = 20;
const PIECES = 40;
const PAID_BEFORE = 20;
const RESUME_MS = 10_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

test.each(Array.from({ length: FAILOVERS }, (_, index) => index + 1))(
  "failover %s loses nothing that was acknowledged, and two nodes sell again without a restart",
  { timeout: 180_000 },
  async () => {
    const database = await startReplicatedDatabase();
    cleanUp.push(database.remove);
    const nodes = await openNodes(database);
    const account = await logIn(nodes[0] as FleetNode, admin);
    const productIds = await addProducts(account);
    const statusesOf = (path: string) => Promise.all(nodes.map((node) => statusOf(node, path)));
    expect(await statusesOf("/tools")).toEqual([200, 200]);

    const buyers = startBuyers({ nodes, account, productIds });
    const { requests, history } = buyers;
    cleanUp.push(buyers.stop);
    const isSelling = () => history.filter(({ paid }) => paid).length >= PAID_BEFORE;
    await expect.poll(isSelling, { timeout: 20_000 }).toBe(true);
    database.killPrimary();
    await expect.poll(() => statusesOf("/readyz")).toEqual([503, 503]);
    // not before each buyer's last sale: buyers must not see the stock from before it
    await expect.poll(() => statusesOf("/tools")).toEqual([200, 200]);
    await database.promote();
    const promotedAt = performance.now();
    const resumedAfter = () =>
      nodes.map((_, index) => {
        const first = requests.find(
          ({ node, call, startedAt, reply }) =>
            node === index && call === "place" && startedAt > promotedAt && reply?.status === 200,
        );
        return first ? Math.round(first.endedAt - promotedAt) : Number.POSITIVE_INFINITY;
      });
    const hasResumed = () => Math.max(...resumedAfter()) < RESUME_MS;
    await expect.poll(hasResumed, { timeout: RESUME_MS }).toBe(true);
    expect(await statusesOf("/readyz")).toEqual([200, 200]);
    await expect.poll(buyers.isSoldOut, { timeout: 60_000 }).toBe(true);
    await buyers.stop();

    expect(requests.filter(isUnexpected)).toEqual([]);
    const countOf = (given: Attempt["outcome"]) => history.filter(({ outcome }) => outcome === given).length;
    const isCancelled = ({ cancellation }: Attempt) => cancellation?.outcome === "cancelled";
    expect(countOf("unknown")).toBeGreaterThan(0);
    expect(history.filter(isCancelled).length).toBeGreaterThan(0);
    // the store looks up payments that no page has reported every half a minute
    const check = async () => checkHistory(history, PIECES, await finalState(database));
    await expect.poll(check, { timeout: 60_000, interval: 500 }).toEqual([]);
    await expect.poll(() => examine(database), examining).toMatch(/All \d+ checks passed/);
    const unknown = history.filter(({ outcome }) => outcome === "unknown");
    const placed = new Set((await finalState(database)).recorded.map(({ key }) => key));
    console.info(
      `sales resumed after ${resumedAfter().join(" and ")} ms; of ${requests.length} requests ` +
        `${requests.filter(({ reply }) => reply?.status === 503).length} got a 503 and ` +
        `${requests.filter(({ reply }) => !reply).length} no response; of ${history.length} orders ` +
        `${history.filter(({ paid }) => paid).length} were paid, ${history.filter(isCancelled).length} cancelled, ` +
        `${countOf("refused")} refused, and ${unknown.length} had an unknown outcome, ` +
        `${unknown.filter(({ key }) => placed.has(key)).length} of which were placed`,
    );
  },
);

test("a URL with several hosts is split, and one without stays as it is", () => {
  expect(hostsOf("postgres://u:p@a:1,b:2/shop?sslmode=require")).toEqual([
    "postgres://u:p@a:1/shop?sslmode=require",
    "postgres://u:p@b:2/shop?sslmode=require",
  ]);
  for (const url of ["postgres://u:p%2C@a/shop", "postgres://u:p@/shop?host=/run/pg&port=5432"])
    expect(hostsOf(url)).toEqual([url]);
});

test("each host of a URL is checked at the start", () => {
  expect(() => readConfig({ DATABASE_URL: "postgres://u:p@a:1,b:port/shop" })).toThrow(
    /^DATABASE_URL: cannot be read/,
  );
});

test("unreachable hosts have a clear error", async () => {
  const pool = new pg.Pool(connectTo("postgres://u:p@127.0.0.1:1,127.0.0.1:2/shop"));
  await expect(pool.query("SELECT 1")).rejects.toThrow("no host of the database can be reached");
  await pool.end();
});

async function openNodes({ url }: ReplicatedDatabase): Promise<FleetNode[]> {
  const nodes: FleetNode[] = [];
  while (nodes.length < 2) {
    const node = await openNode({
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: "20",
      LOG_LEVEL: "silent",
    });
    cleanUp.push(node.remove);
    nodes.push(node);
  }
  return nodes;
}

/** Tries again, as a service manager does: on a busy machine the hosts may not respond in time at the start. */
async function openNode(variables: Record<string, string>, tries = 5): Promise<FleetNode> {
  try {
    return await startNode({}, variables);
  } catch (error) {
    if (tries === 1 || !/no host of the database/.test(String(error))) throw error;
    return openNode(variables, tries - 1);
  }
}

/**
 * A write is accepted, or refused because pieces are sold or the order is paid or cancelled already, or gets a 503 that
 * says when to try again.
 */
function isUnexpected({ call, reply }: RecordedRequest): boolean {
  if (!reply || reply.status === 200 || isRunning(reply)) return false;
  if (reply.status === 503) return !(Number(reply.headers.get("retry-after")) > 0);
  if (call === "confirm card") return reply.body.error?.code !== "payment_intent_unexpected_state";
  if (call === "place") return reply.status !== 409 || !reply.body.lines;
  return ![404, 409].includes(reply.status);
}

async function addProducts(account: SignedIn): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= PRODUCTS; number += 1) {
    const body = { ...drill, name: `Last pieces ${number}`, minimum_order: 1, quantity: PIECES };
    ids.push((await account.call("addProduct", { body })).insertedId);
  }
  return ids;
}

async function statusOf({ url }: FleetNode, path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

async function finalState({ url }: ReplicatedDatabase): Promise<FinalState> {
  const pool = new pg.Pool(connectTo(url));
  try {
    const { rows: recorded } = await pool.query<RecordedLine>(
      `SELECT order_id AS "orderId", address AS key, product_id AS "productId", quantity AS pieces,
         cancelled_at IS NOT NULL AS cancelled, status <> 'unpaid' AS paid, total_cents::int AS cents,
         transaction_id AS "transactionId" FROM shop.purchase`,
    );
    const { rows: charges } = await pool.query<Charge>(
      `SELECT payment_intent_id AS "transactionId", amount_cents AS cents, amount_refunded_cents AS "refundedCents"
       FROM sandbox.charge WHERE status = 'succeeded'`,
    );
    const { rows: products } = await pool.query<{ id: string; quantity: number }>(
      "SELECT id, quantity FROM shop.product WHERE name LIKE 'Last pieces %'",
    );
    const stock = Object.fromEntries(products.map(({ id, quantity }) => [id, quantity]));
    return { recorded, charges, stock };
  } finally {
    await pool.end();
  }
}

const examining = { timeout: 45_000, interval: 3000 };

/** The output of the doctor. */
function examine({ url }: ReplicatedDatabase): Promise<string> {
  const doctor = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/doctor.ts"], {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATABASE_URL: url,
      DATA_DIR: join(tmpdir(), "stator-doctor"),
    },
  });
  let output = "";
  for (const stream of [doctor.stdout, doctor.stderr])
    stream.on("data", (bytes) => {
      output += bytes;
    });
  return new Promise((resolve) => doctor.once("close", () => resolve(output)));
}
