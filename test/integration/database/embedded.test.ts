import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { namedCause } from "../../../database/embedded/cluster.ts";
import { folderHash } from "../../../database/embedded/folder.ts";
import {
  DataFolderProblem,
  type EmbeddedServer,
  startEmbeddedServer,
} from "../../../database/embedded/server.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanups.splice(0).reverse()) await step();
});

/** A store's folder after its first start, to be copied: initdb is slow. */
const initialFolder = mkdtempSync(join(tmpdir(), "stator-test-"));
beforeAll(async () => {
  vi.setConfig({ testTimeout: 60_000 });
  await (await startEmbeddedServer(initialFolder, () => undefined)).stop();
});
afterAll(() => rmSync(initialFolder, { recursive: true }));

function copyOfFolder(): string {
  const folder = newFolder();
  cpSync(initialFolder, folder, { recursive: true });
  return folder;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stator-test-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(folder: string, log: (line: string) => void = () => undefined): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer(folder, log);
  cleanups.push(() => server.stop());
  return server;
}

async function refusal(folder: string, backupDir?: string): Promise<string> {
  const error = await startEmbeddedServer(folder, () => undefined, { backupDir }).then(
    (server) => server.stop(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DataFolderProblem);
  const { message } = error as DataFolderProblem;
  expect(message).toContain(backupDir ?? folder);
  expect(message).not.toContain("\n");
  return message;
}

async function query(server: Pick<EmbeddedServer, "connection">, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows.flat();
  } finally {
    await client.end();
  }
}

function postmaster(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8"), 10);
}

/** How many processes have this folder in their command line: PostgreSQL, its keeper, a store. */
function processesOn(folder: string): number {
  const list = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8", maxBuffer: 1e8 });
  return list.split("\n").filter((line) => line.includes(folder) && !line.startsWith("Z")).length;
}

async function until(what: () => unknown, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (
    !(await Promise.resolve()
      .then(what)
      .catch(() => false))
  ) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await pause(20);
  }
}

/** A process that starts the server and then waits; resolves when it is ready. */
async function startInChild(
  folder: string,
): Promise<{ store: ChildProcess; connection: EmbeddedServer["connection"] }> {
  const module = new URL("../../../database/embedded/server.ts", import.meta.url).href;
  const code = `import { startEmbeddedServer } from "${module}";
    const { connection } = await startEmbeddedServer(${JSON.stringify(folder)}, () => undefined);
    console.log(JSON.stringify(connection));`;
  const store = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanups.push(async () => {
    store.kill("SIGKILL");
    // PostgreSQL ends a moment later, and writes into the folder until then
    await until(() => processesOn(folder) === 0);
  });
  const line = await new Promise<string>((done, fail) => {
    store.stdout?.once("data", (bytes) => done(String(bytes)));
    store.once("exit", (status) => fail(new Error(`the store ended with ${status}`)));
  });
  return { store, connection: JSON.parse(line) };
}

test("the first start creates a private database, the second finds the data, and none leaves a process", async () => {
  const folder = join(newFolder(), "data");
  const first = await start(folder);
  await query(first, "create table kept as select unnest(array['Ä', 'b', 'a', 'Z']) as word");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "postgres.password")).mode & 0o777).toBe(0o600);
  expect(
    await query(first, "select current_setting('listen_addresses') || current_setting('fsync')"),
  ).toEqual(["on"]);
  await first.stop();
  expect(processesOn(folder)).toBe(0);

  const second = await start(folder);
  expect(second.connection).toEqual(first.connection);
  expect(await query(second, "select word from kept order by word")).toEqual(["Z", "a", "b", "Ä"]);
  await second.stop();
  expect(processesOn(folder)).toBe(0);
});

test("a wrong password is refused", async () => {
  const { connection } = await start(copyOfFolder());
  await expect(query({ connection: { ...connection, password: "guess" } }, "select 1")).rejects.toThrow(
    /password/,
  );
});

