/** Starts that fail and name the invalid variable. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type pg from "pg";
import { expect, inject, test, vi } from "vitest";
import { readFolder } from "../../server/command.ts";
import {
  explainListenError,
  findMisspelt,
  InvalidEnvironment,
  printSampleSeller,
  readConfig,
  sellerOf,
} from "../../server/config.ts";
import { openDatabaseServer } from "../../server/database.ts";
import { compileCache } from "../harness/compile-cache.ts";
import { freshDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";

function urlOf({ user, password, host, port, database }: pg.PoolConfig): string {
  const place = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgres://${user}:${password}@/${database}?${place}`;
}

interface StartOptions {
  /** a command that starts the store, such as unshare */
  inside?: string[];
  /** of the database */
  setting?: string;
  given?: string[];
  /** a table that the store cannot write to until `meanwhile` is true */
  locked?: string;
  /** repeated until it is true */
  meanwhile?: (pool: pg.Pool) => Promise<boolean>;
}

/** The output of a failing store with these variables, and its exit status. */
async function failedStart(
  variables: Record<string, string>,
  { inside = [], setting, given = [], locked, meanwhile }: StartOptions = {},
): Promise<{ output: string; code: number }> {
  const { connection, pool, drop } = await freshDatabase();
  if (setting) await pool.query(`ALTER DATABASE "${connection.database}" SET ${setting}`);
  const lock = locked && (await pool.connect());
  if (lock) await lock.query(`BEGIN; LOCK TABLE ${locked} IN EXCLUSIVE MODE`);
  const dataDir = await mkdtemp(join(tmpdir(), "stator-start-"));
  const environment = {
    PATH: process.env.PATH,
    ...compileCache,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(connection),
    ...variables,
  };
  const start = [
    ...inside,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    "server/main.ts",
    ...given,
  ];
  const [command = "", ...options] = start;
  const store = spawn(command, options, {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number>((done) => store.once("exit", (code) => done(code ?? -1)));
  const result = Promise.all([text(store.stderr), ended]);
  if (meanwhile) await vi.waitUntil(() => meanwhile(pool), { timeout: 90_000, interval: 50 });
  if (lock) lock.release(true);
  const [output, code] = await result;
  await drop();
  await rm(dataDir, { recursive: true, force: true });
  return { output, code };
}

const canMount = spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0;

test.runIf(canMount)("a full disk is named in one line", async () => {
  const fill = 'mount -t tmpfs -o size=4k none "$DATA_DIR" && head -c 4096 /dev/zero >"$DATA_DIR/lost+found"';
  const inNamespace = ["unshare", "--mount", "--map-root-user", "sh", "-c", `${fill}; exec "$0" "$@"`];
  const line = "The disk of DATA_DIR is full: ENOSPC: no space left on device, write\n";
  expect(await failedStart({}, { inside: inNamespace })).toEqual({ output: line, code: 1 });
});

// the connection that holds the lock of the migrations is idle while the store is seeded
test.each(["active", "idle"])(
  "an %s connection that is lost meanwhile is named in one line",
  { timeout: 120_000 },
  async (state) => {
    const cutOff = async (pool: pg.Pool) => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'stator shop %' AND state = $1 AND EXISTS (
         SELECT FROM pg_locks WHERE relation = 'shop.shared_secret'::regclass AND NOT granted
       ) AND datname = current_database()`,
        [state],
      );
      return rowCount !== 0;
    };
    const { output, code } = await failedStart({}, { locked: "shop.shared_secret", meanwhile: cutOff });
    expect([output, code]).toEqual([
      expect.stringMatching(/^The database was lost while the store started: .*\n$/),
      1,
    ]);
  },
);

test("a host that cannot be found is refused in one line", async () => {
  const line = "HOST: 256.1.1.1 cannot be found.\n";
  expect(await failedStart({ HOST: "256.1.1.1" })).toEqual({ output: line, code: 1 });
});

test("prints an invalid HOST in one line, without a stack trace, with several processes", async () => {
  const line = "HOST: 192.0.2.1 is not a network address of this machine.\n";
  expect(await failedStart({ HOST: "192.0.2.1", WORKERS: "2" })).toEqual({ output: line, code: 1 });
});

test("a replica that can never be used is refused, of one that is down a line is printed", async () => {
  const nowhere = urlOf({ ...inject("postgres"), database: "nowhere" });
  const line = 'DATABASE_READ_URL: the database cannot be used: database "nowhere" does not exist\n';
  expect(await failedStart({ DATABASE_READ_URL: nowhere })).toEqual({ output: line, code: 1 });

  const own = await freshDatabase();
  const other = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "stator-start-"));
  const lines: string[] = [];
  const open = (DATABASE_READ_URL: string) =>
    openDatabaseServer(
      readConfig({ DATABASE_URL: urlOf(own.connection), DATA_DIR: dataDir, DATABASE_READ_URL }),
      (line) => lines.push(line),
    );
  try {
    const name = "INSERT INTO shop.shared_secret (digest) VALUES ($1)";
    await own.pool.query(name, ["own"]);
    await open(urlOf(own.connection));
    expect(lines).toEqual([]);
    await open(urlOf(other.connection));
    await open(`postgres://app@127.0.0.1:${await freePort()}/store`);
    expect(lines).toEqual([
      expect.stringContaining("DATABASE_READ_URL: this database does not have the store yet"),
      expect.stringMatching(/^DATABASE_READ_URL: .*ECONNREFUSED.*; public lists fail until it can\.$/),
    ]);
    await other.pool.query(name, ["other"]);
    const refused = open(urlOf(other.connection));
    await expect(refused).rejects.toThrow(InvalidEnvironment);
    await expect(refused).rejects.toThrow("DATABASE_READ_URL: this is the database of another store.");
  } finally {
    await own.drop();
    await other.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.each([
  [
    "DateStyle = 'German'",
    /^DATABASE_URL: .*its DateStyle is German, DMY: run ALTER ROLE \w+ SET DateStyle = 'ISO'\.\n$/,
  ],
  ["search_path = nowhere", /^DATABASE_URL: .*no schema of its search_path \(nowhere\) exists\.\n$/],
  [
    "default_transaction_read_only = on",
    /^DATABASE_URL: .*cannot execute CREATE TABLE in a read-only transaction\n$/,
  ],
])("a database with %s is refused in one line", async (setting, line) => {
  const { output, code } = await failedStart({}, { setting });
  expect(output).toMatch(line);
  expect(code).toBe(1);
});

test("a database with another encoding is refused in one line", async () => {
  const { pool, drop } = await freshDatabase({ migrated: false });
  await pool.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  const { output } = await failedStart({ DATABASE_URL: urlOf({ ...inject("postgres"), database: "latin" }) });
  expect(output).toBe(
    "DATABASE_URL: the database cannot be used: its encoding is LATIN1, and must be UTF8.\n",
  );
  await pool.query("DROP DATABASE latin");
  await drop();
});

test("with several hosts the reason why none can be used is printed", async () => {
  const host = `127.0.0.1:${await freePort()}`;
  const { output, code } = await failedStart({ DATABASE_URL: `postgres://app@${host},${host}/store` });
  expect(code).toBe(1);
  expect(output).toBe(
    `DATABASE_URL: the database cannot be used: no host of the database can be reached (connect ECONNREFUSED ${host})\n`,
  );
});

test("spaces count as not set, and are not the number 0", () => {
  expect(readConfig({ UNPAID_HOLD_HOURS: " ", PORT: "\t", SECRET: " ".repeat(40) })).toEqual(readConfig({}));
});

test("the URL of map tiles may have its parts in any order", () => {
  const url = "https://{s}.tiles.example/{z}/{y}/{x}";
  expect(readConfig({ MAP_TILES: url }).MAP_TILES).toBe(url);
});

test.each([
  ["MAP_TILES", "https://tiles example/{z}/{x}/{y}.png", "must be a URL with {z}, {x} and {y}"],
  ["PORT", "0x50", 'must be a whole number from 1 to 65535, such as 3000, and is "0x50"'],
  ["WORKERS", "2,5", 'must be a whole number from 1 to 64, such as 4, and is "2,5"'],
  [
    "LOG_LEVEL",
    "verbose",
    'must be fatal or error or warn or info or debug or trace or silent, and is "verbose"',
  ],
  ["SECRET", "of twelve...", "must have from 32 to 1000 characters, and has 12"],
  ["PUBLIC_URL", "shop.example.com", "must be a URL with http:// or https://, such as https://shop.example"],
  ["DATA_DIR", "~/store", "only a shell replaces ~"],
  ["MAP_TILES", "https://tiles.example/{z}/{x}.png", "must be a URL with {z}, {x} and {y}"],
  ["SMTP_URL", "smtp://", "must be a URL with smtp:// or smtps:// and a server"],
  ["SMTP_URL", "smtp://app:p#ss@mail.example", "special characters in the password"],
  ["DATABASE_URL", "postgres://app:p@ss/word@db.example/store", "special characters in the password"],
  ["DATABASE_URL", "postgres://app@db.example:54320000/store", "cannot be read; check host and port"],
  ["DATABASE_URL", "postgres://app@db.example/store?sslrootcert=/none", "cannot be read: ENOENT"],
  ["PUBLIC_URL", "https://shop.example/store/?a=b#c", "must be scheme, host and port alone"],
  ["DATABASE_URL", "postgres://app:p%w#1@db.example/store", "special characters in the password"],
  ["DATABASE_URL", "postgres://[", "cannot be read"],
  ["DATABASE_READ_URL", "postgres://app@db.example/store", "is the copy of a DATABASE_URL, which is missing"],
])("a %s of %s is refused", (name, value, why) => {
  const refused = () => readConfig({ [name]: value });
  expect(refused).toThrow(InvalidEnvironment);
  expect(refused).toThrow(new RegExp(`^${name}:? .*${RegExp.escape(why)}`));
});

test("a refusal of any variable says what is accepted, and repeats no secret", async () => {
  const names = (await readFile(".env.example", "utf8")).match(/(?<=^#)[A-Z_\d]+(?==)/gm) ?? [];
  const values = [
    "~/hunter2",
    "hunter2 ".repeat(1000),
    "0",
    "-1.5",
    "https://hunter2@",
    "postgres://hunter2@x:y",
  ];
  const isSecret = /SECRET|PASSWORD|TOKEN|KEY|URL/;
  const accepting = new Set(names);
  for (const name of names)
    for (const value of values)
      try {
        readConfig({ [name]: value });
      } catch (error) {
        const { message } = error as Error;
        accepting.delete(name);
        expect(error).toBeInstanceOf(InvalidEnvironment);
        expect(message).toContain(name);
        expect(message).not.toMatch(/invalid|expected|too (big|small)|pattern/i);
        expect(message).toMatch(/such as|must be .* or |must have from|missing|cannot be read: /);
        if (isSecret.test(name)) expect(message).not.toContain("hunter2");
      }
  expect([...accepting]).toEqual(["HOST", "OTEL_SERVICE_NAME", "PICTURES_S3_REGION"]);
});

test.each([
  [{ REQUIRE_ADMIN_2AF: "on" }, "REQUIRE_ADMIN_2FA"],
  [{ TRUSTED_PROXYS: "10.0.0.0/8" }, "TRUSTED_PROXIES"],
  [{ public_url: "https://shop.example" }, "PUBLIC_URL"],
  [{ SMTP_URI: "smtp://mail.example" }, "SMTP_URL"],
  [{ "SMTP-URL": "smtp://mail.example" }, "SMTP_URL"],
  [{ DATABSE_URL: "postgres://db.example/store" }, "DATABASE_URL"],
  [{ UNPAID_HOURS: "24" }, "UNPAID_HOLD_HOURS"],
  [{ STRIPE_WEBHOOK: "whsec_1" }, "STRIPE_WEBHOOK_SECRET"],
  [{ UNPAID_HOURS: "24", UNPAID_HOLD_HOURS: "24" }, undefined],
  [
    {
      npm_config_user_agent: "npm",
      npm_lifecycle_event: "start",
      KUBERNETES_SERVICE_HOST: "10.0.0.1",
      KUBERNETES_PORT_443_TCP_PORT: "443",
      STATOR_SERVICE_PORT: "3000",
      POSTGRES_PORT_5432_TCP: "tcp://10.0.0.2:5432",
      AWS_SECRET_ACCESS_KEY: "",
      PGPASSWORD: "",
      OTEL_SERVICE_NAME: "",
      OTEL_EXPORTER_OTLP_TIMEOUT: "",
      NODE_OPTIONS: "",
      GITHUB_TOKEN: "",
      SSH_CLIENT: "",
      XDG_DATA_DIRS: "",
      npm_config_port: "",
      LOGNAME: "",
    },
    undefined,
  ],
  [{ METRIC_PORT: "9090", METRICS_PORT: "9090" }, undefined],
  [
    { HOME: "/root", HOSTS: "", PORTS: "", NODE_ENV: "test", PATH: "", TERM: "", LANG: "", http_proxy: "" },
    undefined,
  ],
  [process.env, undefined],
])("a misspelt variable of %o is named", (variables, meant) => {
  const lines = findMisspelt(variables);
  expect(lines).toEqual(meant ? [expect.stringMatching(new RegExp(`Is ${meant} meant\\?$`))] : []);
});

test("a seller without a tax number has none on invoices, and not the sample's", () => {
  const own = { SELLER_NAME: "Harrow Tools", SELLER_ADDRESS: "1 Dock Road", SELLER_TAX_NUMBER: "" };
  expect(sellerOf(readConfig(own))).toMatchObject({ name: "Harrow Tools", phone: "", taxNumber: "" });
  expect(sellerOf(readConfig({}))).toMatchObject({ phone: "555 0142 0180", taxNumber: "PH 00-0000000" });
  const lines: string[] = [];
  for (const variables of [{}, own]) printSampleSeller(readConfig(variables), (line) => lines.push(line));
  expect(lines).toEqual([
    "Documents: SELLER_EMAIL not set: invoices and emails of Harrow Tools show those of the sample.",
  ]);
});

test("arguments and a blank folder are refused, not left out", async () => {
  const line = "--port=8080 is not understood: set environment variables, such as PORT.\n";
  expect(await failedStart({}, { given: ["--port=8080"] })).toEqual({ output: line, code: 1 });
  const serve = spawnSync(process.execPath, ["bin/serve.mjs", "--port=8080"], { encoding: "utf8" });
  expect([serve.status, serve.stderr]).toEqual([1, line]);
  // an unset variable of a script, in place of which BACKUP_DIR would be used
  expect(() => readFolder([""])).toThrow("Name a folder: this one is blank.");
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
