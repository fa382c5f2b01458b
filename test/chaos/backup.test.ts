/**
 * A store is backed up while it sells, and lost. It is restored to a point in time from a copy of the backup, in another
 * folder and by another user, and moved from there to a database of its own. What was acknowledged before that time is
 * there, and nothing that came later.
 */
import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { urlOf } from "../fleet/node.ts";
import { compileCache } from "../harness/compile-cache.ts";
import { freshDatabase } from "../harness/database.ts";
import { addProduct, editProduct } from "../harness/orders.ts";
import { findOtherUser } from "../harness/other-user.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn } from "../harness/users.ts";
import { type Load, startLoad } from "./buyers.ts";
import { type Account, createStoreProcess, type StoreProcess } from "./store-process.ts";

interface Row {
  id: string;
  status: string;
}

const MORE = 3;

let folder: string;
let victim: StoreProcess;
let buyers: SignedIn[];
let picture: string;
/** a time between two purchases, and those that were paid before it */
let time: string;
let soldBefore: string[];

const backup = () => join(folder, "backup");
const copied = () => join(folder, "another machine", "copied");
const restored = () => join(folder, "another machine", "restored");

const otherAccount: Account = findOtherUser() ?? {};

/** Makes `account` the owner of the restored store and its backup. */
function changeOwner({ uid, gid }: Account): void {
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, dirname(copied())]);
}

/** Runs a command of the operator on a data folder; returns its status and what it printed. */
function run(
  script: string,
  args: string[],
  variables: Record<string, string>,
  account: Account = {},
): Promise<[number, string]> {
  const cache = account.uid === undefined && compileCache; // another user may not read it
  const env = { PATH: process.env.PATH, ...cache, ...variables };
  const options = ["--disable-warning=ExperimentalWarning", `server/${script}.ts`, ...args];
  return new Promise((done) => {
    execFile(process.execPath, options, { env, ...account }, (error, stdout, stderr) =>
      done([Number(error?.code ?? 0), stdout + stderr]),
    );
  });
}

/** All purchases with their status. */
async function purchasesIn(connection: pg.ClientConfig): Promise<Map<string, string>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<Row>("SELECT id, status FROM shop.purchase ORDER BY id");
    return new Map(rows.map(({ id, status }) => [id, status]));
  } finally {
    await client.end();
  }
}

async function waitForMoreSales({ acknowledged }: Load): Promise<void> {
  const enough = acknowledged.paid.length + MORE;
  await expect.poll(() => acknowledged.paid.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(enough);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stator-backup-"));
  victim = await createStoreProcess(1, { BACKUP_DIR: backup() });
  await victim.start();
});
afterAll(async () => {
  await victim?.remove();
  await rm(folder, { recursive: true, force: true });
});

