/** A node that is about to stop. Nodes that are replaced under load are in previous-release.test.ts. */
import { get } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { freshDatabase } from "../harness/database.ts";
import { openStore } from "../harness/store.ts";
import { startNode } from "./node.ts";

interface Draining {
  port: number;
  /** Resolves when the store has stopped. */
  stopped: Promise<unknown>;
}

/** In this process. */
async function drainStore(use: (port: number) => Promise<unknown>): Promise<Draining> {
  const store = await openStore({ environment: { DRAIN_SECONDS: "2" } });
  const port = Number(new URL(store.url).port);
  await use(port);
  return { port, stopped: store.stop() };
}

async function drainTwoProcesses(use: (port: number) => Promise<unknown>): Promise<Draining> {
  const database = await freshDatabase();
  const variables = { WORKERS: "2", DATABASE_CONNECTIONS: "20", DRAIN_SECONDS: "2" };
  const node = await startNode(database.connection, variables);
  onTestFinished(async () => {
    await node.remove();
    await database.drop();
  });
  await use(node.port);
  const exited = node.stop();
  return { port: node.port, stopped: exited.then((status) => expect(status).toBe(0)) };
}

test.each([
  ["one process", drainStore],
  ["two processes", drainTwoProcesses],
])(
  "a draining node of %s is not ready, answers, and closes its connections",
  { timeout: 120_000 },
  async (_, drain) => {
    const { port, stopped } = await drain(async (open) => {
      expect(await headersOf(open, "/healthz")).toEqual({ status: 200, connection: "keep-alive" });
      // in the response cache from here on
      await headersOf(open, "/openapi.json");
    });
    // the processes respond in turn, and each begins to drain at its own moment
    await expect
      .poll(() => Promise.all([1, 2, 3, 4].map(() => headersOf(port, "/readyz"))), { interval: 10 })
      .toEqual(Array(4).fill({ status: 503, connection: "close" }));
    for (const path of ["/healthz", "/openapi.json", "/products"])
      expect(await headersOf(port, path), path).toEqual({ status: 200, connection: "close" });
    await stopped;
  },
);

test.each(["-1", "601", "1.5", "soon"])("DRAIN_SECONDS of %s is refused", (DRAIN_SECONDS) => {
  expect(() => readConfig({ DRAIN_SECONDS })).toThrow(/^DRAIN_SECONDS: /);
});

function headersOf(port: number, path: string) {
  return new Promise((resolve, reject) => {
    const headers = { connection: "keep-alive" };
    get({ host: "127.0.0.1", port, path, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, connection: response.headers.connection });
    }).on("error", reject);
  });
}
