/** The settings of docs/operating.md that archive the WAL of an operator's own PostgreSQL and restore it to a time. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { changeOwner } from "../../database/embedded/account.ts";
import { takeBaseBackup } from "../../database/embedded/base-backup.ts";
import { DATABASE_NAME, prepareCluster } from "../../database/embedded/cluster.ts";
import type { ClusterLocation } from "../../database/embedded/location.ts";
import { launch, PORT } from "../../database/embedded/process.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { logIn, register } from "../harness/users.ts";
import { startBatchingProxy } from "./batching-proxy.ts";
import { locationIn } from "./cluster-location.ts";
import { NO_FAULTS, runDoctor } from "./doctor.ts";
import { admin, startNode, urlOf } from "./node.ts";

const manual = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
const [, chapter = ""] = manual.split("### Your own PostgreSQL");

/** The block of settings that begins with one of this name. */
function settingsOf(name: string, archive: string): string {
  const block = new RegExp(`^\`\`\`\\n(${name} = [^\`]+)\`\`\``, "m").exec(chapter)?.[1] ?? "";
  expect(block).toContain("/mnt/backup/wal");
  return block.replaceAll("/mnt/backup/wal", archive);
}

async function newLocation(): Promise<ClusterLocation> {
  const home = await mkdtemp(join(tmpdir(), "stator-own-postgres-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return locationIn(home);
}

async function open(location: ClusterLocation, password: string) {
  const server = launch(location);
  onTestFinished(async () => void (await server.stop()));
  const connection = {
    host: location.socket,
    port: PORT,
    user: DATABASE_NAME,
    password,
    database: DATABASE_NAME,
  };
  const query = async (text: string) => {
    const client = new pg.Client(connection);
    client.on("error", () => undefined); // the query reports it
    await client.connect();
    return (await client.query(text).finally(() => client.end())).rows;
  };
  const isOpen = () =>
    query("SELECT pg_is_in_recovery() AS waits").then(
      ([row]) => !row.waits,
      () => false,
    );
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true);
  return { connection, query, stop: server.stop };
}

test("a base backup and the archived WAL are restored to a time", { timeout: 180_000 }, async () => {
  const [lost, saved] = [await newLocation(), await newLocation()];
  const archive = join(saved.socket, "wal");
  mkdirSync(archive);
  changeOwner(lost.account, archive);
  const password = await prepareCluster(lost);
  appendFileSync(join(lost.cluster, "postgresql.auto.conf"), settingsOf("archive_mode", archive));
  const primary = await open(lost, password);
  const node = await startNode(primary.connection);
  onTestFinished(node.remove);
  const store = node as unknown as TestStore;
  const seller = await logIn(store, admin);
  const product = await addProduct(seller);
  const buyer = await register(store, "Ada Buyer");
  const buy = async () => {
    const purchase = await placeFor(buyer, product);
    await payFor(store, buyer, purchase);
    return purchase._id;
  };
  const expectedIds = [await buy()];
  const backup = join(saved.socket, "base.tar.gz");
  // what pg_basebackup does, which the package of PostgreSQL does not include
  const proxy = await startBatchingProxy(join(lost.socket, `.s.PGSQL.${PORT}`));
  const backupDone = takeBaseBackup({ ...primary.connection, host: "127.0.0.1", port: proxy.port }, backup);
  const isStreaming = async () =>
    (await primary.query("SELECT FROM pg_stat_progress_basebackup WHERE backup_streamed > 0")).length > 0;
  await expect.poll(isStreaming, { interval: 5 }).toBe(true);
  const release = proxy.hold();
  await addProduct(seller, { name: "Added during the backup" });
  expect(await isStreaming()).toBe(true);
  release();
  await backupDone;
  expectedIds.push(await buy());
  const [{ time }] = await primary.query("SELECT clock_timestamp()::text AS time");
  await buy();
  await node.stop();
  const [{ segment }] = await primary.query("SELECT pg_walfile_name(pg_switch_wal()) AS segment");
  const archived = async () =>
    (await primary.query("SELECT last_archived_wal AS name FROM pg_stat_archiver"))[0];
  await expect.poll(archived, { timeout: 30_000 }).toEqual({ name: segment });
  await primary.stop();
  await rm(lost.folder, { recursive: true });

  const restoredLocation = await newLocation();
  const { account, cluster } = restoredLocation;
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  execFileSync("tar", ["-xzof", backup, "-C", cluster]);
  await writeFile(join(cluster, "recovery.signal"), "");
  const recovery = settingsOf("restore_command", archive).replace(/(?<=target_time = ').*(?=')/, time);
  expect(recovery).toContain(time);
  appendFileSync(join(cluster, "postgresql.auto.conf"), recovery);
  changeOwner(account, cluster);
  const restored = await open(restoredLocation, password);
  const bought = await restored.query("SELECT id FROM shop.purchase WHERE status = 'paid' ORDER BY id");
  expect(bought.map(({ id }) => id)).toEqual(expectedIds.toSorted());
  const outcome = await runDoctor({ DATABASE_URL: urlOf(restored.connection) });
  expect(outcome).toEqual([0, expect.stringMatching(NO_FAULTS)]);
});
