/** What is the same for everybody, kept as bytes: what its memory does when it cannot be made, and when it lasts. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { addMemory } from "../../server/http/memory.ts";

const zlib = vi.hoisted(() => ({ compressions: 0 }));
vi.mock("node:zlib", async (original) => {
  const real = await original<typeof import("node:zlib")>();
  const brotliCompress = (...given: Parameters<typeof real.brotliCompress>) => {
    zlib.compressions += 1;
    real.brotliCompress(...given);
  };
  return { ...real, brotliCompress };
});

/** Older than an answer may be. */
const OLD_MS = 1100;

let app: FastifyInstance;
/** How often the page was made. */
let calls: number;
afterEach(() => app.close());

/** A server with one page that is remembered, made by `make`; gives its address. */
async function serve(make: () => Promise<string> | string): Promise<string> {
  app = Fastify();
  calls = 0;
  addMemory(app);
  app.get("/page", { config: { remember: "briefly" } }, async (request, reply) => {
    calls += 1;
    const status = request.url.endsWith("missing") ? 404 : 200;
    return reply
      .code(status)
      .type("text/html")
      .send(await make());
  });
  app.post("/page", () => "changed");
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as { port: number }).port}/page`;
}

test("while it cannot be made anew, all who ask try at once, not one after the other", async () => {
  let attempt = Promise.resolve("first");
  const url = await serve(() => attempt);
  expect(await (await fetch(url)).text()).toBe("first");
  await pause(OLD_MS);

  const first = Promise.withResolvers<string>();
  attempt = first.promise;
  const asked = Array.from({ length: 8 }, () => fetch(url));
  await expect.poll(() => calls).toBe(2);
  const second = Promise.withResolvers<string>();
  attempt = second.promise;
  await pause(200); // all eight are there by now, and seven of them wait
  expect(calls).toBe(2);
  first.reject(new Error("nothing to make it of"));
  await expect.poll(() => calls).toBe(9);
  second.resolve("second");

  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(7).fill(200), 500]);
});

test.each([
  [200, "what is there", "/page"],
  [404, "that nothing is there", "/page?missing"],
])("is made once for all who ask for it the first time: %i, %s", async (status, _what, path) => {
  const made = Promise.withResolvers<string>();
  const url = await serve(() => made.promise);
  const asked = Array.from({ length: 8 }, () => fetch(new URL(path, url)));
  await expect.poll(() => calls).toBe(1);
  await pause(200); // all eight are there by now, and seven of them wait
  made.resolve("once");
  for (const answer of await Promise.all(asked)) {
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe("once");
  }
  expect(calls).toBe(1);
});

test("who changed something meanwhile is given what is made after it", async () => {
  let attempt = Promise.resolve("before");
  const url = await serve(() => attempt);
  const before = Promise.withResolvers<string>();
  attempt = before.promise;
  const slow = fetch(url);
  await expect.poll(() => calls).toBe(1);
  await fetch(url, { method: "POST" });
  attempt = Promise.resolve("after");
  expect(await (await fetch(url)).text()).toBe("after");
  before.resolve("before");
  expect(await (await slow).text()).toBe("before");
});

test("is not forgotten by a HEAD, which changes nothing", async () => {
  const url = await serve(() => "made");
  await fetch(url);
  await fetch(url, { method: "HEAD" });
  const made = calls;
  await fetch(url);
  expect(calls).toBe(made);
});

test("is compressed harder when it has lasted: once, and nobody waits for it", async () => {
  const words = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const url = await serve(() => words);
  const sent = async () => {
    const answer = await fetch(url, { headers: { "Accept-Encoding": "br" } });
    expect(await answer.text()).toBe(words);
    return Number(answer.headers.get("content-length"));
  };
  const before = zlib.compressions;
  const atFirst = await sent();
  expect(atFirst).toBeLessThan(gzipSync(words).length);
  await pause(OLD_MS);
  expect(await sent()).toBe(atFirst);
  await expect.poll(sent).toBeLessThan(atFirst);
  await pause(OLD_MS);
  expect(await sent()).toBeLessThan(atFirst);
  expect(calls).toBe(3);
  expect(zlib.compressions - before).toBe(2);
});
