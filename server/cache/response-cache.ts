/** See README.md in this folder. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from "fastify";
import { LRUCache } from "lru-cache";
import type { ObservedRequest } from "../metrics/metrics.ts";
import { keyOfRequest } from "./cache-key.ts";
import {
  addEncoding,
  BEST,
  type CachedResponse,
  capture,
  encode,
  FAST,
  restore,
  reuseEncodings,
  send,
  sizeOf,
} from "./cached-response.ts";
import { edgeHeaders } from "./edge-cache.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** cache successful responses of this route: for a second, or for the life of this process */
    cache?: "public" | "immutable";
    brotli?: string;
  }
}

/** After this age one request renders the response again, while others still get the cached one. */
const REFRESH_MS = 900;
const FRESH_MS = 1000;
const MAX_BYTES = 12 * 1024 * 1024;
/** An expired entry is kept for its encodings, and as a fallback if the next response is a 503. */
const RETAIN_MS = 5 * 60_000;
const PURGE_MS = 60_000;
const MAX_WRITERS = 10_000;
/** Statuses of a write that was refused because of the present state, such as a stock below the quantity. */
const REFUSED = new Set([404, 409, 422]);

interface Rendering {
  startedAt: number;
  response: Promise<CachedResponse | undefined>;
  end: (response?: CachedResponse) => void;
}

export interface ResponseCache {
  /** for Fastify's option of this name: a server that responds from the cache before Fastify sees the request */
  serverFactory: FastifyServerFactory;
  register(app: FastifyInstance): void;
  invalidate(): void;
}

export interface ResponseCacheOptions {
  keyOf?: typeof keyOfRequest;
  observe?: (request: ObservedRequest) => void;
  edge?: boolean;
}

