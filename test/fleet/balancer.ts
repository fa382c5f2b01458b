/** A load balancer for tests: passes each connection on to the next node whose /readyz is 200, without retries. */
import { get } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Balancer {
  url: string;
  /** the ports of the nodes, including those that are not ready */
  ports: Set<number>;
  /** the ports that get connections */
  ready(): number[];
  /** the ports that have had a connection */
  used: Set<number>;
  close(): Promise<void>;
}

const PROBE_MS = 400;

/** Starts a balancer without nodes; add their ports to `ports`. */
export async function startBalancer(): Promise<Balancer> {
  const ports = new Set<number>();
  const used = new Set<number>();
  const clients = new Set<Socket>();
  let ready: number[] = [];
  let next = 0;
  let isClosed = false;

  async function probe(): Promise<void> {
    while (!isClosed) {
      const found = await Promise.all([...ports].map(async (port) => ((await isReady(port)) ? [port] : [])));
      ready = found.flat();
      await pause(PROBE_MS);
    }
  }

  const server = createServer((client) => {
    next += 1;
    const port = ready[next % ready.length];
    if (port === undefined) return client.destroy();
    used.add(port);
    clients.add(client);
    const node = connect(port, "127.0.0.1");
    client.pipe(node).pipe(client);
    node.on("error", () => client.destroy());
    client.on("error", () => node.destroy()).on("close", () => clients.delete(client));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const probing = probe();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    ready: () => ready,
    used,
    async close() {
      isClosed = true;
      await probing;
      for (const client of clients) client.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = get({ host: "127.0.0.1", port, path: "/readyz", timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on("timeout", () => probe.destroy()).on("error", () => resolve(false));
  });
}
