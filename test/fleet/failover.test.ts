/**
 * The primary of the database is killed under load and a standby promoted; FAILOVERS=10 repeats it. Every request and
 * response is recorded and checked against a sequential model (check-history.ts).
 */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { connectTo, hostsOf } from "../../database/hosts.ts";
import { readConfig } from "../../server/config.ts";
import { logIn, type SignedIn } from "../harness/people.ts";
import { drill } from "../harness/trade.ts";
import { checkHistory, type Placement, type RecordedPurchase } from "./check-history.ts";
import { admin, type FleetNode, startNode } from "./node.ts";
import { type ReplicatedDatabase, startReplicatedDatabase } from "./replicated-database.ts";

const FAILOVERS = Number(process.env.FAILOVERS ?? 1);
const BUYERS = 6;
const LOTS = 150;
const RESUME_MS = 10_000;
const GIVE_UP_MS = 12_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

test.each(Array.from({ length: FAILOVERS }, (_, index) => index + 1))(
  "failover %s loses nothing that was acknowledged, and sales resume",
  { timeout: 120_000 },
  async () => {
    const database = await startReplicatedDatabase();
    cleanUp.push(database.remove);
    const variables = { DATABASE_URL: database.address, DATABASE_CONNECTIONS: "20", LOG_LEVEL: "silent" };
    const node = await startNode({}, variables);
    cleanUp.push(node.remove);
    const buyer = await logIn(node, admin);
    const tool = { ...drill, name: "Last lots", minimum_order: 1, quantity: LOTS };
    const { insertedId: productId } = await buyer.call("addProduct", { body: tool });

    const history: Placement[] = [];
    const unexpected: string[] = [];
    let isOver = false;
    const buyers = Array.from({ length: BUYERS }, async (_, index) => {
      for (let number = 0; !isOver; number += 1) {
        const key = `buyer-${index}-${number}`;
        history.push(await buyOnce({ node, buyer, productId, key, unexpected }));
      }
    });
    const isPlaced = () => history.some(({ outcome }) => outcome === "placed");
    await expect.poll(isPlaced).toBe(true);
    await fetch(`${node.url}/tools`);
    await pause(500);
    database.killPrimary();
    await expect.poll(() => statusOf(node, "/readyz")).toBe(503);
    // buyers must not see the stock from before their purchase
    await expect.poll(() => statusOf(node, "/tools")).toBe(200);
    await database.promote();
    const promotedAt = performance.now();
    const hasResumed = () => history.some(({ outcome, begun }) => outcome === "placed" && begun > promotedAt);
    await expect.poll(hasResumed, { timeout: RESUME_MS }).toBe(true);
    console.info(`sales resumed after ${Math.round(performance.now() - promotedAt)} ms`);
    expect(await statusOf(node, "/readyz")).toBe(200);
    const isSoldOut = () => history.some(({ outcome }) => outcome === "soldOut");
    await expect.poll(isSoldOut, { timeout: 60_000 }).toBe(true);
    isOver = true;
    await Promise.all(buyers);

    expect(unexpected).toEqual([]);
    const recorded = await recordedPurchases(database);
    expect(checkHistory(history, { lots: LOTS, recorded })).toEqual([]);
    expect(recorded.length).toBe(LOTS);
    await expect.poll(() => examine(database), { timeout: 30_000 }).toMatch(/All \d+ checks passed/);
  },
);

test("an address with several hosts is split, and one without stays as it is", () => {
  expect(hostsOf("postgres://u:p@a:1,b:2/shop?sslmode=require")).toEqual([
    "postgres://u:p@a:1/shop?sslmode=require",
    "postgres://u:p@b:2/shop?sslmode=require",
  ]);
  for (const address of ["postgres://u:p%2C@a/shop", "postgres://u:p@/shop?host=/run/pg&port=5432"])
    expect(hostsOf(address)).toEqual([address]);
});

