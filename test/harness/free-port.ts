import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port below those that systems give to outgoing connections and to `listen(0)`: none of them is assigned between this
 * check and the moment the test listens. And above 10080, the last port that browsers and `fetch` refuse.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
