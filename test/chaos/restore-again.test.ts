/** A store that was restored to an earlier time, and is lost again before its next base backup. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockBackups } from "../../database/embedded/base-backup.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../../database/embedded/server.ts";
import { compileCache } from "../harness/compile-cache.ts";
import { findOtherUser } from "../harness/other-user.ts";

let folder: string;
let server: EmbeddedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stator-restore-"));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const backup = () => join(folder, "backup");

async function start(name: string): Promise<void> {
  server = await startEmbeddedServer(join(folder, name), () => undefined, { backupDir: backup() });
}

/** Runs a command of the operator; returns its status and what it printed. */
function run(script: string, name: string, ...args: string[]): Promise<[number, string]> {
  return runWith({}, script, name, ...args);
}

function runWith(
  variables: Record<string, string>,
  script: string,
  name: string,
  ...args: string[]
): Promise<[number, string]> {
  const folders = { DATA_DIR: join(folder, name), BACKUP_DIR: backup() };
  const env = { PATH: process.env.PATH, ...compileCache, ...folders, ...variables };
  const options = ["--disable-warning=ExperimentalWarning", `server/${script}.ts`, ...args];
  return new Promise((done) => {
    execFile(process.execPath, options, { env }, (error, stdout, stderr) =>
      done([Number(error?.code ?? 0), stdout + stderr]),
    );
  });
}

