import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { changeOwner } from "./account.ts";
import { DataFolderProblem } from "./folder.ts";
import type { ClusterLocation } from "./location.ts";

export const DATABASE_NAME = "stator";

/** If any of these is missing, PostgreSQL's folder is incomplete or something else. */
const REQUIRED_FILES = [
  "PG_VERSION",
  "postgresql.conf",
  "pg_hba.conf",
  "global/pg_control",
  "base/1",
  "pg_wal",
  "pg_xact",
];

/** Throws DataFolderProblem, and changes nothing, if the folder has anything but a complete database of the store. */
export async function prepareCluster(location: ClusterLocation): Promise<string> {
  const passwordFile = join(location.folder, "postgres.password");
  removeUnfinished(location);
  if (!existsSync(location.cluster) || readdirSync(location.cluster).length === 0) {
    const password = randomBytes(24).toString("base64url");
    const unfinished = await createCluster(location, password);
    replaceFile(passwordFile, `${password}\n`);
    renameSync(unfinished, location.cluster);
    syncFolder(dirname(location.cluster));
    return password;
  }
  refuseForeign(location);
  if (existsSync(passwordFile)) return readFileSync(passwordFile, "utf8").trim();
  throw new DataFolderProblem(
    `The file ${passwordFile}, with the password of the database beside it, is missing: bring it back, or set DATA_DIR to another folder.`,
  );
}

function refuseForeign({ cluster, major }: ClusterLocation): void {
  const advice = "Nothing was changed: move it away, bring back a backup, or set DATA_DIR to another folder.";
  const missing = REQUIRED_FILES.find((file) => !existsSync(join(cluster, file)));
  if (missing) {
    throw new DataFolderProblem(
      `${cluster} is not a complete PostgreSQL database (${missing} is missing). ${advice}`,
    );
  }
  const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (found === major) return;
  throw new DataFolderProblem(
    `${cluster} was written by PostgreSQL ${found} and this store includes PostgreSQL ${major}. ${advice}`,
  );
}

/** A start that was killed during initdb leaves an unused folder. */
function removeUnfinished({ cluster }: ClusterLocation): void {
  const parent = dirname(cluster);
  for (const name of readdirSync(parent)) {
    // Its initdb may still be running; what cannot be removed now is removed at the next start.
    if (name.startsWith("postgres.new-"))
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 2 });
  }
}

async function createCluster(location: ClusterLocation, password: string): Promise<string> {
  const folder = join(dirname(location.cluster), `postgres.new-${randomBytes(6).toString("hex")}`);
  const passwordFile = join(location.socket, "password");
  rmSync(passwordFile, { force: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const path of [folder, passwordFile]) changeOwner(location.account, path);
  try {
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const access = [`--username=${DATABASE_NAME}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
    await run(location, "initdb", ["-D", folder, ...locale, ...access]);
    const singleUserArgs = [
      "--single",
      "-D",
      folder,
      "-c",
      "exit_on_error=on",
      "-c",
      "log_checkpoints=off",
      "template1",
    ];
    await run(location, "postgres", singleUserArgs, `CREATE DATABASE ${DATABASE_NAME}\n`);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function run(location: ClusterLocation, program: string, args: string[], input = ""): Promise<void> {
  const [command = "", ...rest] = [...location.account.prefix, join(location.programs, program), ...args];
  return new Promise((done, fail) => {
    const options = { ...location.account.spawn, env: location.environment, cwd: "/" };
    const child = execFile(command, rest, options, (error, stdout, stderr) => {
      if (!error) return done();
      const reason = namedCause(`${stdout}\n${stderr}`) ?? error.message.trim().split("\n").at(-1);
      fail(new DataFolderProblem(`The database could not be created in ${location.folder}: ${reason}`));
    });
    child.stdin?.on("error", () => undefined).end(input); // a program that fails does not read its input; its exit status tells why
  });
}

/** The last line of a program's output that names a cause of failure, without its prefix. */
export function namedCause(output: string): string | undefined {
  // Neither the FATAL for a connection that was made too early nor the PANIC after a full disk is a cause.
  const causes = [...output.matchAll(/\b(?:FATAL|PANIC|error):\s*(.+)/g)].map((match) => match[1] ?? "");
  const cause = causes.findLast((text) => !/^(the database system is|cannot abort transaction)/.test(text));
  // the system has written a part of it, and PostgreSQL does not ask why
  return cause && /wrote only \d+ of \d+ bytes/.test(cause) ? `${cause}: No space left on device` : cause;
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
