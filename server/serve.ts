import cluster from "node:cluster";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type pino from "pino";
import type { Queryable } from "../database/client.ts";
import { findArchiveFailure } from "../database/embedded/archive.ts";
import { migrateAndSeed } from "../database/migrate.ts";
import { openRenderer } from "../providers/documents/renderer.ts";
import { type Deliver, deliverToOutbox, type Mailer } from "../providers/email/deliver.ts";
import { type Outbox, openOutbox } from "../providers/email/outbox.ts";
import { deliverToDatabase, openDatabaseOutbox } from "../providers/email/outbox-in-database.ts";
import type { Identity } from "../providers/identity/connect-identity.ts";
import { openEncoder } from "../providers/pictures/encoder.ts";
import { applySessionPolicy } from "../shop/accounts/session-policy.ts";
import { catalogueIndexOf } from "../shop/catalogue/index/index-cache.ts";
import { saveSeller, senderOf } from "../shop/documents/seller.ts";
import { deleteUnusedPictures } from "../shop/pictures/delete-unused.ts";
import { loadSampleData } from "../shop/sample-data/seed.ts";
import type { Store } from "../shop/store.ts";
import { googleClientOf, openIdentity, originsOf, ownOriginOf } from "./auth/open-identity.ts";
import { openRateLimiter } from "./auth/rate-limiter.ts";
import { openTokens } from "./auth/tokens.ts";
import { openDevices } from "./auth/trusted-device-cookie.ts";
import { openEdgePurger } from "./cache/purge-edge.ts";
import { type Config, explainListenError, sellerOf } from "./config.ts";
import { type Connections, openConnections } from "./connections.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { buildApp } from "./http/app.ts";
import { recentDatabaseErrors } from "./http/health.ts";
import { openPages } from "./http/page-source.ts";
import { shareAssets } from "./http/shared-assets.ts";
import { buildWorkerApp } from "./http/worker-app.ts";
import { prepareJobs, startJobs } from "./jobs/tasks.ts";
import { openLog, openStandardOutput } from "./log.ts";
import { errorLogger } from "./log-once.ts";
import { paymentErrorLogger } from "./log-payment-errors.ts";
import { listenForScrapes } from "./metrics/listener.ts";
import { openMetrics, shareMetrics } from "./metrics/metrics.ts";
import { addStoreMetrics } from "./metrics/store-metrics.ts";
import { connectPayments, type Payments, testPaymentsOf } from "./payments.ts";
import { openPictureStorage } from "./pictures.ts";
import { openSecrets } from "./secrets.ts";
import { pageContexts, storefrontOf } from "./storefront.ts";
import { openTracing, type Tracing } from "./tracing/open-tracing.ts";
import { connectMailer } from "./unsent-emails.ts";

const BUILT_ASSETS = join(import.meta.dirname, "../build/client/assets");

interface ServeOptions {
  jobs?: boolean;
  logTo?: pino.DestinationStream;
}

/** The returned function drains the store for DRAIN_SECONDS, completes requests in flight and closes everything. */
export async function serve(
  config: Config,
  connection: pg.PoolConfig,
  print: (line: string) => void,
  { jobs = true, logTo = openStandardOutput() }: ServeOptions = {},
): Promise<() => Promise<void>> {
  // before the first page that needs them is sent
  if (config.ASSETS_DIR && config.ROLE !== "worker") await shareAssets(BUILT_ASSETS, config.ASSETS_DIR);
  const tracing = await openTracing(config, (error) => log.warn(error, "traces were not sent"));
  const log = openLog(config.LOG_LEVEL, logTo, tracing?.logFields);
  const connections = openConnections(config, connection, log, tracing?.query);
  const disconnect = async () => {
    await connections.close();
    await tracing?.stop();
  };
  try {
    const stop = await start(config, connections, { print, jobs, log, tracing });
    return async () => {
      await stop();
      await disconnect();
    };
  } catch (error) {
    // an embedded PostgreSQL is stopped next, and would end them with errors
    await disconnect();
    throw error;
  }
}

