/** A primary and two standbys with quorum commit, for tests: PostgreSQL's own replication, on ports of this machine. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { DATABASE_NAME, prepareCluster } from "../../database/embedded/cluster.ts";
import { launch, type ServerProcess } from "../../database/embedded/process.ts";
import { freePort } from "../harness/free-port.ts";
import { locationIn } from "./cluster-location.ts";

export interface ReplicatedDatabase {
  /** DATABASE_URL with all three hosts */
  url: string;
  /** Kills the primary with SIGKILL. */
  killPrimary(): void;
  /** Promotes the standby that has received the most, and has the other one follow it. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

interface Server {
  name: string;
  port: number;
  cluster: string;
  process: ServerProcess;
}

export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "stator-replicated-"));
  const names = ["one", "two", "three"];
  const ports = await Promise.all(names.map(freePort));
  const first = locationIn(join(folder, "one"));
  const password = await prepareCluster(first);
  const clientOf = (port: number) =>
    new pg.Client({
      host: "127.0.0.1",
      port,
      user: DATABASE_NAME,
      password,
      database: DATABASE_NAME,
      query_timeout: 10_000,
    });
  const follow = (port: number) => `host=127.0.0.1 port=${port} user=${DATABASE_NAME} password=${password}`;

  const locations = names.map((name, index) => {
    if (index === 0) return first;
    const home = join(folder, name);
    cpSync(first.cluster, join(home, "postgres"), { recursive: true });
    writeFileSync(join(home, "postgres", "standby.signal"), "");
    const conninfo = `primary_conninfo = '${follow(ports[0] as number)}'\n`;
    appendFileSync(join(home, "postgres", "postgresql.auto.conf"), conninfo);
    return locationIn(home);
  });
  const servers: Server[] = locations.map((location, index) => {
    const name = names[index] as string;
    const port = ports[index] as number;
    const process = launch(location, {
      listen_addresses: "127.0.0.1",
      port: String(port),
      // by this name a standby is known to its primary
      cluster_name: name,
      synchronous_standby_names: `ANY 1 (${names.join(", ")})`,
      wal_keep_size: "256MB",
    });
    return { name, port, cluster: location.cluster, process };
  });
  let [primary, ...standbys] = servers as [Server, ...Server[]];

  async function query<Row extends pg.QueryResultRow>(server: Server, text: string): Promise<Row[]> {
    const client = clientOf(server.port);
    client.on("error", () => undefined); // the query reports it
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function waitFor(server: Server, condition: string): Promise<void> {
    for (;;) {
      const [row] = await query<{ met: boolean }>(server, `SELECT ${condition} AS met`).catch(() => []);
      if (row?.met) return;
      if (!server.process.alive()) throw new Error(`${server.name} ended: ${await server.process.ended}`);
      await pause(20);
    }
  }

  async function received(server: Server): Promise<number> {
    const [row] = await query<{ bytes: number }>(
      server,
      "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::float8 AS bytes",
    );
    return row?.bytes ?? 0;
  }

  for (const server of servers) await waitFor(server, "true");
  await waitFor(primary, "(SELECT count(*) = 2 FROM pg_stat_replication WHERE sync_state = 'quorum')");
  return {
    url: `postgres://${DATABASE_NAME}:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/${DATABASE_NAME}`,
    killPrimary() {
      const [pid] = readFileSync(join(primary.cluster, "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGKILL");
    },
    async promote() {
      await primary.process.ended;
      const positions = await Promise.all(standbys.map(received));
      const chosen = standbys[positions.indexOf(Math.max(...positions))] as Server;
      standbys = standbys.filter((server) => server !== chosen);
      await query(chosen, "SELECT pg_promote()");
      for (const server of standbys) {
        await query(server, `ALTER SYSTEM SET primary_conninfo = '${follow(chosen.port)}'`);
        await query(server, "SELECT pg_reload_conf()");
      }
      primary = chosen;
    },
    async remove() {
      await Promise.all(servers.map(({ process }) => process.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
