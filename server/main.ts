import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { DataFolderProblem } from "../database/embedded/server.ts";
import { unavailabilityOf } from "../database/unavailability.ts";
import { loadEnvironment, print, refuseArguments } from "./command.ts";
import {
  type Config,
  explainListenError,
  findMisspelt,
  InvalidEnvironment,
  printSampleSeller,
  readConfig,
} from "./config.ts";
import { openDatabaseServer, processesFor } from "./database.ts";
import { continueWithoutOutput } from "./log.ts";
import { listenForScrapes } from "./metrics/listener.ts";
import { printPaymentProblems } from "./payments.ts";
import { printPictureProblems } from "./pictures.ts";
import { printUnsentEmails } from "./unsent-emails.ts";
import { ExitedAtStart, readWorkerShare, startWorkers } from "./workers.ts";

const CLOSE_TIMEOUT_MS = 20_000;

interface Started {
  stop: () => Promise<void>;
  /** Announces the store; called once it can be stopped gracefully. */
  announce: () => void;
  stopTimeoutMs: number;
}

/** Loaded when needed: it takes seconds of a slow CPU, and 100 MB, which a process that supervises others does not need. */
const serve: typeof import("./serve.ts").serve = async (...options) =>
  (await import("./serve.ts")).serve(...options);

async function start(): Promise<Started> {
  refuseArguments(process.argv.slice(2));
  loadEnvironment();
  const config = readConfig(process.env);
  const stopTimeoutMs = config.DRAIN_SECONDS * 1000 + CLOSE_TIMEOUT_MS;
  if (cluster.isWorker) {
    const { connection, jobs } = readWorkerShare(config);
    const stop = await serve(config, connection, print, { jobs });
    return { stop, announce: () => undefined, stopTimeoutMs };
  }
  const processes = config.ROLE === "worker" ? 1 : config.WORKERS;
  // a store that is loaded after its database has opened takes 29 instead of 24 µs for a cached read (decision 79)
  if (processes === 1) await import("./serve.ts");
  const database = await openDatabaseServer(config, print);
  try {
    await checkPorts(config);
    const WORKERS = processesFor(database.connectionLimit, processes, print);
    const connection = { ...database.connection, max: Math.floor(database.connectionLimit / WORKERS) };
    const stop = await (WORKERS > 1 ? startWorkers : serve)({ ...config, WORKERS }, connection, print);
    return {
      stopTimeoutMs,
      async stop() {
        await stop();
        await database.stop();
      },
      announce() {
        print(
          config.ROLE === "worker"
            ? `Stator is working; /readyz is on port ${config.PORT}`
            : `Stator is open at ${config.publicUrl}`,
        );
        // bin/start.mjs restarts the store from now on; if the parent is gone, the store is about to stop
        process.send?.("open", undefined, undefined, () => undefined);
        for (const line of findMisspelt(process.env)) print(line);
        printSampleSeller(config, print);
        void printUnsentEmails(config, print);
        void printPictureProblems(config, print);
        void printPaymentProblems(config, print);
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** The processes of a killed store end a moment after it, and have its port until then. */
const PORT_IS_FREED_WITHIN_MS = 5000;

/** Before the first admin's password is printed, once: it would be lost above the reason why the store does not open. */
async function checkPorts(config: Config): Promise<void> {
  const deadline = performance.now() + PORT_IS_FREED_WITHIN_MS;
  for (;;) {
    const error = await tryToListen(config);
    if (!error) break;
    if (error.code !== "EADDRINUSE" || performance.now() > deadline) throw explainListenError(error, config);
    await pause(100);
  }
  const closeMetrics = await listenForScrapes(
    config,
    async () => "",
    () => undefined,
  );
  await closeMetrics();
}

async function tryToListen({ HOST, PORT }: Config): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer().listen(PORT, HOST);
  const error = await once(server, "listening").then(
    () => undefined,
    (reason: NodeJS.ErrnoException) => reason,
  );
  if (error) return error;
  server.close();
  await once(server, "close");
}

/** SQLSTATEs of a role without a right, and of a database that is read-only. */
const NOT_ALLOWED = /^(42501|25006)$/;

function explain(error: unknown, code: string | undefined): string | undefined {
  if (code === "EADDRINUSE")
    return `Port ${process.env.PORT?.trim() || 3000} is already in use. Set PORT to another one.`;
  const { message } = error as Error;
  if (code === "ENOSPC" || code === "EDQUOT") return `The disk of DATA_DIR is full: ${message}`;
  const { cause = error } = error as Error;
  if (cause instanceof pg.DatabaseError && NOT_ALLOWED.test(cause.code ?? ""))
    return `DATABASE_URL: the database cannot be used: ${message}`;
  const unavailability = unavailabilityOf(error);
  if (unavailability === "unreachable") return `The database was lost while the store started: ${message}`;
  return unavailability === "diskFull" ? `The disk of the database is full: ${message}` : undefined;
}

function fail(error: unknown): never {
  const isExpected = [InvalidEnvironment, DataFolderProblem, ExitedAtStart].some(
    (ExpectedError) => error instanceof ExpectedError,
  );
  const { code, message, stack = message } = error as NodeJS.ErrnoException;
  const explained = isExpected ? message : explain(error, code);
  process.stderr.write(`${explained ?? stack}\n`);
  process.exit(1);
}

continueWithoutOutput();

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
let end: (signal: NodeJS.Signals) => void = (signal) => process.exit(128 + constants.signals[signal]);
// The first process of a container gets no signal without a listener. A listener that is replaced loses the signal that
// arrives just then.
for (const signal of SIGNALS) process.on(signal, () => end(signal));

const { stop, announce, stopTimeoutMs } = await start().catch(fail);
let stopping = false;

function finish(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => fail(new Error("The store did not stop in time.")), stopTimeoutMs).unref();
  stop().then(
    () => process.exit(0),
    (error) => fail(error),
  );
}

end = finish;
// the parent process has ended, possibly before this one started
process.on("disconnect", finish);
if (process.connected === false) finish();
announce();
