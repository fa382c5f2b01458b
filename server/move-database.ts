/** `npm run move-database`, for a stopped store and an empty DATABASE_URL, in one transaction. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { openPool } from "../database/client.ts";
import { copyTables, findObstacle } from "../database/copy-tables.ts";
import { migrateAndSeed } from "../database/migrate.ts";
import { importPictureFolder } from "../providers/pictures/database.ts";
import { print, runCommand } from "./command.ts";
import { type Config, readConfig } from "./config.ts";
import { connectionName, directConnection } from "./connections.ts";
import { openDatabaseServer, withStoppedDatabase } from "./database.ts";
import { prepareJobs } from "./jobs/tasks.ts";
import { connectPayments } from "./payments.ts";
import { openSecrets } from "./secrets.ts";

/** Stores that start on the target meanwhile wait for the lock of the migrations. */
async function move(source: pg.Client, config: Config): Promise<void> {
  const { connection } = await openDatabaseServer(config, print);
  const pool = openPool(
    { ...directConnection(config, connection), max: 3, isUnlimited: true, ...connectionName("move") },
    (error) => print(error.message),
  );
  try {
    const obstacle = await findObstacle(pool);
    if (obstacle) throw new Error(`DATABASE_URL: the database is not empty: it has ${obstacle}.`);
    const { tables, rows } = await migrateAndSeed(pool, async () => {
      const secrets = await openSecrets(config, pool);
      // the store may have used the sandbox before it had keys
      await connectPayments({ ...config, STRIPE_SECRET_KEY: undefined }, secrets, pool).migrate(pool);
      await prepareJobs(pool);
      const target = await pool.connect();
      try {
        return await copyTables(source, target, async () => {
          if (!config.PICTURES_S3_URL) await importPictureFolder(target, join(config.DATA_DIR, "pictures"));
        });
      } finally {
        // closing the connection rolls back what failed
        target.release(true);
      }
    });
    print(`Copied ${rows} rows of ${tables} tables. ${config.DATA_DIR} was not changed.`);
  } finally {
    await pool.end();
  }
}

function runDoctor(): boolean {
  const args = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "doctor.ts")];
  const env = { ...process.env, BACKUP_DIR: "" };
  return spawnSync(process.execPath, args, { env, stdio: "inherit" }).status === 0;
}

await runCommand(1, async () => {
  parseArgs({ options: {} });
  const config = readConfig({ ...process.env, BACKUP_DIR: "" });
  if (!config.DATABASE_URL) throw new Error("DATABASE_URL is missing: it names the database to move to.");
  await withStoppedDatabase(
    readConfig({ ...process.env, DATABASE_URL: "", DATABASE_DIRECT_URL: "", DATABASE_READ_URL: "" }),
    print,
    async (connection) => {
      const source = new pg.Client(connection);
      source.on("error", () => undefined); // the query reports it
      await source.connect();
      try {
        await move(source, config);
      } finally {
        // what a failed copy still sends is not read
        source.connection.stream.destroy();
      }
    },
  );
  if (!runDoctor()) throw new Error("The doctor found discrepancies in the copy: do not use it.");
  print("From now on start the store with this DATABASE_URL, and without BACKUP_DIR.");
  print(
    config.SECRET
      ? "All nodes need the same SECRET."
      : "The database has the secret of DATA_DIR for all nodes; docs/operating.md says how to keep it out.",
  );
});