test("PostgreSQL killed alone is restarted with all committed data, on the same socket", async () => {
  const folder = copyOfFolder();
  const lines: string[] = [];
  const server = await start(folder, (line) => lines.push(line));
  await query(server, "create table kept as select 42 as number");
  for (let round = 0; round < 3; round += 1) {
    const victim = postmaster(folder);
    process.kill(victim, "SIGKILL");
    await until(
      async () => postmaster(folder) !== victim && (await query(server, "select number from kept"))[0] === 42,
    );
    // otherwise the next kill may come before this one has ended
    await until(() => lines.filter((line) => line === "PostgreSQL is back").length === round + 1);
  }
  expect(lines.filter((line) => line.includes("it was killed"))).toHaveLength(3);
});

test("PostgreSQL that cannot be restarted is tried until it can, and its reason is printed once", async () => {
  const folder = copyOfFolder();
  const lines: string[] = [];
  await start(folder, (line) => lines.push(line));
  const control = join(folder, "postgres", "PG_VERSION");
  renameSync(control, `${control}.away`);
  process.kill(postmaster(folder), "SIGKILL");
  const tries = () =>
    readFileSync(join(folder, "postgres.log"), "utf8").split("is not a valid data directory").length - 1;
  await until(() => tries() > 2);
  renameSync(`${control}.away`, control);
  await until(() => lines.at(-1) === "PostgreSQL is back");
  expect(lines).toEqual([
    "PostgreSQL has ended by itself (it was killed); restarting it",
    expect.stringMatching(/^PostgreSQL does not start \(.*is not a valid data directory\); trying again$/),
    "PostgreSQL is back",
  ]);
});

test("PostgreSQL whose keeper is killed does not run twice and still ends with the store", async () => {
  const folder = copyOfFolder();
  const server = await start(folder);
  const victim = postmaster(folder);
  const keeper = Number(execFileSync("ps", ["-o", "ppid=", "-p", String(victim)], { encoding: "utf8" }));
  process.kill(keeper, "SIGKILL");
  await until(async () => postmaster(folder) !== victim && (await query(server, "select 1"))[0] === 1);
  await server.stop();
  await until(() => processesOn(folder) === 0);
});

test("a killed store leaves no PostgreSQL, and the next start has all data", async () => {
  const folder = copyOfFolder();
  const { store, connection } = await startInChild(folder);
  await query({ connection }, "create table kept as select 7 as number");
  store.kill("SIGKILL");
  await until(() => processesOn(folder) === 0);
  expect(await query(await start(folder), "select number from kept")).toEqual([7]);
});

test("a start right after the store was killed takes over", async () => {
  const folder = copyOfFolder();
  const { store, connection } = await startInChild(folder);
  await query({ connection }, "create table kept as select 7 as number");
  store.kill("SIGKILL");
  expect(await query(await start(folder), "select number from kept")).toEqual([7]);
});

test("after store and PostgreSQL were both killed the next start has all data", async () => {
  const folder = copyOfFolder();
  const { store, connection } = await startInChild(folder);
  await query({ connection }, "create table kept as select 7 as number");
  store.kill("SIGKILL");
  process.kill(postmaster(folder), "SIGKILL");
  expect(await query(await start(folder), "select number from kept")).toEqual([7]);
});

test("a stale postmaster.pid whose process id was reused does not block", async () => {
  const folder = copyOfFolder();
  writeFileSync(join(folder, "postgres", "postmaster.pid"), `${process.pid}\n${folder}/postgres\n`);
  expect(await query(await start(folder), "select 1")).toEqual([1]);
});

test("a second store on the same folder is refused and the first continues", async () => {
  const folder = copyOfFolder();
  const { connection } = await startInChild(folder);
  expect(await refusal(folder)).toMatch(/in use by a running store \(process \d+\)/);
  expect(await query({ connection }, "select 1")).toEqual([1]);
});

test("two stores from two folders run at once", async () => {
  const [one, two] = await Promise.all([start(copyOfFolder()), start(copyOfFolder())]);
  await query(one, "create table only_here (x int)");
  expect(await query(two, "select to_regclass('only_here')")).toEqual([null]);
});

