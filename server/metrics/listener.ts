/** A separate port for Prometheus, so that no load balancer exposes it. */
import { createServer } from "node:http";
import { Registry } from "prom-client";
import { type Config, InvalidEnvironment } from "../config.ts";

export async function listenForScrapes(
  { HOST, METRICS_PORT }: Pick<Config, "HOST" | "METRICS_PORT">,
  read: () => Promise<string>,
  report: (error: unknown) => void,
): Promise<() => Promise<void>> {
  if (METRICS_PORT === undefined) return async () => undefined;
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error) => {
        report(error);
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((listening, fail) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const inUse = `${METRICS_PORT} is already in use. Set it to another one.`;
      fail(new InvalidEnvironment(`METRICS_PORT: ${code === "EADDRINUSE" ? inUse : message}`));
    });
    server.listen(METRICS_PORT, HOST, listening);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
}
