/** Health checks: whether the process runs, and whether it can serve. */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
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

/** Adds /healthz and /readyz. */
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

async function refuseAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error(`the database did not respond within ${ms} ms`);
}