test("a folder whose path is too long for a socket, with special characters, works and is locked too", async () => {
  const folder = join(newFolder(), "a, \"b\" 'c' $d ä", "long".repeat(40));
  const server = await start(folder);
  expect(await query(server, "select 1")).toEqual([1]);
  await refusal(folder);
});

test("a backup folder that has lost its backup is refused, since its disk may not be mounted", async () => {
  const folder = copyOfFolder();
  const backup = newFolder();
  await (await startEmbeddedServer(folder, () => undefined, { backupDir: backup })).stop();
  await (await startEmbeddedServer(folder, () => undefined, { backupDir: backup })).stop();
  renameSync(backup, `${backup}-elsewhere`);
  mkdirSync(backup);
  expect(await refusal(folder, backup)).toMatch(
    /does not have the backup of this store any more: mount its disk/,
  );
  expect(readdirSync(backup)).toEqual([]);
  rmSync(backup, { recursive: true });
  renameSync(`${backup}-elsewhere`, backup);
  const moved = newFolder();
  await (await startEmbeddedServer(folder, () => undefined, { backupDir: moved })).stop();
});

test("a folder with other files is refused and untouched", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "letter.txt"), "dear");
  expect(await refusal(folder)).toContain("letter.txt");
  expect(readdirSync(folder)).toEqual(["letter.txt"]);
});

test("a postgres folder that is something else, or incomplete, is refused and untouched", async () => {
  const folder = copyOfFolder();
  const cluster = join(folder, "postgres");
  rmSync(join(cluster, "global", "pg_control"));
  expect(await refusal(folder)).toContain(
    "not a complete PostgreSQL database (global/pg_control is missing)",
  );
  expect(existsSync(join(cluster, "base"))).toBe(true);

  rmSync(cluster, { recursive: true });
  mkdirSync(cluster);
  writeFileSync(join(cluster, "letter.txt"), "dear");
  expect(await refusal(folder)).toContain("not a complete PostgreSQL database");
  expect(readFileSync(join(cluster, "letter.txt"), "utf8")).toBe("dear");
});

test("data of another PostgreSQL version is refused and untouched", async () => {
  const folder = copyOfFolder();
  writeFileSync(join(folder, "postgres", "PG_VERSION"), "17\n");
  expect(await refusal(folder)).toContain("written by PostgreSQL 17");
  writeFileSync(join(folder, "postgres", "PG_VERSION"), "18\n");
  expect(await query(await start(folder), "select 1")).toEqual([1]);
});

test("damaged data is refused with PostgreSQL's own message", async () => {
  const folder = copyOfFolder();
  writeFileSync(join(folder, "postgres", "global", "pg_control"), "nonsense");
  expect(await refusal(folder)).toMatch(/PostgreSQL does not start on .*pg_control/);
});

test("a database that cannot be created on a full disk names that reason", () => {
  const output = `
2026-11-27 18:47:23.666 UTC [306] FATAL:  could not extend file "base/1/2691": No space left on device
2026-11-27 18:47:23.666 UTC [306] HINT:  Check free disk space.
2026-11-27 18:47:23.666 UTC [306] PANIC:  cannot abort transaction 1, it was already committed`;
  expect(namedCause(output)).toBe('could not extend file "base/1/2691": No space left on device');
  const partly = 'FATAL:  could not extend file "base/1/2610_fsm": wrote only 4096 of 8192 bytes at block 2';
  expect(namedCause(partly)).toMatch(/block 2: No space left on device$/);
});

test("a file instead of the folder is refused", async () => {
  const file = join(newFolder(), "data");
  writeFileSync(file, "dear");
  expect(await refusal(file)).toContain(
    "a file stands where a folder is needed. Name another folder (DATA_DIR).",
  );
});