interface StartOptions {
  print: (line: string) => void;
  jobs: boolean;
  log: pino.Logger;
  tracing: Tracing | undefined;
}

async function start(
  config: Config,
  connections: Connections,
  { print, jobs, log, tracing }: StartOptions,
): Promise<() => Promise<void>> {
  const { shop: pool, direct } = connections;
  const logPaymentError = paymentErrorLogger(log);
  const logError = errorLogger(log);
  let isStopping = false;
  const stopSignal = new AbortController();
  const drain = new AbortController();
  const databaseErrors = recentDatabaseErrors();
  const limits = openRateLimiter(pool, config.RATE_LIMIT);
  const { secrets, payments, store, identity } = await migrateAndSeed(direct, async () => {
    const secrets = await openSecrets(config, pool);
    const payments = connectPayments(config, secrets, pool, {
      // the sandbox closes with the store, shortly before its last callers
      report: (failure) => isStopping || logPaymentError(failure),
      stopping: stopSignal.signal,
      trace: tracing?.provider,
    });
    const store = {
      pool,
      payments: payments.provider,
      unpaidHoldHours: config.UNPAID_HOLD_HOURS,
    } satisfies Store;
    await payments.migrate(direct);
    await prepareJobs(direct);
    await applySessionPolicy(pool, {
      idleHours: config.SESSION_IDLE_HOURS,
      adminIdleHours: config.ADMIN_IDLE_HOURS,
      maxDays: config.SESSION_DAYS,
    });
    await saveSeller({ pool }, sellerOf(config));
    // the identity library checks its tables at once
    const identity = openIdentity(
      config,
      connections.identity,
      secrets("identity"),
      store,
      limits,
      log,
      tracing?.traceparent,
      databaseErrors.record,
    );
    await seedEmptyStore(config, store, identity, print);
    return { secrets, payments, store, identity };
  });
  const interactiveStore = { ...store, payments: payments.interactive };
  const reading = { ...store, pool: connections.reading };
  const documents = openRenderer();
  const pictures = await openPictureStorage(config, pool, (error) =>
    logError(error, "the picture storage failed"),
  );
  const encoder = openEncoder((error) => log.error(error, "a picture was not encoded"));
  const outbox = config.SMTP_URL ? undefined : connectOutbox(config, pool);
  const health = { pool, databaseErrors, draining: drain.signal };
  const hasListener = config.METRICS_PORT !== undefined;
  const metrics = openMetrics(connections.pools, { labelProcess: cluster.isWorker && !hasListener });
  if (jobs)
    addStoreMetrics(
      metrics.registry,
      pool,
      (error) => isStopping || log.warn(error, "the metrics could not be read"),
    );
  if (hasListener) shareMetrics(metrics);
  const edge =
    config.PURGE_URL &&
    config.ROLE !== "worker" &&
    openEdgePurger({
      urls: config.PURGE_URL,
      PURGE_TOKEN: config.PURGE_TOKEN,
      count: metrics.countPurge,
      report: (error, message) => log.warn(error, message),
    });
  const addPayments = (server: FastifyInstance) => payments.addRoutes(server, store);
  const openWebApp = async () =>
    buildApp({
      documents,
      pictures,
      encoder,
      ...health,
      metrics,
      tracing,
      servesMetrics: !hasListener,
      trustedProxies: config.TRUSTED_PROXIES,
      store: interactiveStore,
      reading,
      limits,
      devices: openDevices(secrets("devices"), config.publicUrl.startsWith("https:")),
      requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
      requireAdminSecondFactor: config.REQUIRE_ADMIN_2FA,
      identity,
      tokens: openTokens(secrets("tokens"), pool),
      outbox,
      origins: originsOf(config),
      ownOrigin: ownOriginOf(config),
      pages: await openPages(),
      publicUrl: config.publicUrl,
      policy: {
        images: [new URL(config.MAP_TILES.replace(/[{}]/g, "")).origin],
        card: payments.card.mode === "stripe",
        secure: config.publicUrl.startsWith("https:"),
      },
      context: pageContexts(storefrontOf(reading), pageConfigOf(config, payments)),
      log,
      rateLimit: config.RATE_LIMIT,
      assetsDir: config.ASSETS_DIR,
      hasEdge: config.PURGE_URL !== undefined,
      onChange: connections.changes.onChange,
      addPayments,
    });
  const app = await (config.ROLE === "worker"
    ? buildWorkerApp({ log, ...health, metrics, tracing, servesMetrics: !hasListener, addPayments })
    : openWebApp());
  // after this process's cache is invalidated, which must not refill the edge with old responses
  if (edge) connections.changes.onChange(edge.onChange);
  const mailer = outbox ?? connectMailer(config);
  const stopJobs =
    jobs &&
    config.ROLE !== "web" &&
    startJobs({
      store,
      direct,
      site: { publicUrl: config.publicUrl, sender: senderOf(sellerOf(config)) },
      deliver: tracing ? tracing.delivery(mailer.deliver) : mailer.deliver,
      trace: tracing?.job,
      report: (error, what) => {
        databaseErrors.record(error);
        logError(error, what);
      },
      periodicTasks: [
        ...payments.periodicTasks,
        ...(config.BACKUP_DIR
          ? [{ name: "check the WAL archive", everyMs: 60_000, run: () => checkArchive(pool) }]
          : []),
        { name: "delete expired rate limit counters", everyMs: 60_000, run: limits.deleteExpired },
        {
          name: "delete unused pictures",
          everyMs: 86_400_000,
          firstMs: 600_000,
          run: (stopping) => deleteUnusedPictures(store, pictures, stopping),
        },
      ],
    });
  let closeMetrics = async () => {};
  const close = async () => {
    isStopping = true;
    await app.close();
    await closeMetrics();
    await documents.close();
    encoder.close();
    stopSignal.abort();
    if (stopJobs) await stopJobs();
    if (edge) await edge.stop();
    mailer.close();
  };
  try {
    // the primary process listens for all
    if (!cluster.isWorker) {
      closeMetrics = await listenForScrapes(
        config,
        () => metrics.registry.metrics(),
        (error) => log.error(error),
      );
    }
    await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    await close();
    throw explainListenError(error, config);
  }
  // a new release has other files, and changes may have been missed
  if (edge) edge.onChange();
  // loads the search index, which takes a second with a million products
  if (config.ROLE !== "worker")
    catalogueIndexOf(connections.reading)
      .refresh()
      .catch((error) => isStopping || log.error(error, "the catalogue could not be read"));
  return async () => {
    drain.abort();
    if (config.ROLE !== "worker") await pause(config.DRAIN_SECONDS * 1000);
    await close();
  };
}

