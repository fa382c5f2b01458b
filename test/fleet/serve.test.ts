/** `npm run serve`, which images and service managers run. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileCache } from "../harness/compile-cache.ts";
import { freshDatabase, waitingStatements } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";
import { urlOf } from "./node.ts";

const root = join(import.meta.dirname, "../..");

test("installs and builds nothing, and prints what is missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "stator-serve-"));
  const serve = () => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "bin", "serve.mjs")], {
      encoding: "utf8",
    });
    return { status, stderr };
  };
  try {
    cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
    expect(serve()).toEqual({ status: 1, stderr: "The packages are not installed. Run npm ci first.\n" });
    mkdirSync(join(folder, "node_modules"));
    expect(serve()).toEqual({ status: 1, stderr: "The pages are not built. Run npm run build first.\n" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("becomes the store: same process, its options, its signals", async () => {
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "stator-serve-"));
  const port = await freePort();
  const child = spawn(process.execPath, ["bin/serve.mjs"], {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATABASE_URL: urlOf(database.connection),
      DATA_DIR: dataDir,
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  try {
    let output = "";
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes;
    });
    await expect.poll(() => output, { timeout: 60_000 }).toContain("Stator is open");
    const command = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
    expect(command).toContain("server/main.ts");
    expect(command).toContain("--max-semi-space-size=8");
    const check = () =>
      spawnSync(process.execPath, ["bin/check-ready.mjs"], { env: { PORT: String(port) } }).status;
    expect(check()).toBe(0);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(check()).toBe(1);
  } finally {
    child.kill("SIGKILL");
    await exited;
    rmSync(dataDir, { recursive: true });
    await database.drop();
  }
});

test("a stop that is asked for in the moment in which it opens is not lost", async () => {
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "stator-serve-"));
  const port = await freePort();
  const signalWhileOpening = `
    import { Server } from "node:net";
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...options) {
      if (options[0]?.port === ${port}) this.once("listening", () => process.kill(process.pid, "SIGTERM"));
      return listen.apply(this, options);
    };`;
  const child = spawn(process.execPath, ["bin/serve.mjs"], {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(signalWhileOpening)}`,
      DATABASE_URL: urlOf(database.connection),
      DATA_DIR: dataDir,
      PORT: String(port),
    },
    stdio: "ignore",
  });
  try {
    await expect.poll(() => child.exitCode, { timeout: 60_000 }).toBe(0);
  } finally {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true });
    await database.drop();
  }
});

const canBeFirst = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;

// only root can make such a process
test.runIf(canBeFirst)("as the first process of a container, it can be stopped while it starts", async () => {
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "stator-serve-"));
  const holder = await database.pool.connect();
  await holder.query("SELECT pg_advisory_lock(7128640)"); // the lock of the migrations
  const options = ["--pid", "--fork", "--kill-child", process.execPath, "bin/serve.mjs"];
  const container = spawn("unshare", options, {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATABASE_URL: urlOf(database.connection),
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
    },
    stdio: "inherit",
  });
  const exited = new Promise<number | null>((done) => container.once("exit", done));
  try {
    await expect.poll(() => waitingStatements(database.pool), { timeout: 60_000 }).toBe(1);
    const children = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, "utf8");
    process.kill(Number(children), "SIGTERM");
    expect(await exited).toBe(143);
  } finally {
    container.kill("SIGKILL");
    await exited;
    holder.release(true);
    rmSync(dataDir, { recursive: true });
    await database.drop();
  }
});
