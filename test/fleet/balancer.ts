/** A load balancer for tests: round-robin over the nodes whose /readyz is 200, without retries. */
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Balancer {
  url: string;
  /** the ports of the nodes, including those that are not ready */
  ports: Set<number>;
  /** those that get requests */
  ready(): number[];
  close(): Promise<void>;
}

const PROBE_MS = 100;

/** Starts a balancer without nodes; add their ports to `ports`. */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ports = new Set<number>();
  let ready: number[] = [];
  let turn = 0;
  let isClosed = false;

  async function probe(): Promise<void> {
    while (!isClosed) {
      const found = await Promise.all([...ports].map(async (port) => ((await isReady(port)) ? [port] : [])));
      ready = found.flat();
      await pause(PROBE_MS);
    }
  }

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    turn += 1;
    const port = ready[turn % ready.length];
    const fail = (error: Error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(error.message);
    };
    if (port === undefined) return fail(new Error("no node is ready"));
    const { method, url, headers } = incoming;
    const { connection: _hop, ...rest } = headers;
    const asked = send(
      {
        host: "127.0.0.1",
        port,
        method,
        path: url,
        agent,
        headers: { ...rest, "x-forwarded-for": "192.0.2.7" },
      },
      (answer) => {
        const { connection: _own, "keep-alive": _time, ...given } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, { ...given, "x-node": String(port) });
        answer.on("error", fail).pipe(outgoing);
      },
    );
    incoming.pipe(asked.on("error", fail));
  }

  const server = createServer(pass);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const probing = probe();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    ready: () => ready,
    async close() {
      isClosed = true;
      await probing;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      agent.destroy();
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