async function checkArchive(db: pg.Pool): Promise<void> {
  const failure = await findArchiveFailure(db);
  if (failure) throw new Error(failure);
}

async function seedEmptyStore(
  config: Config,
  store: Store,
  identity: Identity,
  print: (line: string) => void,
) {
  await ensureFirstAdmin(store, identity, config.ADMIN_EMAIL, config.ADMIN_PASSWORD, print);
  if (config.sampleData) await loadSampleData(store);
}

function pageConfigOf(config: Config, payments: Payments) {
  return {
    mapTiles: config.MAP_TILES,
    publicUrl: config.publicUrl,
    card: payments.card,
    testPayments: testPaymentsOf(config),
    google: googleClientOf(config) !== null,
    keepsEmails: !config.SMTP_URL,
    unpaidHoldHours: config.UNPAID_HOLD_HOURS,
  };
}

/** For stores without an SMTP server: files, which scripts read, and rows if nodes share a database. */
function connectOutbox({ DATABASE_URL, DATA_DIR }: Config, pool: Queryable): Mailer & Outbox {
  const close = () => undefined;
  const folder = join(DATA_DIR, "outbox");
  const writeFile = deliverToOutbox(folder);
  if (!DATABASE_URL) return { ...openOutbox(folder), deliver: writeFile, close };
  const insertRow = deliverToDatabase(pool);
  const deliver: Deliver = async (message, id) => {
    await insertRow(message, id);
    await writeFile(message, id);
  };
  return { ...openDatabaseOutbox(pool), deliver, close };
}
