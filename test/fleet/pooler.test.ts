/** Two nodes behind PgBouncer in transaction mode. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { openDatabaseServer } from "../../server/database.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { type Mailbox, startMailbox } from "../harness/mailbox.ts";
import { addProduct, editProduct, payFor, placeFor } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { logIn, register, type SignedIn } from "../harness/users.ts";
import { NO_FAULTS, runDoctor } from "./doctor.ts";
import { admin, type FleetNode, startNode, urlOf } from "./node.ts";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "./pgbouncer.ts";

if (!hasPgBouncer) console.warn("Not tested with PgBouncer: install pgbouncer.");

describe.skipIf(!hasPgBouncer)("through PgBouncer in transaction mode", () => {
  let database: FreshDatabase;
  let pooler: PgBouncer;
  let mailbox: Mailbox;
  let nodes: FleetNode[];
  let variables: { DATABASE_URL: string; DATABASE_DIRECT_URL: string };
  beforeAll(async () => {
    database = await freshDatabase({ migrated: false });
    [pooler, mailbox] = [await startPgBouncer(database.connection, 6), await startMailbox()];
    variables = {
      DATABASE_URL: pooler.transactions,
      DATABASE_DIRECT_URL: urlOf(database.connection),
    };
    nodes = await Promise.all(
      [1, 2].map(() => startNode(database.connection, { ...variables, SMTP_URL: mailbox.url })),
    );
  }, 240_000);
  afterAll(async () => {
    for (const node of nodes ?? []) await node.remove();
    await pooler?.stop();
    await mailbox?.stop();
    await database?.drop();
  });
  const stores = () => nodes as unknown as [TestStore, TestStore];
  const open = (urls: Record<string, string>) =>
    openDatabaseServer(readConfig({ DATA_DIR: "/tmp/stator-pooler", ...urls }), () => undefined);

  test("both nodes sell, are paid and send each email once", async () => {
    const product = await addProduct(await logIn(stores()[0], admin));
    const buyers = await Promise.all(
      ["Ada", "Ben", "Cleo", "Dan"].map((name, index) => register(stores()[index % 2] as TestStore, name)),
    );
    await Promise.all(
      buyers.flatMap((buyer, index) =>
        [1, 2, 3, 4].map(async () => {
          const purchase = await placeFor(buyer, product);
          await payFor(stores()[index % 2] as TestStore, buyer, purchase);
        }),
      ),
    );
    const elsewhere: SignedIn = await logIn(stores()[1], buyers[0] as SignedIn);
    const paid = await elsewhere.call("listPurchasesOf", { params: { email: elsewhere.email } });
    expect(paid.map(({ status }) => status)).toEqual(["paid", "paid", "paid", "paid"]);
    const unsent = async () =>
      (await database.pool.query("SELECT FROM graphile_worker._private_jobs")).rowCount;
    await expect.poll(unsent, { timeout: 20_000 }).toBe(0);
    const emails = mailbox.received.filter(({ to }) => buyers.some(({ email }) => to.includes(email)));
    // for an account, for each order and for each payment
    expect(emails.length).toBeGreaterThanOrEqual(buyers.length * (1 + 4 + 4));
    const ids = mailbox.received.map(({ source }) => /^Message-ID: .*/im.exec(source)?.[0]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a change at one node is seen at the other", async () => {
    const owner = await logIn(stores()[0], admin);
    const product = await addProduct(owner, { name: "Angle grinder AG 7" });
    const list = async () => (await fetch(`${nodes[1]?.url}/products`)).text();
    await expect.poll(list).toContain("Angle grinder AG 7");
    await editProduct(owner, product, { price: 77.25 });
    await expect.poll(list).toContain("77.25");
  });

  test("LISTEN and the locks of the workers are in sessions of their own, past the pooler", async () => {
    const { rows } = await database.pool.query<{ name: string; query: string; locks: number }>(
      `SELECT split_part(application_name, ' ', 2) AS name, query, (SELECT count(*)::int FROM pg_locks
         WHERE pg_locks.pid = activity.pid AND locktype = 'advisory') AS locks
       FROM pg_stat_activity AS activity
       WHERE datname = current_database() AND application_name LIKE 'stator %'`,
    );
    const listening = rows.filter(({ query }) => query.startsWith("LISTEN"));
    expect(listening.map(({ name }) => name)).toEqual(["changes", "changes"]);
    const locking = rows.filter(({ locks }) => locks > 0);
    expect(locking.map(({ name, locks }) => [name, locks])).toEqual([
      ["direct", 1],
      ["direct", 1],
    ]);
    const pooled = rows.filter(({ name }) => !["changes", "direct"].includes(name));
    expect(pooled.length).toBeLessThanOrEqual(6);
  });

  test("statements have the time limit of the pooler", async () => {
    const client = new pg.Client(pooler.transactions);
    await client.connect();
    expect((await client.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "15s" }]);
    await client.end();
  });

  test("the doctor finds nothing", async () => {
    expect(await runDoctor(variables)).toEqual([0, expect.stringMatching(NO_FAULTS)]);
  });

  test("without a URL past it, the start is refused", async () => {
    await expect(open({ DATABASE_URL: pooler.transactions })).rejects.toThrow(
      "DATABASE_URL: the database cannot be used: it is behind a pooler in transaction mode. Set DATABASE_DIRECT_URL.",
    );
    await expect(open({ ...variables, DATABASE_DIRECT_URL: pooler.transactions })).rejects.toThrow(
      "DATABASE_DIRECT_URL: the database cannot be used: it is behind a pooler in transaction mode. Name PostgreSQL itself.",
    );
  });

  test("the URL past it must lead to the same database", async () => {
    const other = await freshDatabase();
    const DATABASE_DIRECT_URL = urlOf(other.connection);
    await expect(open({ ...variables, DATABASE_DIRECT_URL })).rejects.toThrow(
      "DATABASE_DIRECT_URL: this is not the database of DATABASE_URL.",
    );
    await other.drop();
  });

  test("in session mode it must allow our parameter", async () => {
    await expect(open({ DATABASE_URL: pooler.sessions })).rejects.toThrow(
      "DATABASE_URL: the database cannot be used: unsupported startup parameter: statement_timeout",
    );
  });
});

test("a URL past a pooler needs that of the pooler", () => {
  expect(() => readConfig({ DATABASE_DIRECT_URL: "postgres://stator@db.example/stator" })).toThrow(
    /^DATABASE_DIRECT_URL bypasses the pooler of DATABASE_URL, which is missing/,
  );
});
