import cluster from "node:cluster";
import type pg from "pg";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CallName } from "../../api/contract.ts";

export interface Metrics {
  registry: Registry;
  observeRequest(request: ObservedRequest): void;
  countRejection(call: string, status: number): void;
  countPurge(result: "sent" | "failed"): void;
}

export interface ObservedRequest {
  method: string;
  route: string;
  status: number;
  /** sent from the response cache, before Fastify */
  cached: boolean;
  seconds: number;
}

/** The calls that sell. Their counters begin at 0: Prometheus sees no increase in a series that begins with its first failure. */
export const SALES: readonly CallName[] = ["placePurchase", "placeOrder"];

export type ObservedPools = Record<string, Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">>;

/** `labelProcess` adds the process to each metric, if nothing aggregates the processes. */
export function openMetrics(pools: ObservedPools, { labelProcess }: { labelProcess: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (labelProcess) registry.setDefaultLabels({ process: String(process.pid) });
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: "stator_request_seconds",
    help: "Response time",
    labelNames: ["method", "route", "status", "cache"],
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const rejected = new Counter({
    name: "stator_purchases_rejected_total",
    help: "Calls to place a purchase or an order that were refused or failed",
    labelNames: ["call", "status"],
    registers,
  });
  for (const call of SALES) for (const status of [409, 422, 429, 500, 503]) rejected.inc({ call, status }, 0);
  const purged = new Counter({
    name: "stator_edge_purges_total",
    help: "Requests that purge the cache in front of the store, by result",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["sent", "failed"]) purged.inc({ result }, 0);
  new Gauge({
    name: "stator_database_connections",
    help: "Open connections to the database",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: "used" }, totalCount - idleCount);
        this.set({ pool, state: "idle" }, idleCount);
      }
    },
  });
  new Gauge({
    name: "stator_database_waiting",
    help: "Requests waiting for a database connection",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
  return {
    registry,
    observeRequest({ method, route, status, cached, seconds: duration }) {
      seconds.observe({ method, route, status, cache: cached ? "hit" : "none" }, duration);
    },
    countRejection: (call, status) => rejected.inc({ call, status }),
    countPurge: (result) => purged.inc({ result }),
  };
}

export function shareMetrics({ registry }: Metrics): void {
  if (!cluster.isWorker) return;
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
}

export function readAllProcesses(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}
