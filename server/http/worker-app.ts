/** A worker serves health checks, and the payment routes, since the sandbox may be its provider. */
import Fastify, { type FastifyInstance } from "fastify";
import type { AppDependencies } from "./app.ts";
import { closeConnections } from "./graceful-shutdown.ts";
import { addHealth } from "./health.ts";
import { addMetrics, observeResponses } from "./metrics-routes.ts";
import { identifyRequests, requestIds } from "./request-id.ts";

export async function buildWorkerApp({
  log,
  addPayments,
  metrics,
  tracing,
  servesMetrics,
  ...health
}: Pick<
  AppDependencies,
  "log" | "pool" | "databaseErrors" | "draining" | "metrics" | "tracing" | "servesMetrics" | "addPayments"
>): Promise<FastifyInstance> {
  const isTrusted = () => false;
  const app = Fastify({ ...requestIds(isTrusted), loggerInstance: log, forceCloseConnections: "idle" });
  identifyRequests(app, isTrusted, tracing);
  closeConnections(app);
  addHealth(app, health);
  observeResponses(app, metrics);
  if (servesMetrics) addMetrics(app, metrics);
  await addPayments(app);
  return app;
}
