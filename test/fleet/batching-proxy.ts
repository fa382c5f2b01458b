import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

const LAST = 48 * 1024;
const SILENCE = 50;

/**
 * A proxy of a PostgreSQL's socket that sends the last 48 kB before each silence of the server together, as a network
 * may. `hold` delays what the server sends until the function that it returns is called.
 */
export async function startBatchingProxy(socket: string) {
  let held: Promise<void> | undefined;
  const proxy = createServer((client) => {
    const server = connect(socket);
    client.pipe(server);
    let waiting = Buffer.alloc(0);
    let flush: NodeJS.Timeout | undefined;
    server.on("data", async (bytes: Buffer) => {
      clearTimeout(flush);
      waiting = Buffer.concat([waiting, bytes]);
      client.write(waiting.subarray(0, -LAST));
      waiting = waiting.subarray(-LAST);
      flush = setTimeout(() => {
        client.write(waiting);
        waiting = Buffer.alloc(0);
      }, SILENCE);
      if (!held) return;
      server.pause();
      await held;
      server.resume();
    });
    server.on("close", () => client.end());
    for (const side of [client, server]) side.on("error", () => undefined); // the other side is closed
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void proxy.close());
  return {
    ...(proxy.address() as { port: number }),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
  };
}