test.runIf(process.platform === "linux")("a folder below /proc is refused", async () => {
  expect(await refusal("/proc/stator/data")).toMatch(/cannot be used: it cannot be made there.*DATA_DIR/);
});

test("a log that was removed while PostgreSQL runs does not prevent its stop", async () => {
  const folder = copyOfFolder();
  const server = await start(folder);
  rmSync(join(folder, "postgres.log"));
  await server.stop();
  expect(processesOn(folder)).toBe(0);
});

test("a backup folder that cannot be used is refused", async () => {
  const backup = newFolder();
  writeFileSync(join(backup, "wal"), "dear");
  expect(await refusal(copyOfFolder(), backup)).toContain(
    "a file stands where a folder is needed. Name another",
  );
  expect(await refusal(copyOfFolder(), join(backup, "wal", "below"))).toContain("(BACKUP_DIR)");
  mkdirSync(join(backup, "of another user", "system-identifier"), { recursive: true });
  expect(await refusal(copyOfFolder(), join(backup, "of another user"))).toMatch(
    /cannot be used: EISDIR.*as the user of the store/,
  );
  symlinkSync(join(backup, "disk"), join(backup, "not mounted"));
  expect(await refusal(copyOfFolder(), join(backup, "not mounted", "backup"))).toContain(
    "it cannot be made there",
  );
});

// as in a container, or in a private home: possible only as root
describe.runIf(process.getuid?.() === 0)(
  "without a user that can reach the folder, and without user namespaces",
  () => {
    function privateFolder(): { folder: string; data: string } {
      const folder = join(newFolder(), "data");
      mkdirSync(folder);
      const { PATH } = process.env;
      const commands = newFolder();
      writeFileSync(join(commands, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      process.env.PATH = `${commands}:${PATH}`;
      cleanups.push(() => {
        process.env.PATH = PATH;
      });
      const data = join("/var/lib", `stator-${folderHash(folder)}`);
      cleanups.push(() => rmSync(data, { recursive: true, force: true }));
      return { folder, data };
    }

    test("the data is kept elsewhere, and a backup of both is restored when they are lost", async () => {
      const { folder, data } = privateFolder();
      const first = await start(folder);
      await query(first, "create table kept as select 'word' as word");
      await first.stop();
      expect(readlinkSync(join(folder, "postgres"))).toBe(join(data, "postgres"));

      const backup = join(newFolder(), "backup.tar.gz");
      execFileSync("tar", ["-czhf", backup, "-C", dirname(folder), "data"]);
      rmSync(folder, { recursive: true });
      rmSync(data, { recursive: true });
      execFileSync("tar", ["-xzf", backup, "-C", dirname(folder)]);

      const lines: string[] = [];
      const second = await start(folder, (line) => lines.push(line));
      expect(await query(second, "select word from kept")).toEqual(["word"]);
      expect(lines.join()).toContain(`its data is kept in ${join(data, "postgres")}`);
    });

    test("an older backup replaces the current data, which is kept under another name", async () => {
      const { folder, data } = privateFolder();
      const first = await start(folder);
      await query(first, "create table kept as select 'before' as word");
      await first.stop();
      const backup = newFolder();
      cpSync(folder, backup, { recursive: true, dereference: true });
      const second = await start(folder);
      await query(second, "update kept set word = 'after'");
      await second.stop();

      rmSync(folder, { recursive: true });
      cpSync(backup, folder, { recursive: true });
      expect(await query(await start(folder), "select word from kept")).toEqual(["before"]);
      expect(readdirSync(data).filter((name) => name.startsWith("postgres.before-"))).toHaveLength(1);
    });
  },
);

test("an interrupted first start leaves no trace in the next", async () => {
  const folder = copyOfFolder();
  rmSync(join(folder, "postgres"), { recursive: true });
  mkdirSync(join(folder, "postgres.new-0123456789ab", "base"), { recursive: true });
  expect(await query(await start(folder), "select 1")).toEqual([1]);
  expect(readdirSync(folder).filter((name) => name.startsWith("postgres.new"))).toEqual([]);
});
