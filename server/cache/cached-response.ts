import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompressSync } from "node:zlib";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { acceptedEncodings, type Encoding } from "./accept-encoding.ts";

/** Brotli levels. For the home page 4 takes 1 ms; 10 saves a seventh of the bytes and takes 30 ms; 11 takes 80 ms. */
export const FAST = 4;
const RECOMPRESSED = 10;
export const BEST = 11;
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export interface CachedResponse {
  /** when its request arrived (`performance.now()`): the response reflects every earlier change */
  requestedAt: number;
  route: string;
  status: number;
  headers: string[];
  etag: string;
  plain: Buffer;
  compressible: boolean;
  level: number;
  forms: Partial<Record<Encoding, EncodedBody>>;
  /** encodings in progress, shared by concurrent requests */
  pending: Partial<Record<Encoding, Promise<EncodedBody>>>;
}

interface EncodedBody {
  headers: string[];
  bytes: Buffer;
  /** a small body as latin1 text: Node writes it together with the headers, in one packet */
  text: string | null;
}

const notCachedHeaders =
  /^(x-ratelimit-.*|x-request-id|retry-after|content-length|date|connection|keep-alive)$/i;

export function capture(reply: FastifyReply, payload: string | Buffer, level: number): CachedResponse {
  const plain = toBytes(payload);
  const etag = `"${hash("sha256", plain, "base64url").slice(0, 22)}"`;
  const vary = [reply.getHeader("vary"), "Accept-Encoding"].filter(Boolean).join(", ");
  reply.header("etag", etag).header("vary", vary);
  const headers = Object.entries(reply.getHeaders())
    .filter(([name]) => !notCachedHeaders.test(name))
    .flatMap(([name, value]) => [name, String(value)]);
  return {
    requestedAt: performance.now() - reply.elapsedTime,
    route: reply.request.routeOptions.url ?? "none",
    status: reply.statusCode,
    headers,
    etag,
    plain,
    compressible: isCompressible(plain, reply.getHeader("content-type")),
    level,
    forms: {},
    pending: {},
  };
}

/** In a profile of catalogue pages `Buffer.from` took 8 % of the CPU time, this takes 2 %. */
function toBytes(payload: string | Buffer): Buffer {
  if (typeof payload !== "string") return payload;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(payload));
  bytes.write(payload);
  return bytes;
}

const OVERHEAD_BYTES = 1500;

export function sizeOf({ plain, headers }: CachedResponse, key: string): number {
  const headerBytes = headers.reduce((sum, header) => sum + header.length, 0);
  const bodies = plain.length * 2 + 4 * Math.min(plain.length, MAX_TEXT_BYTES);
  return OVERHEAD_BYTES + key.length + 4 * headerBytes + bodies;
}

/** An unchanged response takes over the encodings of its predecessor, and is recompressed once, harder. */
export function reuseEncodings(previous: CachedResponse, next: CachedResponse, log: FastifyBaseLogger): void {
  if (previous.etag !== next.etag || previous.headers.join("\n") !== next.headers.join("\n")) return;
  next.forms = previous.forms;
  next.level = RECOMPRESSED;
  if (previous.level < RECOMPRESSED && (next.forms.br || next.forms.zstd))
    encodedBody(next, "br").catch((error) => log.error(error));
}

export function restore(reply: FastifyReply, { status, headers }: CachedResponse): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  reply.code(status);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
}

export async function encode(
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
): Promise<Buffer | null> {
  if (isNotModified(request.raw, response)) {
    reply.code(304);
    return null;
  }
  const encoding = encodingOf(request.raw, response);
  reply.removeHeader("content-length");
  if (encoding === "identity") return response.plain;
  const { bytes } = response.forms[encoding] ?? (await encodedBody(response, encoding));
  reply.header("content-encoding", encoding);
  return bytes;
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  cached: CachedResponse,
  log: FastifyBaseLogger,
): void {
  if (isNotModified(request, cached)) {
    response.writeHead(304, cached.headers).end();
    return;
  }
  const encoding = encodingOf(request, cached);
  const form = cached.forms[encoding];
  if (form) sendEncoding(response, cached.status, form);
  else
    encodedBody(cached, encoding).then(
      (compressed) => sendEncoding(response, cached.status, compressed),
      (error) => {
        log.error(error);
        response.writeHead(500).end();
      },
    );
}

function isNotModified(request: IncomingMessage, { status, etag }: CachedResponse): boolean {
  return status === 200 && headerOf(request, "if-none-match")?.includes(etag) === true;
}

function sendEncoding(response: ServerResponse, status: number, { headers, bytes, text }: EncodedBody): void {
  response.writeHead(status, headers);
  if (text === null) response.end(bytes);
  else response.end(text, "latin1");
}

function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length === name.length && given.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}

/** Compressing fewer bytes gains nothing. */
const MIN_COMPRESSED_BYTES = 500;
/** Above this many bytes, copying the body costs more than a second packet. */
const MAX_TEXT_BYTES = 4096;

/** A response is compressed fast for its first request, and small once it is requested again. */
function encodingOf(request: IncomingMessage, { compressible, level, forms }: CachedResponse): Encoding {
  if (!compressible) return "identity";
  const { smallest, fastest } = acceptedEncodings(headerOf(request, "accept-encoding"));
  return level === BEST || forms[smallest] ? smallest : fastest;
}

export function isCompressible(plain: Buffer, type: unknown): boolean {
  return plain.length >= MIN_COMPRESSED_BYTES && !/^(image\/(?!svg)|font\/|video\/)/.test(String(type));
}

function encodedBody(response: CachedResponse, encoding: Encoding): Promise<EncodedBody> {
  response.pending[encoding] ??= compressBody(response, encoding)
    .then((bytes) => addEncoding(response, encoding, bytes))
    .finally(() => {
      delete response.pending[encoding];
    });
  return response.pending[encoding];
}

/** The settings halve the CPU of an uncached page; the encoder's memory caused full garbage collections. */
export function compressBrotli(plain: Buffer, level: number): Promise<Buffer> {
  const { length } = plain;
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_MAX_WINDOW_BITS } = constants;
  const window = Math.max(BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length)));
  return compress.br(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(window, BROTLI_MAX_WINDOW_BITS),
    },
  });
}

export function addEncoding(response: CachedResponse, encoding: Encoding, bytes: Buffer): EncodedBody {
  const extra = encoding === "identity" ? [] : ["content-encoding", encoding];
  const headers = [...response.headers, ...extra, "content-length", String(bytes.length)];
  const form = { headers, bytes, text: bytes.length < MAX_TEXT_BYTES ? bytes.toString("latin1") : null };
  response.forms[encoding] = form;
  return form;
}

async function compressBody({ plain, level }: CachedResponse, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case "br":
      return compressBrotli(plain, level);
    case "zstd":
      return zstd(plain);
    case "gzip":
      return compress.gzip(plain, { level: Math.min(9, level) });
    case "identity":
      return plain;
  }
}

/** Level 1 takes half the CPU of level 3 for 5 % more bytes; without the size the encoder allocates 2 MB. */
function zstd(plain: Buffer): Buffer {
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants;
  const window = Math.max(10, Math.ceil(Math.log2(plain.length)));
  return zstdCompressSync(plain, {
    pledgedSrcSize: plain.length,
    params: { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_windowLog]: Math.min(window, 19) },
  });
}
