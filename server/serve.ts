/** One process of the store: connections, providers, operations, pages and jobs, put together and listening. */
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import type { ServerBuild } from "react-router";
import { openDatabase, openPool } from "../database/client.ts";
import { migrate } from "../database/migrate.ts";
import { connectIdentity } from "../providers/identity.ts";
import { deliverBySmtp, deliverToOutbox } from "../providers/mail/deliver.ts";
import { openOutbox } from "../providers/mail/outbox.ts";
import { loadSample } from "../shop/sample.ts";
import type { Store } from "../shop/store.ts";
import { changeEmail } from "../shop/users/change-email.ts";
import { isDisabled } from "../shop/users/queries.ts";
import { listenForChanges } from "./changes.ts";
import type { Config } from "./config.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { buildApp } from "./http/app.ts";
import { openDevices } from "./http/device.ts";
import { prepareJobs, queueMail, startJobs } from "./jobs.ts";
import { openLimits } from "./limits.ts";
import { openLog, withoutAddresses } from "./log.ts";
import { connectPayments } from "./payments.ts";
import { openSecrets } from "./secrets.ts";
import { pageContexts, storefrontOf } from "./storefront.ts";
import { openTokens } from "./tokens.ts";

/** of all processes together; PostgreSQL takes 100 unless told otherwise */
const MOST_CONNECTIONS = 80;
const PAGES = new URL("../build/server/index.js", import.meta.url);

/**
 * Serves the store; the answer stops it: first what is in flight is answered, then everything is closed.
 * The log is written to `logTo`, one JSON object a line; by default the standard output.
 */
export async function serve(
  config: Config,
  connection: pg.PoolConfig,
  say: (line: string) => void,
  logTo: pino.DestinationStream = pino.destination(1),
): Promise<() => Promise<void>> {
  const log = openLog(config.LOG_LEVEL, logTo);
  const most = Math.max(5, Math.min(20, Math.floor(MOST_CONNECTIONS / config.WORKERS)));
  const lost = (error: Error) => log.warn(error, "a database connection was lost");
  const pool = openPool({ max: most, ...connection }, lost);
  const forIdentity = { max: Math.ceil(most / 4), connectionTimeoutMillis: 60_000 };
  const identityPool = openPool({ ...connection, ...forIdentity }, lost);
  await migrate(pool);
  await prepareJobs(pool);
  const secrets = await openSecrets(config.DATA_DIR);
  const payments = connectPayments(config, secrets, pool);
  const store: Store = {
    database: openDatabase(pool),
    pool,
    payments: payments.provider,
    unpaidHoldHours: config.UNPAID_HOLD_HOURS,
  };
  const origins = originsOf(config);
  const identity = connectIdentity({
    pool: identityPool,
    publicUrl: config.publicUrl,
    otherOrigins: origins,
    secret: secrets("identity"),
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
    google: googleOf(config),
    report: (message, details) =>
      log.error({ details: details.map(inWords) }, withoutAddresses(message) || "identity"),
    sendMail: (job) => queueMail(pool, job),
    isDisabled: (userId) => isDisabled(store, userId),
    emailChanged: (userId, email) => changeEmail(store, userId, email),
  });
  const admin = await ensureFirstAdmin(store, identity, config.ADMIN_EMAIL, config.ADMIN_PASSWORD);
  // said at once: were it lost with a start that fails further down, nobody could ever log in
  if (admin) say(`First admin: ${admin.email}${admin.password ? `, password: ${admin.password}` : ""}`);
  if (config.sampleData) await loadSample(store);
  const reading = readerOf(config, store, log);
  const build = (await import(PAGES.href)) as ServerBuild;
  const page = {
    mapTiles: config.MAP_TILES,
    publicUrl: config.publicUrl,
    card: payments.card,
    google: googleOf(config) !== null,
    keepsMails: !config.SMTP_URL,
  };
  const outboxFolder = join(config.DATA_DIR, "outbox");
  const changes = listenForChanges(connection, (error) => log.warn(error, "the changes are not heard of"));
  const limits = openLimits(pool, config.RATE_LIMIT);
  const app = await buildApp({
    store,
    limits,
    devices: openDevices(secrets("devices"), config.publicUrl.startsWith("https:")),
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
    requireAdminSecondFactor: config.REQUIRE_ADMIN_2FA,
    reading: reading.store,
    identity,
    tokens: openTokens(secrets("tokens"), pool),
    outbox: config.SMTP_URL ? undefined : openOutbox(outboxFolder),
    origins,
    build,
    publicUrl: config.publicUrl,
    policy: { images: [new URL(config.MAP_TILES.replace(/[{}]/g, "")).origin] },
    context: pageContexts(build, storefrontOf(reading.store), page),
    log,
    rateLimit: config.RATE_LIMIT,
    onChange: changes.onChange,
    addPayments: (server) => payments.addRoutes(server, store),
  });
  const stopJobs = await startJobs({
    store,
    publicUrl: config.publicUrl,
    deliver: config.SMTP_URL
      ? deliverBySmtp(config.SMTP_URL, `Stator <orders@${new URL(config.publicUrl).hostname}>`)
      : deliverToOutbox(outboxFolder),
    report: (error, what) => log.error(error, what),
    rounds: [...payments.rounds, { name: "tidy attempts", everyMs: 60_000, work: limits.tidy }],
  });
  try {
    await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await stopJobs();
    await changes.stop();
    await identityPool.end();
    await pool.end();
    throw error;
  }
  return async () => {
    await app.close();
    await stopJobs();
    await changes.stop();
    await reading.close();
    await identityPool.end();
    await pool.end();
  };
}

/** The store as the public lists read it: from the replica, where there is one. */
function readerOf(
  config: Config,
  store: Store,
  log: pino.Logger,
): { store: Store; close: () => Promise<void> } {
  if (!config.DATABASE_READ_URL) return { store, close: async () => {} };
  const pool = openPool({ connectionString: config.DATABASE_READ_URL }, (error) =>
    log.warn(error, "a connection to the replica was lost"),
  );
  return { store: { ...store, pool, database: openDatabase(pool) }, close: () => pool.end() };
}

/** Every address under which a person on this machine may open the pages. */
function originsOf(config: Config): string[] {
  const local = ["localhost", "127.0.0.1", config.HOST].map((host) => `http://${host}:${config.PORT}`);
  return config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).origin] : [...new Set(local)];
}

function googleOf({
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
  GOOGLE_ISSUER: issuer,
}: Config) {
  return clientId && clientSecret ? { clientId, clientSecret, issuer } : null;
}

/** What an error says, and nothing of what it may carry along: requests with tokens, for example. */
function inWords(detail: unknown): string {
  if (detail instanceof Error) return withoutAddresses(detail.message);
  const said = typeof detail === "object" && detail !== null && "error" in detail ? detail.error : detail;
  return withoutAddresses(typeof said === "object" ? JSON.stringify(said) : String(said));
}
