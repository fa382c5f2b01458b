/** The response cache: coalesced rendering, freshness, encodings, and its bounds. */
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, test, vi } from "vitest";
import { acceptedEncodings } from "../../server/cache/accept-encoding.ts";
import { cacheKey } from "../../server/cache/cache-key.ts";
import { FAST } from "../../server/cache/cached-response.ts";
import { openResponseCache } from "../../server/cache/response-cache.ts";
import { addFiles } from "../../server/http/files.ts";

const zlib = vi.hoisted(() => ({ compressions: 0 }));
vi.mock("node:zlib", async (original) => {
  const real = await original<typeof import("node:zlib")>();
  const brotliCompress = (...given: Parameters<typeof real.brotliCompress>) => {
    zlib.compressions += 1;
    real.brotliCompress(...given);
  };
  return { ...real, brotliCompress };
});

/** Older than a cached response may be. */
const STALE_MS = 1100;

let app: FastifyInstance | undefined;
/** How often the page was rendered. */
let calls: number;
/** How many requests the server has received. */
let arrived: number;
afterEach(() => app?.close());

/** A server with one cached page, rendered by `make`; returns its URL. */
async function serve(make: () => Promise<string> | string): Promise<string> {
  const cache = openResponseCache({ keyOf: ({ url = "" }) => url });
  app = Fastify({ serverFactory: cache.serverFactory });
  calls = 0;
  arrived = 0;
  app.server.on("request", () => {
    arrived += 1;
  });
  cache.register(app);
  app.get("/page", { config: { cache: "public" } }, async (request, reply) => {
    calls += 1;
    const status = request.url.endsWith("missing") ? 404 : 200;
    return reply
      .code(status)
      .type("text/html")
      .send(await make());
  });
  app.post("/page", ({ body }, reply) => reply.code(Number(body ?? 200)).send("changed"));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as { port: number }).port}/page`;
}

test("when rendering fails, waiting requests retry concurrently", async () => {
  let attempt = Promise.resolve("first");
  const url = await serve(() => attempt);
  expect(await (await fetch(url)).text()).toBe("first");
  await pause(STALE_MS);

  const first = Promise.withResolvers<string>();
  attempt = first.promise;
  const requests = Array.from({ length: 8 }, () => fetch(url));
  await expect.poll(() => calls).toBe(2);
  const second = Promise.withResolvers<string>();
  attempt = second.promise;
  await expect.poll(() => arrived).toBe(9); // seven of them wait
  expect(calls).toBe(2);
  first.reject(new Error("rendering failed"));
  await expect.poll(() => calls).toBe(9);
  second.resolve("second");

  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(7).fill(200), 500]);
});

test("the last response is sent while rendering fails with 503, but not to a client that has just written", async () => {
  let render = () => Promise.resolve("rendered");
  const url = await serve(() => render());
  const { headers } = await fetch(url);
  await pause(STALE_MS);
  const unavailable = () => Promise.reject(Object.assign(new Error("no database"), { statusCode: 503 }));
  render = unavailable;
  const stale = await fetch(url);
  expect([stale.status, await stale.text()]).toEqual([200, "rendered"]);
  expect(stale.headers.get("etag")).toBe(headers.get("etag"));
  expect(stale.headers.get("content-type")).toBe(headers.get("content-type"));
  expect((await fetch(`${url}?other`)).status).toBe(503);
  await fetch(url, { method: "POST" });
  expect((await fetch(url)).status).toBe(503);
});

test.each([
  [200, "what is there", "/page"],
  [404, "that nothing is there", "/page?missing"],
])("is rendered once for all concurrent first requests: %i, %s", async (status, _what, path) => {
  const made = Promise.withResolvers<string>();
  const url = await serve(() => made.promise);
  const requests = Array.from({ length: 8 }, () => fetch(new URL(path, url)));
  await expect.poll(() => calls).toBe(1);
  await expect.poll(() => arrived).toBe(8); // seven of them wait
  made.resolve("once");
  for (const response of await Promise.all(requests)) {
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("once");
  }
  expect(calls).toBe(1);
});

test("a client that has written gets a response rendered afterwards", async () => {
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

test.each([
  [200, true],
  [404, true],
  [409, true],
  [422, true],
  [400, false],
  [429, false],
])("after a write with %i, the page is rendered again for its client: %s", async (status, isRendered) => {
  const url = await serve(() => "made");
  await fetch(url);
  const headers = { "Content-Type": "application/json" };
  await fetch(url, { method: "POST", headers, body: String(status) });
  await fetch(url);
  expect(calls).toBe(isRendered ? 2 : 1);
});

test("HEAD does not invalidate", async () => {
  const url = await serve(() => "made");
  await fetch(url);
  await fetch(url, { method: "HEAD" });
  const made = calls;
  await fetch(url);
  expect(calls).toBe(made);
});

test("an unchanged response is compressed harder once, in the background", async () => {
  const words = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const url = await serve(() => words);
  const sent = async () => {
    const response = await fetch(url, { headers: { "Accept-Encoding": "br" } });
    expect(await response.text()).toBe(words);
    return Number(response.headers.get("content-length"));
  };
  const before = zlib.compressions;
  const atFirst = await sent();
  expect(atFirst).toBeLessThan(gzipSync(words, { level: FAST }).length);
  await pause(STALE_MS);
  expect(await sent()).toBe(atFirst);
  await expect.poll(sent).toBeLessThan(atFirst);
  await pause(STALE_MS);
  expect(await sent()).toBeLessThan(atFirst);
  expect(calls).toBe(3);
  expect(zlib.compressions - before).toBe(2);
});

test("the files of the build are not compressed again", async () => {
  const cache = openResponseCache();
  app = Fastify({ serverFactory: cache.serverFactory });
  cache.register(app);
  addFiles(app, "build/client", "build/brotli");
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const before = zlib.compressions;
  for (const name of readdirSync("build/client/assets").filter((one) => /\.(js|css)$/.test(one))) {
    const plain = readFileSync(`build/client/assets/${name}`);
    for (const times of ["first", "again"]) {
      const response = await fetch(`${origin}/assets/${name}`, {
        headers: { "Accept-Encoding": "br, zstd" },
      });
      const about = `${name}, ${times}`;
      expect(response.headers.get("content-encoding"), about).toBe(plain.length < 500 ? null : "br");
      expect(Buffer.from(await response.arrayBuffer()).equals(plain), about).toBe(true);
    }
  }
  expect(zlib.compressions).toBe(before);
});

test("other spellings of the URL of a file take no memory", async () => {
  const cache = openResponseCache();
  app = Fastify({ serverFactory: cache.serverFactory });
  cache.register(app);
  addFiles(app, "build/client", "build/brotli");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  const sizeOf = (name: string) => statSync(`build/client/assets/${name}`).size;
  const files = readdirSync("build/client/assets").sort((one, other) => sizeOf(other) - sizeOf(one));
  const [largest = ""] = files;
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
  const before = retainedMegabytes();
  for (let at = 0; at < 200; at += 1) {
    const name = Array.from(largest, (sign, place) => ((at >> place) & 1 ? escaped(sign) : sign)).join("");
    for (const path of [`/assets/${name}`, `/assets/${largest}#${at}`, `http://x${at}/assets/${largest}`])
      expect(await bytesAt(port, path), path).toBe(sizeOf(largest));
  }
  expect((600 * sizeOf(largest)) / 1024 / 1024).toBeGreaterThan(100);
  expect(retainedMegabytes() - before).toBeLessThan(30);
});

