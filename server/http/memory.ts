/**
 * What is the same for everybody, kept as bytes: an answer that was made once is sent again, compressed, with the
 * same headers, without passing through anything else. It is never more than a second old; a change of the
 * catalogue or the reviews makes it anew at once, in every process; and who changed something themselves gets
 * nothing from before. One address is made once at a time, however many ask for it.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Bounded } from "../../shop/bounded.ts";
import { AT_ONCE, dress, FOREVER, type Kept, keep, send, succeed, weightOf } from "./kept.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** keep successful answers of this route: for a second, or as long as this process lives */
    remember?: "briefly" | "forever";
  }
}

/** From here on the next one who asks makes it anew, while the others still get the old one. */
const RENEW_MS = 900;
const OLDEST_MS = 1000;
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

interface Making {
  startedAt: number;
  /** what was made, for the others who ask for it meanwhile; undefined where that failed */
  made: Promise<Kept | undefined>;
  end: (made?: Kept) => void;
}

export interface Memory {
  /** Forgets all but what is kept for ever. */
  forget(): void;
}

/** Remembers what the routes of `app` say is to be remembered, and answers from memory before anything else. */
export function addMemory(app: FastifyInstance): Memory {
  const briefly = new Bounded<Kept>(MOST_KEPT_BYTES);
  const forever = new Map<string, Kept>();
  /** by address, and by what is answered with it */
  const making = new Map<string, Making>();
  const makers = new WeakMap<ServerResponse, Making>();
  const writers = new Map<string, number>();
  let forgottenAt = 0;

  app.addHook("onRequest", (request, reply, done) => {
    if (request.method !== "GET" || request.routeOptions.config.remember !== "briefly") return done();
    if (makers.has(reply.raw)) return done();
    const url = request.raw.url as string;
    const others = making.get(url);
    if (!others || others.startedAt <= lastChangeFor(request.raw)) {
      make(url, reply.raw);
      return done();
    }
    void others.made.then((made) => {
      // where none could be made all try at once: one after the other the last would wait for all before it
      if (!made) return done();
      reply.hijack();
      send(request.raw, reply.raw, made, app.log);
    });
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const { remember } = request.routeOptions.config;
    if (!remember) return payload;
    const mine = makers.get(reply.raw);
    if (!isForAll(request, reply, payload)) {
      mine?.end();
      return payload;
    }
    const kept = keep(reply, payload, remember === "forever" ? FOREVER : AT_ONCE);
    if (kept.status === 200) store(request.raw.url as string, kept, remember);
    mine?.end(kept);
    return dress(request, reply, kept);
  });

  function store(url: string, kept: Kept, remember: "briefly" | "forever"): void {
    if (remember === "forever") {
      forever.set(pathOf(url), kept);
      return;
    }
    const before = briefly.get(url);
    if (before) succeed(before, kept, app.log);
    briefly.set(url, kept, weightOf(kept));
  }

  /** The kept answer that may still be sent, or null. */
  function freshFor(request: IncomingMessage, url: string): Kept | null {
    const kept = briefly.get(url);
    if (!kept || kept.madeAt <= lastChangeFor(request)) return null;
    const age = performance.now() - kept.madeAt;
    return age < RENEW_MS || (age < OLDEST_MS && making.has(url)) ? kept : null;
  }

  const [handle] = app.server.listeners("request") as RequestListener[];
  app.server.removeAllListeners("request");
  app.server.on("request", answer);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "GET") {
      if (!isReading(request)) response.once("finish", () => noteWrite(request, response));
      return handle?.(request, response);
    }
    const url = request.url as string;
    // that is the same whatever is asked of it: no stranger's questions fill the memory, or have it made again
    const kept = forever.get(pathOf(url)) ?? freshFor(request, url);
    if (kept) return send(request, response, kept, app.log);
    // from here on the others get the old one
    if (briefly.get(url) && !making.has(url)) make(url, response);
    handle?.(request, response);
  }

  /** From now on whoever asks for the same waits for what `response` is given. */
  function make(url: string, response: ServerResponse): void {
    const { promise, resolve } = Promise.withResolvers<Kept | undefined>();
    const end = (made?: Kept) => {
      if (making.get(url) === mine) making.delete(url);
      resolve(made);
    };
    const mine: Making = { startedAt: performance.now(), made: promise, end };
    making.set(url, mine);
    makers.set(response, mine);
    response.once("close", () => end());
  }

  /** What was made before is not for this sender: the catalogue has changed since, or they changed something. */
  function lastChangeFor(request: IncomingMessage): number {
    return Math.max(forgottenAt, (writers.size > 0 && writers.get(senderOf(request))) || 0);
  }

  /** Whoever changed something shall see it. */
  function noteWrite(request: IncomingMessage, response: ServerResponse): void {
    if (response.statusCode >= 400) return;
    const now = performance.now();
    for (const [sender, at] of writers) {
      if (now - at < OLDEST_MS) break;
      writers.delete(sender);
    }
    const sender = senderOf(request);
    writers.delete(sender);
    writers.set(sender, now);
  }

  return {
    forget() {
      forgottenAt = performance.now();
    },
  };
}

function isReading({ method }: IncomingMessage): boolean {
  return method === "HEAD" || method === "OPTIONS";
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function senderOf(request: IncomingMessage): string {
  return `${request.socket.remoteAddress} ${request.headers["x-forwarded-for"] ?? ""}`;
}

/** Also that nothing is there is the same for all; but it is not kept. */
function isForAll(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if (request.method !== "GET" || reply.hasHeader("set-cookie")) return false;
  if (reply.statusCode !== 200 && reply.statusCode !== 404) return false;
  return typeof payload === "string" || Buffer.isBuffer(payload);
}
