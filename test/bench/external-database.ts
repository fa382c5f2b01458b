/** A PostgreSQL of the operator's own, which several stores reach by DATABASE_URL. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { DATABASE_NAME, prepareCluster } from "../../database/embedded/cluster.ts";
import { chooseLocation } from "../../database/embedded/location.ts";
import { launch } from "../../database/embedded/process.ts";
import { freePort } from "../harness/free-port.ts";
import { cpuOf } from "./processes.ts";

export interface ExternalDatabase {
  /** DATABASE_URL */
  url: string;
  /** total CPU time of all its processes, also of closed connections, in milliseconds */
  cpu(): number;
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** As an embedded one, but for `connections` connections by TCP. */
export async function startExternalDatabase(home: string, connections: number): Promise<ExternalDatabase> {
  const sockets = join(home, "run");
  mkdirSync(sockets, { recursive: true, mode: 0o711 });
  const place = chooseLocation(home, sockets, (line) => process.stderr.write(`${line}\n`));
  const password = await prepareCluster(place);
  const port = await freePort();
  const server = launch(place, {
    listen_addresses: "127.0.0.1",
    port: String(port),
    max_connections: String(connections),
  });
  const url = `postgres://${DATABASE_NAME}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`;

  async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  for (;;) {
    if (await query("SELECT").catch(() => undefined)) break;
    if (!server.alive()) throw new Error(`PostgreSQL ended: ${await server.ended}`);
    await pause(20);
  }
  const [pid] = readFileSync(join(place.cluster, "postmaster.pid"), "utf8").split("\n");
  return {
    url,
    cpu: () => cpuOf(Number(pid)),
    query,
    stop: async () => void (await server.stop()),
  };
}
