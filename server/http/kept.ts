/** An answer kept as bytes: its headers, its forms (brotli, gzip, plain), and how it is sent. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";

/** With its compressed forms, an answer takes at most so much more; each may be there as text as well. */
const WITH_FORMS = 1.5;
/** How hard brotli tries: 3 ms for the home page, 50 ms for a tenth of its bytes less, 120 ms for a little more. */
export const AT_ONCE = 5;
const LASTING = 10;
export const FOREVER = 11;
const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Encoding = "br" | "gzip" | "identity";

/** An answer as it is kept, with its compressed forms as far as somebody has asked for them. */
export interface Kept {
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

const ownHeaders = /^(x-ratelimit-.*|retry-after|content-length|date|connection|keep-alive)$/i;

/** Keeps what `reply` is about to send; `quality` is how hard to compress it. Its headers name the bytes from now on. */
export function keep(reply: FastifyReply, payload: string | Buffer, quality: number): Kept {
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

/** What it takes in memory at most, with all its forms. */
export function weightOf({ plain }: Kept): number {
  return plain.length * WITH_FORMS + 3 * Math.min(plain.length, ONE_PIECE);
}

/**
 * `now` comes in the place of `before`. Where nothing has changed, what was compressed is still right; and as it seems
 * to last, it is worth more work beside the requests.
 */
export function succeed(before: Kept, now: Kept, log: FastifyBaseLogger): void {
  if (before.etag !== now.etag || before.headers.join("\n") !== now.headers.join("\n")) return;
  now.forms = before.forms;
  now.quality = LASTING;
  if (before.quality < LASTING && now.forms.br) formOf(now, "br").catch((error) => log.error(error));
}

/** The first answer, in the form that its asker wants. */
export async function dress(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: Kept,
): Promise<Buffer | null> {
  if (isKnown(request.raw, kept)) {
    reply.code(304);
    return null;
  }
  const encoding = encodingFor(request.raw, kept);
  const { bytes } = kept.forms[encoding] ?? (await formOf(kept, encoding));
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  reply.removeHeader("content-length");
  return bytes;
}

/** Sends it in the form that is asked for, past everything else; 304 to who has it already. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  kept: Kept,
  log: FastifyBaseLogger,
): void {
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
