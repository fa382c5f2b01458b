/**
 * What is the same for everybody, kept as bytes: an answer that was made once is sent again, compressed, with the
 * same headers, without passing through anything else. It is never more than a second old; a change of the
 * catalogue or the reviews makes it anew at once, in every process; and who changed something themselves gets
 * nothing from before. One address is made once at a time, however many ask for it.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Bounded } from "../../shop/bounded.ts";

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
/** With its compressed forms, an answer takes at most so much more; each may be there as text as well. */
const WITH_FORMS = 1.5;
/** How hard brotli tries: 3 ms for the home page, 50 ms for a tenth of its bytes less, 120 ms for a little more. */
const AT_ONCE = 5;
const LASTING = 10;
const FOREVER = 11;
const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Encoding = "br" | "gzip" | "identity";

interface Kept {
  madeAt: number;
  status: number;
  headers: string[];
  etag: string;
  plain: Buffer;
  /** whether compressing would make it smaller */
  compressible: boolean;
  /** how hard to compress */
  quality: number;
  forms: Partial<Record<Encoding, Form>>;
  /** forms that are being made, once however many ask for them */
  forming: Partial<Record<Encoding, Promise<Form>>>;
}

interface Form {
  headers: string[];
  bytes: Buffer;
  /** the same, a character for each byte: Node sends that in one piece with the headers */
  text: string | null;
}

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
    if (before && isSame(before, kept)) stay(before, kept);
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

  /** What was compressed before is still right; and as it seems to last, it is worth more work beside the requests. */
  function stay(before: Kept, now: Kept): void {
    now.forms = before.forms;
    now.quality = LASTING;
    if (before.quality < LASTING && now.forms.br) formOf(now, "br").catch((error) => app.log.error(error));
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

const ownHeaders = /^(x-ratelimit-.*|retry-after|content-length|date|connection|keep-alive)$/i;

function keep(reply: FastifyReply, payload: string | Buffer, quality: number): Kept {
  const plain = Buffer.from(payload);
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  reply.header("etag", etag).header("vary", "Accept-Encoding");
  const headers = Object.entries(reply.getHeaders())
    .filter(([name]) => !ownHeaders.test(name))
    .flatMap(([name, value]) => [name, String(value)]);
  return {
    madeAt: performance.now() - reply.elapsedTime,
    status: reply.statusCode,
    headers,
    etag,
    plain,
    compressible: plain.length >= SMALL && !isCompressed(reply.getHeader("content-type")),
    quality,
    forms: {},
    forming: {},
  };
}

/** What it takes at most, with all its forms. */
function weightOf({ plain }: Kept): number {
  return plain.length * WITH_FORMS + 3 * Math.min(plain.length, ONE_PIECE);
}

/** Made anew, and nothing has changed. */
function isSame(before: Kept, now: Kept): boolean {
  return before.etag === now.etag && before.headers.join("\n") === now.headers.join("\n");
}

/** The first answer, in the form that its asker wants. */
async function dress(request: FastifyRequest, reply: FastifyReply, kept: Kept): Promise<Buffer | null> {
  if (isKnown(request.raw, kept)) {
    reply.code(304);
    return null;
  }
  const encoding = encodingFor(request.raw, kept);
  const { bytes } = await formOf(kept, encoding);
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  reply.removeHeader("content-length");
  return bytes;
}

function send(request: IncomingMessage, response: ServerResponse, kept: Kept, log: FastifyBaseLogger): void {
  if (isKnown(request, kept)) {
    response.writeHead(304, kept.headers).end();
    return;
  }
  const encoding = encodingFor(request, kept);
  const form = kept.forms[encoding];
  if (form) sendForm(response, kept.status, form);
  else
    formOf(kept, encoding).then(
      (made) => sendForm(response, kept.status, made),
      (error) => {
        log.error(error);
        response.writeHead(500).end();
      },
    );
}

function isKnown(request: IncomingMessage, { status, etag }: Kept): boolean {
  return status === 200 && headerOf(request, "if-none-match")?.includes(etag) === true;
}

function sendForm(response: ServerResponse, status: number, { headers, bytes, text }: Form): void {
  response.writeHead(status, headers);
  if (text === null) response.end(bytes);
  else response.end(text, "latin1");
}

/** One header, looked up among those that came: Node makes an object of them all only when it is asked for it. */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length === name.length && given.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}

const SMALL = 500;
/** Above this many bytes a copy costs more than a second piece. */
const ONE_PIECE = 4096;

function encodingFor(request: IncomingMessage, kept: Kept): Encoding {
  const accepts = headerOf(request, "accept-encoding");
  if (!accepts || !kept.compressible) return "identity";
  return isAccepted("br", accepts) ? "br" : isAccepted("gzip", accepts) ? "gzip" : "identity";
}

/** "br;q=0" names a form in order to refuse it; hardly anybody writes that. */
function isAccepted(form: string, accepts: string): boolean {
  if (!accepts.includes(form)) return false;
  return !accepts.includes("q=0") || !new RegExp(`\\b${form}\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)`).test(accepts);
}

function isCompressed(type: unknown): boolean {
  return /^(image\/(?!svg)|font\/|video\/)/.test(String(type));
}

function formOf(kept: Kept, encoding: Encoding): Promise<Form> {
  kept.forming[encoding] ??= makeForm(kept, encoding).finally(() => delete kept.forming[encoding]);
  return kept.forming[encoding];
}

async function makeForm(kept: Kept, encoding: Encoding): Promise<Form> {
  const bytes =
    encoding === "br"
      ? await compressed.br(kept.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: kept.quality } })
      : encoding === "gzip"
        ? await compressed.gzip(kept.plain, { level: Math.min(9, kept.quality) })
        : kept.plain;
  const extra = encoding === "identity" ? [] : ["content-encoding", encoding];
  const headers = [...kept.headers, ...extra, "content-length", String(bytes.length)];
  const form = { headers, bytes, text: bytes.length < ONE_PIECE ? bytes.toString("latin1") : null };
  kept.forms[encoding] = form;
  return form;
}
