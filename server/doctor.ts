/** `npm run doctor`, also while the store runs. Exits with 1 for what it finds and with 2 if it cannot run. */
import Fastify from "fastify";
import type pg from "pg";
import { openPool } from "../database/client.ts";
import { connectTo } from "../database/hosts.ts";
import { type ReconciliationReport, reconcile } from "../shop/reconciliation/check.ts";
import { repairDiscrepancies } from "../shop/reconciliation/repair.ts";
import type { Store } from "../shop/store.ts";
import { print, runCommand } from "./command.ts";
import { type Config, readConfig } from "./config.ts";
import { connectionName, directConnection } from "./connections.ts";
import { withEmbeddedDatabase } from "./database.ts";
import { type DoctorOptions, readDoctorOptions } from "./doctor-options.ts";
import { connectPayments } from "./payments.ts";
import { printPictureProblems } from "./pictures.ts";
import { openSecrets } from "./secrets.ts";
import { printUnsentEmails } from "./unsent-emails.ts";

/** The poller resolves anything younger within half a minute. */
const RECHECK_AFTER_MS = 35_000;

/** Without keys, the sandbox listens on a port of the doctor's own. */
async function withStore(config: Config, connection: pg.PoolConfig, run: (store: Store) => Promise<void>) {
  const pool = openPool({ ...connection, max: 3, isUnlimited: true, ...connectionName("doctor") }, (error) =>
    print(error.message),
  );
  const app = Fastify();
  try {
    const listening = { origin: "" };
    const payments = connectPayments(config, await openSecrets(config, pool), pool, {
      origin: () => listening.origin,
    });
    const store: Store = {
      pool,
      payments: payments.provider,
      unpaidHoldHours: config.UNPAID_HOLD_HOURS,
    };
    if (!config.STRIPE_SECRET_KEY) {
      await payments.addRoutes(app, store);
      listening.origin = await app.listen({ port: 0, host: "127.0.0.1" });
    }
    await run(store);
  } finally {
    await app.close();
    await pool.end();
  }
}

function printReport({ claims, faults }: ReconciliationReport): void {
  if (faults.length === 0) return print(`All ${claims.length} checks passed.`);
  for (const claim of new Set(faults.map((fault) => fault.claim))) {
    print(`Failed: ${claim}`);
    for (const fault of faults) if (fault.claim === claim) print(`  - ${fault.detail}`);
  }
  print(faults.length === 1 ? "1 discrepancy." : `${faults.length} discrepancies.`);
}

async function run(store: Store, { repair, days }: DoctorOptions): Promise<void> {
  let report = await reconcile(store, { days, recheckAfterMs: repair ? 0 : RECHECK_AFTER_MS });
  if (repair && report.faults.length > 0) {
    printReport(report);
    await repairDiscrepancies(store, days, print);
    report = await reconcile(store, { days, recheckAfterMs: 1000 });
  }
  printReport(report);
  if (report.faults.length > 0) process.exitCode = 1;
}

await runCommand(2, async () => {
  const options = readDoctorOptions(process.argv.slice(2));
  const config = readConfig(process.env);
  const printFailure = (line: string) => {
    print(line);
    process.exitCode = 1;
  };
  const runDoctor = (connection: pg.PoolConfig) =>
    withStore(config, connection, (store) => run(store, options));
  await (config.DATABASE_URL
    ? runDoctor(directConnection(config, connectTo(config.DATABASE_URL)))
    : withEmbeddedDatabase(config, print, runDoctor));
  if (config.SMTP_URL) await printUnsentEmails(config, printFailure);
  await printPictureProblems(config, printFailure);
});
