/** Nodes that are replaced one after the other behind a balancer, under load: no request fails. */
import { get } from "node:http";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { freshDatabase } from "../harness/database.ts";
import { logIn } from "../harness/people.ts";
import { startBalancer } from "./balancer.ts";
import { admin, type FleetNode, startNode } from "./node.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

const MIN_REQUESTS = 3000;
const CLIENTS = 6;
const paths = [
  "/",
  "/products?limit=5",
  "/tools",
  "/dashboard/profile",
  `/user/${admin.email}`,
  "/openapi.json",
];

test("nodes are replaced under load, and no request fails", { timeout: 240_000 }, async () => {
  const database = await freshDatabase();
  cleanUp.push(database.drop);
  const open = async () => {
    const node = await startNode(database.connection, { SAMPLE_DATA: "on", DRAIN_SECONDS: "2" });
    cleanUp.push(node.remove);
    return node;
  };
  const balancer = await startBalancer();
  cleanUp.push(balancer.close);
  const add = async (node: FleetNode) => {
    balancer.ports.add(node.port);
    await expect.poll(() => balancer.ready(), { timeout: 20_000 }).toContain(node.port);
  };
  const old = [await open(), await open()];
  for (const node of old) await add(node);

  const { token, cookie } = await logIn(old[0] as FleetNode, admin);
  const headers = { authorization: `Bearer ${token}`, cookie };
  const failed: string[] = [];
  const answeredBy = new Map<string, number>();
  let sent = 0;
  let loading = true;
  const load = Array.from({ length: CLIENTS }, async () => {
    while (loading || sent < MIN_REQUESTS) {
      sent += 1;
      const path = paths[sent % paths.length] as string;
      try {
        const response = await fetch(`${balancer.url}${path}`, { headers, redirect: "manual" });
        await response.arrayBuffer();
        const node = response.headers.get("x-node") ?? "none";
        answeredBy.set(node, (answeredBy.get(node) ?? 0) + 1);
        if (response.status !== 200) failed.push(`${path}: ${response.status}`);
      } catch (error) {
        failed.push(`${path}: ${error}`);
      }
    }
  });
  for (const node of old) {
    const stopped = node.stop();
    await add(await open());
    expect(await stopped).toBe(0);
    balancer.ports.delete(node.port);
  }
  loading = false;
  await Promise.all(load);
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(MIN_REQUESTS);
  expect(answeredBy.size).toBe(4);
});

test.each(["1", "2"])(
  "a draining node of %s processes is not ready, answers, and closes its connections",
  {
    timeout: 60_000,
  },
  async (WORKERS) => {
    const database = await freshDatabase();
    cleanUp.push(database.drop);
    const node = await startNode(database.connection, {
      WORKERS,
      DATABASE_CONNECTIONS: "20",
      DRAIN_SECONDS: "3",
    });
    cleanUp.push(node.remove);
    expect(await headersOf(node, "/healthz")).toEqual({ status: 200, connection: "keep-alive" });
    // in the response cache from here on
    await headersOf(node, "/openapi.json");
    const stopped = node.stop();
    await expect
      .poll(() => headersOf(node, "/readyz"), { interval: 10 })
      .toEqual({ status: 503, connection: "close" });
    for (const path of ["/healthz", "/openapi.json", "/products"]) {
      expect(await headersOf(node, path), path).toEqual({ status: 200, connection: "close" });
    }
    expect(await stopped).toBe(0);
  },
);

test.each(["-1", "601", "1.5", "soon"])("DRAIN_SECONDS of %s is refused", (DRAIN_SECONDS) => {
  expect(() => readConfig({ DRAIN_SECONDS })).toThrow(/^DRAIN_SECONDS: /);
});

function headersOf(node: FleetNode, path: string) {
  return new Promise((resolve, reject) => {
    const headers = { connection: "keep-alive" };
    get({ host: "127.0.0.1", port: node.port, path, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, connection: response.headers.connection });
    }).on("error", reject);
  });
}