test("a backup that loses its connections prints why, and leaves no partial file", async () => {
  const client = await victim.connect();
  const [result] = await Promise.all([
    run("backup", [], { DATA_DIR: victim.dataDir, BACKUP_DIR: backup() }),
    expect
      .poll(
        async () => {
          const { rowCount } = await client.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = '' AND pid <> pg_backend_pid()
               AND backend_type IN ('client backend', 'walsender')
               AND EXISTS (SELECT FROM pg_stat_progress_basebackup WHERE backup_streamed > 0)`,
          );
          return rowCount;
        },
        { interval: 5, timeout: 30_000 },
      )
      .toBeGreaterThan(0),
  ]);
  await client.end();
  expect(result).toEqual([1, "terminating connection due to administrator command\n"]);
  expect(await readdir(join(backup(), "base"))).toEqual([]);
});

test("a base backup is taken while the store sells", async () => {
  const store = victim as unknown as TestStore;
  const admin = await adminOf(store);
  buyers = await Promise.all(["Ada", "Ben", "Cleo"].map((name) => register(store, name)));
  const product = await addProduct(admin, { quantity: 1_000_000, minimum_order: 1 });
  const load = startLoad(victim, buyers, product._id);
  await waitForMoreSales(load);
  expect(await run("backup", ["--keep=1"], { DATA_DIR: victim.dataDir, BACKUP_DIR: backup() })).toEqual([
    0,
    expect.stringContaining("Backed up to"),
  ]);
  await waitForMoreSales(load);
  const content = await sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const added = await admin.send("addPicture", { body: { file: { name: "drill.png", content } } });
  picture = added.body.url;
  await editProduct(admin, await admin.call("findProduct", { params: { id: product._id } }), { picture });
  await load.stop();
  expect(load.acknowledged.bad).toEqual([]);
  soldBefore = load.acknowledged.paid;
  const [now] = await victim.query<{ at: string }>(
    `SELECT to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
  );
  time = now?.at ?? "";
  const later = startLoad(victim, buyers, product._id);
  await waitForMoreSales(later);
  await later.stop();
  await victim.stop();
});

test("the store and its folders are lost, a copy of the backup belongs to another user", async () => {
  await victim.remove();
  await mkdir(restored(), { recursive: true });
  await rename(backup(), copied());
  await chmod(folder, 0o755);
  changeOwner(otherAccount);
  expect(await readdir(folder)).toEqual(["another machine"]);
});

test("a restore to a time has all that was acknowledged before it, and nothing later", async () => {
  const DATA_DIR = restored();
  const restore = (...args: string[]) => run("restore", [copied(), ...args], { DATA_DIR }, otherAccount);
  expect(await restore("--to-time=2099-01-01T00:00:00Z")).toEqual([
    1,
    expect.stringContaining("recovery ended before configured recovery target was reached"),
  ]);
  expect(await readdir(DATA_DIR)).toEqual([]);
  expect(await restore(`--to-time=${time}`)).toEqual([
    0,
    expect.stringContaining(`Restored to ${DATA_DIR}, up to the transaction of `),
  ]);
  const files = await readdir(join(DATA_DIR, "pictures"), { recursive: true });
  expect(files.map((file) => basename(file))).toContain(basename(picture));
  expect(await restore()).toEqual([1, expect.stringMatching(/^.+ is not empty \(\S+\): move it away/)]);

  const store = await createStoreProcess(1, { DATA_DIR }, otherAccount);
  try {
    await store.start();
    expect(await run("doctor", [], { DATA_DIR }, otherAccount)).toEqual([
      0,
      expect.stringMatching(/^All \d+ checks passed/),
    ]);
    const rows = await store.query<Row>("SELECT id, status FROM shop.purchase");
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual(new Map(soldBefore.map((id) => [id, "paid"])));
    expect((await fetch(store.url + picture)).status).toBe(200);
    const buyer = await logIn(store, buyers[0] as SignedIn);
    const orders = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    expect(orders.length).toBeGreaterThan(0);
  } finally {
    await store.stop();
  }
});

test("the database is moved to one of its own, by a role that owns nothing else", async () => {
  if (otherAccount.uid) changeOwner({ uid: 0, gid: 0 });
  const database = await freshDatabase({ migrated: false });
  const role = `owner_of_${database.connection.database}`;
  await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  await database.pool.query(`ALTER DATABASE ${database.connection.database} OWNER TO ${role}`);
  const connection = { ...database.connection, user: role, password: "secret" };
  const DATABASE_URL = urlOf(connection);
  const move = () => run("move-database", [], { DATA_DIR: restored(), DATABASE_URL });
  try {
    await database.pool.query("CREATE TABLE public.note ()");
    expect(await move()).toEqual([1, "DATABASE_URL: the database is not empty: it has note.\n"]);
    await database.pool.query("DROP TABLE public.note");
    const pictures = join(restored(), "pictures");
    const files = await readdir(pictures, { recursive: true });
    const file = join(pictures, files.find((path) => basename(path) === basename(picture)) ?? "");
    await rename(file, `${file}.kept`);
    await mkdir(file);
    // after all rows; what was copied is gone with it
    expect(await move()).toEqual([1, expect.stringContaining("EISDIR")]);
    await rmdir(file);
    await rename(`${file}.kept`, file);
    expect(await move()).toEqual([
      0,
      expect.stringMatching(/^Copied \d+ rows of \d+ tables.*\nAll \d+ checks passed/s),
    ]);
    expect(await move()).toEqual([
      1,
      "DATABASE_URL: the database is not empty: it has a store; if a move has copied this one to it, check it with npm run doctor and start it.\n",
    ]);
    const [buyer] = buyers as [SignedIn];
    const store = await openStore({
      database: { ...database, connection },
      environment: { DATABASE_URL },
    });
    try {
      const orders = await (await logIn(store, buyer)).call("listPurchasesOf", {
        params: { email: buyer.email },
      });
      expect(orders.length).toBeGreaterThan(0);
      expect((await fetch(store.url + picture)).status).toBe(200);
      expect(await purchasesIn(connection)).toEqual(new Map(soldBefore.map((id) => [id, "paid"])));
    } finally {
      await store.stop();
    }
  } finally {
    await database.drop();
    const client = new pg.Client(inject("postgres"));
    await client.connect();
    await client.query(`DROP ROLE ${role}`);
    await client.end();
  }
});