async function query<Row extends object>(...statements: string[]): Promise<Row[]> {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const write = (text: string) => query(`INSERT INTO note VALUES ('${text}')`);

const written = async () => (await query<{ text: string }>("SELECT text FROM note")).map(({ text }) => text);

async function clock(): Promise<string | undefined> {
  const [now] = await query<{ at: string }>(
    `SELECT to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
  );
  return now?.at;
}

const nextSegment = ["INSERT INTO note VALUES ('more')", "SELECT pg_switch_wal()"];

const backedUp = [0, expect.stringContaining("Backed up to")];
const restored = [0, expect.stringContaining("Restored to")];

test("a base backup that the restored store has left is not restored", async () => {
  await start("first");
  await query("CREATE TABLE note (text text)");
  // as at the top of a disk, where only root may read it
  const lostAndFound = join(folder, "first", "lost+found");
  await mkdir(lostAndFound, { mode: 0 });
  // as on a larger disk, which is not mounted yet
  const disk = join(folder, "disk");
  await symlink(disk, join(folder, "first", "pictures"));
  expect(await run("backup", "first")).toEqual([1, expect.stringMatching(/^ENOENT.*first\/pictures/)]);
  await mkdir(disk);
  await writeFile(join(disk, "drill.png"), "drill");
  expect(await run("backup", "first")).toEqual(backedUp);
  expect(await readdir(join(backup(), "files"))).not.toContain("lost+found");
  await rmdir(lostAndFound);
  await write("before");
  const now = await clock();
  await write("mistake");
  await query(...Array(10).fill(nextSegment).flat());
  expect(await run("backup", "first")).toEqual(backedUp);
  await server.stop();

  expect(await run("restore", "second", `--to-time=${now}`)).toEqual(restored);
  expect(await readFile(join(folder, "second", "pictures", "drill.png"), "utf8")).toBe("drill");
  await start("second");
  await write("after");
  await server.stop();

  expect(await run("restore", "third")).toEqual(restored);
  await start("third");
  expect(await written()).toEqual(["before", "after"]);
});

test("an interrupted restore is refused by a start, and replaced by the next", async () => {
  const data = join(folder, "seventh");
  const restoring = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "server/restore.ts", backup()],
    { env: { PATH: process.env.PATH, ...compileCache, DATA_DIR: data }, stdio: "ignore" },
  );
  const ended = once(restoring, "exit");
  await expect
    .poll(() => existsSync(join(data, "postgres", "base")), { interval: 5, timeout: 30_000 })
    .toBe(true);
  restoring.kill("SIGKILL");
  await ended;
  const alone = { BACKUP_DIR: "" };
  expect(await runWith(alone, "main", "seventh")).toEqual([
    1,
    `The restore to ${data} is running or was interrupted: let it end, or run it again (npm run restore).\n`,
  ]);
  const letter = join(data, "letter.txt");
  await writeFile(letter, "dear");
  const again = () => runWith(alone, "restore", "seventh", backup());
  expect(await again()).toEqual([1, expect.stringContaining("is not empty (letter.txt): move it away")]);
  await rm(letter);
  expect(await again()).toEqual(restored);
  expect(await again()).toEqual([1, expect.stringMatching(/is not empty/)]);
  const copy = await startEmbeddedServer(data, () => undefined);
  await copy.stop();
});

test("arguments that are not understood change nothing", async () => {
  const time = "2026-11-24T21:40:00Z";
  const twoFolders = [1, `Name one folder: ${time} is not understood.\n`];
  expect(await run("restore", "sixth", backup(), time)).toEqual(twoFolders);
  expect(await run("backup", "third", backup(), time)).toEqual(twoFolders);
  expect(await run("restore", "sixth", "--to-time=")).toEqual([
    1,
    expect.stringContaining("must be a time with its zone"),
  ]);
  // npm run restore /mnt/backup --to-time=…
  const taken = { npm_lifecycle_event: "restore", npm_config_to_time: time };
  expect(await runWith(taken, "restore", "sixth")).toEqual([
    1,
    "npm has taken --to-time for its own: write -- before it, as in npm run restore -- --to-time\n",
  ]);
  expect(await run("move-database", "third", "--help")).toEqual([
    1,
    expect.stringContaining("Unknown option '--help'"),
  ]);
  expect(await readdir(folder)).not.toContain("sixth");
});

test.runIf(process.platform === "linux")("a full disk is named", async () => {
  const name = "full";
  const [store, to] = [join(folder, name), join(folder, "full disk")];
  await (await startEmbeddedServer(store, () => undefined)).stop();
  await mkdir(join(to, "base"), { recursive: true });
  await symlink("/dev/full", join(to, "base", "unfinished"));
  const variables = { BACKUP_DIR: "" };
  expect(await runWith(variables, "backup", name, to)).toEqual([
    1,
    expect.stringMatching(/^The disk of the backup folder .*full disk is full: ENOSPC/),
  ]);
  expect(await readdir(join(to, "base"))).toEqual([]);
});

test("a file that cannot be backed up leaves no copy of it, which could fill the disk", async () => {
  const [store, to] = [join(folder, "copied"), join(folder, "copies")];
  await (await startEmbeddedServer(store, () => undefined)).stop();
  await writeFile(join(store, "secret"), "secret");
  await mkdir(join(to, "files", "secret"), { recursive: true });
  expect(await runWith({ BACKUP_DIR: "" }, "backup", "copied", to)).toEqual([
    1,
    expect.stringContaining("secret.new"),
  ]);
  expect((await readdir(join(to, "files"))).sort()).toEqual([".stator", "postgres.password", "secret"]);
});

test("a folder in which nothing can be made is refused in one line", async () => {
  expect(await runWith({ DATA_DIR: "/dev/null/data" }, "restore", "none")).toEqual([
    1,
    "The data folder /dev/null/data cannot be used: a file stands where a folder is needed. Name another folder (DATA_DIR).\n",
  ]);
});

const otherUser = findOtherUser();

test.runIf(otherUser)("a command run by another user says whose command it is", async () => {
  const data = join(folder, "third");
  const env = { PATH: process.env.PATH, DATA_DIR: data };
  for (const mode of [0o755, 0o700]) {
    await chmod(data, mode);
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "server/backup.ts", backup()],
      { env, encoding: "utf8", ...otherUser },
    );
    const message = `The data folder ${data} cannot be read: run this command as the user of the store, or set DATA_DIR to another folder.\n`;
    expect([mode, status, stderr]).toEqual([mode, 1, message]);
  }
});

test("--keep keeps the WAL of every base backup that it keeps", async () => {
  expect(await run("backup", "third")).toEqual(backedUp);
  const bases = await readdir(join(backup(), "base"));
  const firstSegment = /-([0-9A-F]{24})\.tar\.gz$/.exec(bases.sort().at(-1) ?? "")?.[1];
  await query(...nextSegment);
  const archived = async () => (await readdir(join(backup(), "wal"))).includes(`${firstSegment}.gz`);
  await expect.poll(archived, { timeout: 10_000 }).toBe(true);
  // the second was left, further on in the WAL
  expect(await run("backup", "third", "--keep=3")).toEqual(backedUp);
  expect((await readdir(join(backup(), "base"))).length).toBe(3);
  expect(await archived()).toBe(true);
});

test("one backup runs at a time", async () => {
  const client = new pg.Client(server.connection);
  await client.connect();
  await lockBackups(client);
  expect(await run("backup", "third")).toEqual([1, "Another backup of this database is running.\n"]);
  await client.end();
});

test("a backup whose disk has gone is not written to its mount point", async () => {
  await rename(backup(), `${backup()}-elsewhere`);
  await mkdir(backup());
  expect(await run("backup", "third")).toEqual([1, expect.stringContaining("mount its disk, or remove")]);
  expect(await readdir(backup())).toEqual([]);
  await rmdir(backup());
  await rename(`${backup()}-elsewhere`, backup());
});

test("a base backup that was running at the time of the restore is not restored", async () => {
  const backingUp = run("backup", "third");
  const isCopying = async () =>
    (await query("SELECT FROM pg_stat_progress_basebackup WHERE phase = 'streaming database files'")).length;
  await expect.poll(isCopying, { interval: 10, timeout: 20_000 }).toBe(1);
  // by a connection that lasts until the base backup has its name, after more files are copied
  const [lock] = await query(
    `SELECT backend_type AS "heldBy" FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'`,
  );
  expect(lock).toEqual({ heldBy: "client backend" });
  const now = await clock();
  await write("mistake");
  expect(await backingUp).toEqual(backedUp);
  await server.stop();

  expect(await run("restore", "fourth", `--to-time=${now}`)).toEqual(restored);
  await start("fourth");
  await write("after a second");
  await server.stop();

  expect(await run("restore", "fifth")).toEqual(restored);
  await start("fifth");
  expect(await written()).not.toContain("mistake");
  expect(await written()).toContain("after a second");
});