export function openResponseCache({
  keyOf = keyOfRequest,
  observe,
  edge = false,
}: ResponseCacheOptions = {}): ResponseCache {
  const entries = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
    ttl: RETAIN_MS,
  });
  const immutable = new Map<string, CachedResponse>();
  const renderings = new Map<string, Rendering>();
  /** by the response that renders */
  const renderers = new WeakMap<ServerResponse, Rendering>();
  /** when each client last wrote */
  const writers = new LRUCache<string, number>({ max: MAX_WRITERS, ttl: FRESH_MS });
  let invalidatedAt = 0;
  let app: FastifyInstance;

  function respond(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    if (request.method !== "GET") {
      if (!isSafe(request)) response.once("finish", () => recordWrite(request, response));
      return handle(request, response);
    }
    const url = request.url as string;
    const startedAt = performance.now();
    const key = keyOf(request);
    const cached = immutable.get(pathOf(url)) ?? (key === null ? undefined : findFresh(request, key));
    if (cached) {
      send(request, response, cached, app.log);
      const { statusCode: status } = response;
      const seconds = (performance.now() - startedAt) / 1000;
      return observe?.({ method: "GET", route: cached.route, status, cached: true, seconds });
    }
    // this request renders; meanwhile others get the current entry
    if (key !== null && entries.has(key) && !renderings.has(key)) startRendering(key, response);
    handle(request, response);
  }

  function findFresh(request: IncomingMessage, key: string): CachedResponse | undefined {
    const cached = entries.get(key);
    if (!cached || cached.requestedAt <= lastChangeFor(request)) return undefined;
    const age = performance.now() - cached.requestedAt;
    return age < REFRESH_MS || (age < FRESH_MS && renderings.has(key)) ? cached : undefined;
  }

  /** The last response as a fallback for a 503, unless this client has written since. */
  function findStale(request: IncomingMessage): CachedResponse | undefined {
    const key = keyOf(request);
    const cached = key === null ? undefined : entries.get(key);
    return cached && cached.requestedAt > (writers.get(clientOf(request)) ?? 0) ? cached : undefined;
  }

  function onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const isCacheable = request.method === "GET" && request.routeOptions.config.cache === "public";
    const key = isCacheable && !renderers.has(reply.raw) ? keyOf(request.raw) : null;
    if (key === null) return done();
    const other = renderings.get(key);
    if (!other || other.startedAt <= lastChangeFor(request.raw)) {
      startRendering(key, reply.raw);
      return done();
    }
    void other.response.then((response) => {
      // after a failure all requests try at once: in turn, the last would wait for all before it
      if (!response) return done();
      reply.hijack();
      send(request.raw, reply.raw, response, app.log);
    });
  }

  async function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { cache, brotli } = request.routeOptions.config;
    if (!cache) return payload;
    const rendering = renderers.get(reply.raw);
    const stale = reply.statusCode === 503 && cache === "public" && findStale(request.raw);
    if (stale) {
      restore(reply, stale);
      rendering?.end(stale);
      return encode(request, reply, stale);
    }
    if (!isPublic(request, reply, payload)) {
      rendering?.end();
      return payload;
    }
    if (edge && reply.statusCode === 200 && cache === "public" && keyOf(request.raw) !== null) {
      reply.headers(edgeHeaders(request.raw));
    }
    const isKept = cache === "public" || hasOneSpelling(pathOf(request.raw.url as string));
    const response = capture(reply, payload, cache === "immutable" && isKept ? BEST : FAST);
    if (response.status === 200) {
      if (brotli) addEncoding(response, "br", await readFile(brotli));
      if (isKept) store(request.raw, response, cache);
    }
    rendering?.end(response);
    return encode(request, reply, response);
  }

  function store(request: IncomingMessage, response: CachedResponse, cache: "public" | "immutable"): void {
    if (cache === "immutable") {
      immutable.set(pathOf(request.url as string), response);
      return;
    }
    const key = keyOf(request);
    if (key === null) return;
    const previous = entries.peek(key);
    if (previous) reuseEncodings(previous, response, app.log);
    entries.set(key, response);
  }

  function startRendering(key: string, response: ServerResponse): void {
    const { promise, resolve } = Promise.withResolvers<CachedResponse | undefined>();
    const end = (rendered?: CachedResponse) => {
      if (renderings.get(key) === rendering) renderings.delete(key);
      resolve(rendered);
    };
    const rendering: Rendering = { startedAt: performance.now(), response: promise, end };
    renderings.set(key, rendering);
    renderers.set(response, rendering);
    response.once("close", () => end());
  }

  /** Older entries are not for this client: the catalogue changed since, or the client wrote something. */
  function lastChangeFor(request: IncomingMessage): number {
    return Math.max(invalidatedAt, (writers.size > 0 && writers.get(clientOf(request))) || 0);
  }

  /** A client must see what it wrote, or why that was refused. */
  function recordWrite(request: IncomingMessage, response: ServerResponse): void {
    const { statusCode } = response;
    if (statusCode < 400 || REFUSED.has(statusCode)) writers.set(clientOf(request), performance.now());
  }

  return {
    serverFactory(handle, options) {
      const { http, requestTimeout, connectionTimeout, keepAliveTimeout } =
        options as unknown as ServerOptions;
      const server = createServer(http, (request, response) =>
        respond(request, response, handle as RequestListener),
      );
      return Object.assign(server, { requestTimeout, keepAliveTimeout }).setTimeout(connectionTimeout);
    },
    register(instance) {
      app = instance;
      app.addHook("onRequest", onRequest);
      app.addHook("onSend", onSend);
      const purging = setInterval(() => entries.purgeStale(), PURGE_MS).unref();
      app.addHook("onClose", async () => clearInterval(purging));
    },
    invalidate() {
      invalidatedAt = performance.now();
    },
  };
}

interface ServerOptions {
  http: object;
  requestTimeout: number;
  connectionTimeout: number;
  keepAliveTimeout: number;
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === "HEAD" || method === "OPTIONS";
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Other spellings are unlimited and would fill the cache: "/%61ssets/a.js", "/assets/a.js#1", "http://x/assets/a.js". */
function hasOneSpelling(path: string): boolean {
  return /^\/[^%#]*$/.test(path);
}

const MAX_CLIENT_LENGTH = 200;

function clientOf(request: IncomingMessage): string {
  const forwarded = request.headers["x-forwarded-for"] ?? "";
  return `${request.socket.remoteAddress} ${forwarded}`.slice(0, MAX_CLIENT_LENGTH);
}

/** A 404 is shared with waiting requests, but not stored. */
function isPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if (request.method !== "GET" || reply.hasHeader("set-cookie")) return false;
  if (reply.statusCode !== 200 && reply.statusCode !== 404) return false;
  if (/private|no-store/.test(String(reply.getHeader("cache-control")))) return false;
  return typeof payload === "string" || Buffer.isBuffer(payload);
}
