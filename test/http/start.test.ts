/** Starts that fail and name the invalid variable. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { explainListenError, InvalidEnvironment, readConfig } from "../../server/config.ts";
import { freshDatabase } from "../harness/database.ts";

/** The output of a failing store with these variables, and its exit status. */
async function failedStart(variables: Record<string, string>): Promise<{ output: string; code: number }> {
  const { connection, drop } = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "stator-start-"));
  const { user, password, host, port, database } = connection;
  const place = new URLSearchParams({ host: String(host), port: String(port) });
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://${user}:${password}@/${database}?${place}`,
    ...variables,
  };
  const store = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number>((done) => store.once("exit", (code) => done(code ?? -1)));
  const [output, code] = await Promise.all([text(store.stderr), ended]);
  await drop();
  await rm(dataDir, { recursive: true, force: true });
  return { output, code };
}

test("a host that cannot be found is refused in one line", async () => {
  const line = "HOST: 256.1.1.1 cannot be found.\n";
  expect(await failedStart({ HOST: "256.1.1.1" })).toEqual({ output: line, code: 1 });
});

test("prints an invalid HOST in one line, without a stack trace, with several processes", async () => {
  const { output, code } = await failedStart({ HOST: "192.0.2.1", WORKERS: "2" });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toEqual([
    "HOST: 192.0.2.1 is not a network address of this machine.",
    "A process of the store ended while it started.",
  ]);
});

test.each([
  ["PUBLIC_URL", "https://shop.example/store/?a=b#c", "must be scheme, host and port alone"],
  ["DATABASE_URL", "postgres://app:p%w#1@db.example/store", "special characters in the password"],
  ["DATABASE_URL", "postgres://[", "cannot be read"],
  ["DATABASE_READ_URL", "postgres://app@db.example/store", "is the copy of a DATABASE_URL, which is missing"],
])("a %s of %s is refused", (name, value, why) => {
  const refused = () => readConfig({ [name]: value });
  expect(refused).toThrow(InvalidEnvironment);
  expect(refused).toThrow(new RegExp(`^${name}:? .*${why}`));
});

test("normalises PUBLIC_URL as browsers do", () => {
  expect(readConfig({ PUBLIC_URL: "https://Shop.example:443/" }).publicUrl).toBe("https://shop.example");
});

test("names the variable to set when listening fails, and keeps other errors", () => {
  const place = { HOST: "store.invalid", PORT: 80 };
  const why = (code: string) =>
    (explainListenError(Object.assign(new Error("of the system"), { code }), place) as Error).message;
  expect(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EACCES", "EMFILE"].map(why)).toEqual([
    "HOST: store.invalid cannot be found.",
    "HOST: store.invalid cannot be found.",
    "HOST: store.invalid is not a network address of this machine.",
    "PORT: this user may not listen on 80. Set PORT to 1024 or more.",
    "of the system",
  ]);
});
