import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { isReadOnly, type Unavailability, unavailabilityOf } from "../../database/unavailability.ts";
import { withTimeout } from "../../providers/with-timeout.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { sendProblem } from "./problem.ts";

const READY_TIMEOUT_MS = 2000;
/** How long a "disk full" is remembered: only a write can tell whether there is space again. */
const DISK_FULL_MS = 60_000;

/** Remembers errors of requests and jobs that the readiness check cannot detect by itself. */
export function recentDatabaseErrors() {
  let fullUntil = Number.NEGATIVE_INFINITY;
  return {
    record(error: unknown): void {
      if (unavailabilityOf(error) === "diskFull") fullUntil = performance.now() + DISK_FULL_MS;
    },
    isDiskFull: () => performance.now() < fullUntil,
  };
}

export type DatabaseErrors = ReturnType<typeof recentDatabaseErrors>;

export interface HealthOptions {
  pool: pg.Pool;
  databaseErrors: DatabaseErrors;
  draining?: AbortSignal;
}

export function addHealth(app: FastifyInstance, { pool, databaseErrors, draining }: HealthOptions): void {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    if (draining?.aborted) return sendProblem(reply, 503, refusals.readiness.draining);
    const unavailable =
      (await findProblem(pool, (error) => request.log.warn(error))) ??
      (databaseErrors.isDiskFull() && "diskFull");
    return unavailable ? sendProblem(reply, 503, refusals.readiness[unavailable]) : { status: "ok" };
  });
}

const timeoutError = () => new Error(`the database did not respond within ${READY_TIMEOUT_MS} ms`);

async function findProblem(
  pool: pg.Pool,
  report: (error: unknown) => void,
): Promise<Unavailability | undefined> {
  try {
    const readOnly = await withTimeout(isReadOnly(pool), READY_TIMEOUT_MS, timeoutError);
    return readOnly ? "readOnly" : undefined;
  } catch (error) {
    report(error);
    return unavailabilityOf(error) ?? "unreachable";
  }
}
