/** Clients of a store that send GET requests on kept connections. Each response other than 200 is a failure. */
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export interface Load {
  failed: string[];
  /** Sends at full speed until this many requests were sent in total; resolves then. */
  reach(count: number): Promise<void>;
  /** Resolves when the last response has arrived. */
  stop(): Promise<void>;
}

const CLIENTS = 6;
/** Between the requests of a client at low speed. */
const PAUSE_MS = 200;

/** Starts at low speed, so that a request is always in flight. The paths are requested in turn. */
export function startLoad(url: string, paths: string[], headers: Record<string, string>): Load {
  const agent = new Agent({ keepAlive: true });
  const failed: string[] = [];
  let sent = 0;
  let quota = 0;
  let isOver = false;

  function send(path: string): Promise<void> {
    return new Promise((done) => {
      const fail = (reason: unknown) => {
        failed.push(`${path}: ${reason}`);
        done();
      };
      const request = get(`${url}${path}`, { agent, headers }, (response) => {
        response.resume().on("error", fail);
        response.on("end", () => (response.statusCode === 200 ? done() : fail(response.statusCode)));
      });
      request.on("error", fail);
    });
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      if (sent >= quota) await pause(PAUSE_MS);
      sent += 1;
      await send(paths[sent % paths.length] as string);
    }
  });
  return {
    failed,
    async reach(count) {
      quota = count;
      while (sent < count) await pause(PAUSE_MS);
    },
    async stop() {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}