/** How long the body at a path is, which is sent as it is written. */
async function bytesAt(port: number, path: string): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, path }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}

test("a fresh response is sent as zstd, an unchanged one as brotli", async () => {
  const words = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const url = await serve(() => words);
  const sent = async () => {
    const response = await fetch(url, { headers: { "Accept-Encoding": "gzip, deflate, br, zstd" } });
    expect(await response.text()).toBe(words);
    return response.headers.get("content-encoding");
  };
  expect(await sent()).toBe("zstd");
  await pause(STALE_MS);
  expect(await sent()).toBe("zstd");
  await expect.poll(sent).toBe("br");
});

describe("the key of a response", () => {
  test.each([
    ["/reviews?pad=1", "/reviews"],
    ["/reviews?limit=5&cursor=abc&pad=1", "/reviews?limit=5&cursor=abc"],
    ["/?utm_source=mail", "/"],
    ["/_root.data?_routes=pages%2Fhome&x=1", "/_root.data?_routes=pages%2Fhome"],
    ["/product/1?ref=a", "/product/1"],
    ["/tools?category=Saws&q=drill&category=Drills", "/tools?q=drill&category=Saws&category=Drills"],
    ["/tools?q=a+b%20c", "/tools?q=a+b+c"],
    ["/catalog??q=drill", null],
    ["/catalog?q=%FF&sort=price", null],
    ["/reset-password?token=secret", null],
    ["/dashboard/orders", null],
    ["/user/ada@example.com", null],
    [`/tools?q=${"x".repeat(2000)}`, null],
    [`/reviews?pad=${"x".repeat(5000)}`, null],
  ])("%s is %s", (url, key) => {
    expect(cacheKey(url)).toBe(key);
  });
});

