/** The real store, in this process, on its own port, with its own database and data folder. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { readConfig } from "../../server/config.ts";
import { connectPayments } from "../../server/payments.ts";
import { openSecrets } from "../../server/secrets.ts";
import { serve } from "../../server/serve.ts";
import type { PaymentProvider } from "../../shop/payments/provider.ts";
import { type FreshDatabase, freshDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { type Logs, watchLogs } from "./logs.ts";
import { addFirstAdmin } from "./users.ts";

export interface OutboxEmail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface TestStore {
  /** http://localhost:…, without a closing slash */
  url: string;
  pool: pg.Pool;
  dataDir: string;
  admin: { email: string; password: string };
  logs: Logs;
  /** the payment provider as the store sees it */
  payments: PaymentProvider;
  /** the key that signs access tokens */
  tokenSecret: string;
  /** the key that signs the cookies of sessions */
  cookieSecret: string;
  /** the emails sent so far, oldest first */
  outbox(to?: string): Promise<OutboxEmail[]>;
  /** Stops the store, removes its data, and throws after an unexpected log entry. */
  stop(): Promise<void>;
}

export interface StoreOptions {
  /** environment variables */
  environment?: Record<string, string>;
  /** the maximum of database connections, of which each costs PostgreSQL 20 ms of CPU; races need MAX_CONNECTIONS */
  connections?: number;
  /** shared by several stores; its creator drops it */
  database?: FreshDatabase;
  /** with the sample catalogue; empty by default */
  sample?: boolean;
}

const admin = { email: "admin@stator.example", password: "first admin's password" };

/** Opens a store, which its test file must stop. */
export async function openStore({
  environment = {},
  connections = 12,
  database,
  sample = false,
}: StoreOptions = {}): Promise<TestStore> {
  const { pool, connection, drop } = database ?? (await freshDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), "stator-store-"));
  const logs = watchLogs();
  const variables = {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SAMPLE_DATA: sample ? "on" : "off",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
    ...environment,
  };
  if (!database) await addFirstAdmin(pool, admin);
  const { config, stopServing } = await serveSomewhere(variables, { ...connection, max: connections }, logs);
  const secrets = await openSecrets(config, pool);
  return {
    url: config.publicUrl,
    pool,
    dataDir,
    admin,
    logs,
    payments: connectPayments(config, secrets, pool).provider,
    tokenSecret: secrets("tokens"),
    cookieSecret: secrets("identity"),
    outbox: async (to) => {
      const emails = await readOutbox(join(dataDir, "outbox"));
      return to ? emails.filter((email) => email.to === to) : emails;
    },
    stop: async () => {
      await stopServing();
      try {
        logs.close();
      } finally {
        if (!database) await drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** On a free port; if another test takes it meanwhile, on the next one. */
async function serveSomewhere(variables: Record<string, string>, connection: pg.PoolConfig, logs: Logs) {
  for (let tries = 1; ; tries += 1) {
    const config = readConfig({ PORT: String(await freePort()), ...variables });
    try {
      return {
        config,
        stopServing: await serve(config, connection, () => undefined, { logTo: logs.stream }),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || tries === 5) throw error;
    }
  }
}

async function readOutbox(folder: string): Promise<OutboxEmail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}