test("each host of an address is checked at the start", () => {
  expect(() => readConfig({ DATABASE_URL: "postgres://u:p@a:1,b:port/shop" })).toThrow(
    /^DATABASE_URL: cannot be read/,
  );
});

test("unreachable hosts have a clear error", async () => {
  const pool = new pg.Pool(connectTo("postgres://u:p@127.0.0.1:1,127.0.0.1:2/shop"));
  await expect(pool.query("SELECT 1")).rejects.toThrow("no host of the database can be reached");
  await pool.end();
});

interface Buying {
  node: FleetNode;
  buyer: SignedIn;
  productId: string;
  key: string;
  unexpected: string[];
}

/** Places and pays for one lot. Requests with unknown outcome are retried, except by every third buyer. */
async function buyOnce({ node, buyer, productId, key, unexpected }: Buying): Promise<Placement> {
  const begun = performance.now();
  const retries = !/[05]$/.test(key);
  const ended = () => performance.now();
  const body = { address: key, purchaseQuantity: 1, productId };
  const insist = async (call: () => Promise<{ status: number; body: Record<string, unknown> }>) => {
    for (;;) {
      const reply = await call().catch(() => null);
      if (reply && ![200, 422, 503].includes(reply.status))
        unexpected.push(`${call}: ${reply.status} ${JSON.stringify(reply.body)}`);
      if (reply && reply.status !== 503) return reply;
      if (!retries || performance.now() - begun > GIVE_UP_MS) return null;
      await pause(100);
    }
  };
  const placed = await insist(() => buyer.ask("placePurchase", { body }, { "Idempotency-Key": key }));
  if (!placed) return { key, begun, ended: ended(), outcome: "unknown" };
  if (placed.status !== 200) return { key, begun, ended: ended(), outcome: "soldOut" };
  const { _id: purchaseId, total } = placed.body as { _id: string; total: number };
  const known = { key, begun, ended: ended(), outcome: "placed", purchaseId } as const;
  const opened = await insist(() => buyer.ask("createPaymentIntent", { body: { total, purchaseId } }));
  if (opened?.status !== 200) return known;
  const secret = opened.body.clientSecret as string;
  const transactionId = secret.split("_secret")[0] as string;
  const confirmed = await insist(() => confirm(node, transactionId, secret));
  if (confirmed?.status !== 200) return known;
  const paid = await insist(() =>
    buyer.ask("confirmPayment", { params: { id: purchaseId }, body: { transactionId } }),
  );
  return { ...known, paid: paid?.status === 200 };
}

async function confirm({ url }: FleetNode, intent: string, secret: string) {
  const card = { number: "4242424242424242", exp_month: "12", exp_year: "2034", cvc: "123" };
  const body = new URLSearchParams({ client_secret: secret, "payment_method_data[type]": "card" });
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value);
  const response = await fetch(`${url}/sandbox/stripe/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    body,
  });
  const answer = (await response.json()) as { error?: { code?: string } };
  // an earlier attempt was committed, and its response was lost
  const hasSucceeded = answer.error?.code === "payment_intent_unexpected_state";
  return { status: hasSucceeded ? 200 : response.status, body: answer };
}

async function statusOf({ url }: FleetNode, path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

async function recordedPurchases({ address }: ReplicatedDatabase): Promise<RecordedPurchase[]> {
  const pool = new pg.Pool(connectTo(address));
  const { rows } = await pool.query<RecordedPurchase>(
    "SELECT id, address AS key, status <> 'unpaid' AS paid FROM shop.purchase",
  );
  await pool.end();
  return rows;
}

/** The output of the doctor. */
function examine({ address }: ReplicatedDatabase): Promise<string> {
  const doctor = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/doctor.ts"], {
    env: { PATH: process.env.PATH, DATABASE_URL: address, DATA_DIR: join(tmpdir(), "stator-doctor") },
  });
  let output = "";
  for (const stream of [doctor.stdout, doctor.stderr])
    stream.on("data", (bytes) => {
      output += bytes;
    });
  return new Promise((resolve) => doctor.once("close", () => resolve(output)));
}
