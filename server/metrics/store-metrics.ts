import type pg from "pg";
import { Gauge, type Registry } from "prom-client";
import { countJobs } from "../../database/job-queue.ts";
import { withTimeout } from "../../providers/with-timeout.ts";
import { readFigures } from "../../shop/reports/figures.ts";

type Figures = Awaited<ReturnType<typeof readAll>>;

const TIMEOUT_MS = 3000;

const createTimeoutError = () => new Error(`the figures could not be read within ${TIMEOUT_MS} ms`);

/** Absent if the database cannot be read, so that stale values are not mistaken for new ones. */
export function addStoreMetrics(registry: Registry, pool: pg.Pool, report: (error: unknown) => void): void {
  let reading: Promise<Figures | undefined> | undefined;
  // all metrics of a scrape are collected at once and share one read
  const readShared = () => {
    reading ??= withTimeout(readAll(pool), TIMEOUT_MS, createTimeoutError)
      .catch((error) => void report(error))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const addGauge = (name: string, help: string, read: (figures: Figures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: "max",
      async collect() {
        const figures = await readShared();
        if (figures) this.set(read(figures));
        else this.remove();
      },
    });
  const addJobGauge = (name: string, help: string, read: (job: Figures["jobs"][number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["task"],
      registers: [registry],
      aggregator: "max",
      async collect() {
        const figures = await readShared();
        this.reset();
        for (const job of figures?.jobs ?? []) this.set({ task: job.task }, read(job));
      },
    });
  addGauge("stator_orders_last_hour", "Orders placed within the last hour", ({ orders }) => orders);
  addGauge(
    "stator_revenue_last_hour_cents",
    "Paid within the last hour, less refunds",
    ({ revenue_cents }) => revenue_cents,
  );
  addGauge(
    "stator_oldest_unshipped_seconds",
    "Age of the oldest paid order line that is to be shipped",
    ({ oldest_unshipped_seconds }) => oldest_unshipped_seconds,
  );
  addGauge("stator_emails_queued", "Emails in the queue", ({ jobs }) => {
    return jobs.find(({ task }) => task === "send-mail")?.count ?? 0;
  });
  addJobGauge("stator_jobs", "Jobs in the queue", ({ count }) => count);
  addJobGauge("stator_jobs_failed", "Jobs in the queue that have failed before", ({ failed }) => failed);
  new Gauge({
    name: "stator_figures_up",
    help: "Whether the figures of the store could be read from the database",
    registers: [registry],
    aggregator: "max",
    async collect() {
      this.set((await readShared()) ? 1 : 0);
    },
  });
}

async function readAll(pool: pg.Pool) {
  const [figures, jobs] = await Promise.all([readFigures(pool), countJobs(pool)]);
  return { ...figures, jobs };
}
