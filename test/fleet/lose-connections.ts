/** Drops all packets between a PostgreSQL and its clients, and prints who notices. Run it in a network of its own. */
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { listenForChanges } from "../../database/change-listener.ts";
import { openPool } from "../../database/client.ts";
import { DATABASE_NAME, prepareCluster } from "../../database/embedded/cluster.ts";
import { launch } from "../../database/embedded/process.ts";
import { locationIn } from "./cluster-location.ts";

const LONGEST_MS = 60_000;

execFileSync("ip", ["link", "set", "lo", "up"]);
const location = locationIn(process.argv[2] as string);
const password = await prepareCluster(location);
const server = launch(location, { listen_addresses: "127.0.0.1" });
const connection = { port: 5432, user: DATABASE_NAME, password, database: DATABASE_NAME };
const pool = openPool({ ...connection, host: "127.0.0.1", statement_timeout: 0 }, () => undefined);
while (
  await pool.query("SELECT").then(
    () => false,
    () => true,
  )
)
  await pause(50);
// by a socket, so that its packets arrive
const local = new pg.Client({ ...connection, host: location.socket });
local.on("error", () => undefined); // the server stops
await local.connect();

const holder = await pool.connect();
await holder.query("SELECT pg_advisory_lock(1)");
const rejected = pool.query("SELECT pg_sleep(3)").catch(() => console.log("the query was rejected"));
const listening = Promise.withResolvers<void>();
const noticed = Promise.withResolvers<void>();
const listener = listenForChanges({ ...connection, host: "127.0.0.1" }, () => noticed.resolve());
listener.onChange(() => listening.resolve());
await listening.promise;
await pause(200);
execFileSync("iptables", ["-A", "INPUT", "-p", "tcp", "-j", "DROP"]);
const released = local.query("SELECT pg_advisory_lock(1)");
await Promise.race([
  pause(LONGEST_MS),
  Promise.all([
    rejected,
    released.then(() => console.log("the lock was released")),
    noticed.promise.then(() => console.log("the listener noticed")),
  ]),
]);
await server.stop();
process.exit();
