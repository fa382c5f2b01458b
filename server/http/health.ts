/** What watches the store: is the process there, is the database, and its figures. */
import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { isReadOnly, type Unavailability, unavailabilityOf } from "../../database/unavailability.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { sendProblem } from "./problem.ts";

/** A database that hangs is as good as one that is away. */
const READY_WITHIN_MS = 2000;
/** How long a write that found no space is remembered: whether there is space again only a write can tell. */
const DISK_FULL_MS = 60_000;

/** Remembers what made requests fail and a probe cannot find by itself. */
export function recentDatabaseErrors() {
  let fullUntil = 0;
  return {
    note(reason: Unavailability): void {
      if (reason === "diskFull") fullUntil = Date.now() + DISK_FULL_MS;
    },
    isDiskFull: () => Date.now() < fullUntil,
  };
}

export interface HealthOptions {
  pool: pg.Pool;
  isDiskFull?: () => boolean;
  /** aborted when the store is about to stop */
  draining?: AbortSignal;
}

/** Adds /healthz, /readyz and, for callers on this machine only, /metrics. */
export function addHealth(
  app: FastifyInstance,
  { pool, isDiskFull = () => false, draining }: HealthOptions,
): void {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    if (draining?.aborted) return sendProblem(reply, 503, refusals.readiness.draining);
    const unavailable =
      (await findProblem(pool, (error) => request.log.warn(error))) ?? (isDiskFull() && "diskFull");
    return unavailable ? sendProblem(reply, 503, refusals.readiness[unavailable]) : { status: "ok" };
  });
  addMetrics(app, pool);
}

async function findProblem(
  pool: pg.Pool,
  report: (error: unknown) => void,
): Promise<Unavailability | undefined> {
  try {
    const readOnly = await Promise.race([isReadOnly(pool), refuseAfter(READY_WITHIN_MS)]);
    return readOnly ? "readOnly" : undefined;
  } catch (error) {
    report(error);
    return unavailabilityOf(error) ?? "away";
  }
}

function addMetrics(app: FastifyInstance, pool: pg.Pool): void {
  const registry = new Registry();
  // of several processes on this port each has counted its own, and any of them answers
  if (cluster.isWorker) registry.setDefaultLabels({ process: String(process.pid) });
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: "stator_request_seconds",
    help: "Response time",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
    registers: [registry],
  });
  new Gauge({
    name: "stator_database_waiting",
    help: "Requests waiting for a database connection",
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get("/metrics", async (request, reply) => {
    if (!isLocal(request.socket.remoteAddress) || request.headers["x-forwarded-for"]) {
      return sendProblem(reply, 404, refusals.notFound);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function refuseAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error(`the database did not respond within ${ms} ms`);
}

function isLocal(address: string | undefined): boolean {
  return address === "127.0.0.1" || address === "::1" || address === "::ffff:127.0.0.1";
}