describe("Accept-Encoding", () => {
  test.each([
    [undefined, "identity", "identity"],
    ["", "identity", "identity"],
    ["gzip, deflate, br, zstd", "br", "zstd"],
    ["gzip, deflate, br", "br", "br"],
    ["gzip, zstd", "zstd", "zstd"],
    ["gzip", "gzip", "gzip"],
    ["br;q=0", "identity", "identity"],
    ["br;q=0, gzip", "gzip", "gzip"],
    ["br; q=0.000,gzip;q=0.5", "gzip", "gzip"],
    ["br, zstd;q=0.5", "br", "br"],
    ["x-br", "identity", "identity"],
    ["x-gzip-2, brotli", "identity", "identity"],
    ["*", "br", "zstd"],
    ["*;q=0", "identity", "identity"],
    ["*, br;q=0", "zstd", "zstd"],
    ["BR", "br", "br"],
    ["gzip;q=1, br;q=0.1", "gzip", "gzip"],
    ["br;q=nonsense", "identity", "identity"],
    ["identity", "identity", "identity"],
  ])("%s gets %s, or %s", (header, smallest, fastest) => {
    expect(acceptedEncodings(header)).toEqual({ smallest, fastest });
  });
});

test("distinct URLs do not exceed the memory limit or evict a page in use", async () => {
  const url = await serve(() => "x".repeat(2000));
  const { hostname, port } = new URL(url);
  const before = retainedMegabytes();
  for (let round = 0; round < 10; round += 1) {
    await requestAll(
      hostname,
      Number(port),
      Array.from({ length: 2000 }, (_, place) => `/page?${round}-${place}-${"p".repeat(800)}`),
    );
    const rendered = calls;
    await (await fetch(url)).text();
    await (await fetch(url)).text();
    expect(calls - rendered).toBeLessThanOrEqual(1);
  }
  expect(calls).toBeGreaterThan(20_000);
  // 20,000 entries of some 9 kB would be 180 MB; the collector leaves some garbage
  expect(retainedMegabytes() - before).toBeLessThan(80);
});

/** Requests all paths on one connection. */
async function requestAll(host: string, port: number, paths: string[]): Promise<void> {
  const socket = connect(port, host);
  await once(socket, "connect");
  socket.setEncoding("latin1");
  const status = "HTTP/1.1 200";
  let answered = 0;
  let rest = "";
  const done = Promise.withResolvers<void>();
  socket.on("error", done.reject).on("data", (text: string) => {
    const parts = (rest + text).split(status);
    answered += parts.length - 1;
    // a status may be in two chunks
    rest = (parts.at(-1) as string).slice(1 - status.length);
    if (answered >= paths.length) done.resolve();
  });
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  await done.promise;
  socket.destroy();
}

/** Memory in use after a garbage collection. */
function retainedMegabytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}
