/**
 * The pages: rendered by React Router, kept as bytes for a second, sent like static files.
 * No page depends on who looks, so one rendering serves everybody; the answer to the same address is made
 * once at a time, however many ask for it.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import { contentSecurityPolicy } from "./security.ts";
import { sendWebResponse, toWebRequest } from "./web.ts";

export interface PageDependencies {
  build: ServerBuild;
  publicUrl: string;
  /** hosts that the pages may load pictures and map tiles from, and talk to */
  policy: { images: string[] };
  /** what the loaders of public pages may ask */
  context: () => RouterContextProvider;
}

interface Page {
  madeAt: number;
  status: number;
  headers: Record<string, string>;
  etag: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

const FRESH_MS = 1000;
const MOST_PAGES = 500;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Answers every GET that nothing else answers; everything the router does not know is its 404 page. */
export function addPages(app: FastifyInstance, dependencies: PageDependencies): void {
  const render = createRequestHandler(dependencies.build, "production");
  const pages = new Map<string, Promise<Page>>();

  async function make(request: FastifyRequest): Promise<Page> {
    const anonymous = new Request(new URL(request.url, dependencies.publicUrl));
    const response = await render(anonymous, dependencies.context());
    return toPage(response, dependencies.policy.images);
  }

  async function find(request: FastifyRequest): Promise<Page> {
    const key = request.url;
    const kept = pages.get(key);
    if (kept && Date.now() - (await kept).madeAt < FRESH_MS) return kept;
    if (kept && kept !== pages.get(key)) return pages.get(key) as Promise<Page>;
    const making = make(request);
    pages.delete(key);
    pages.set(key, making);
    if (pages.size > MOST_PAGES) pages.delete(pages.keys().next().value as string);
    making.catch(() => pages.delete(key));
    return making;
  }

  app.route({
    method: "GET",
    url: "/*",
    handler: async (request, reply) => {
      // the router's own data requests are small, and asked for once per visit
      if (request.url.split("?")[0]?.endsWith(".data") || request.url.startsWith("/__manifest")) {
        return sendWebResponse(
          reply,
          await render(toWebRequest(request, dependencies.publicUrl), dependencies.context()),
        );
      }
      return sendPage(request, reply, await find(request));
    },
  });
}

async function toPage(response: Response, images: string[]): Promise<Page> {
  const plain = Buffer.from(await response.arrayBuffer());
  const isHtml = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  const [zipped, brotli] = await Promise.all([
    compressGzip(plain),
    compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  return {
    madeAt: Date.now(),
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      "cache-control": "no-cache",
      vary: "Accept-Encoding",
      ...(isHtml && { "content-security-policy": contentSecurityPolicy(plain.toString(), images) }),
    },
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    gzip: zipped,
    brotli,
  };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.headers(page.headers).header("etag", page.etag);
  if (page.status === 200 && request.headers["if-none-match"]?.includes(page.etag))
    return reply.code(304).send();
  const accepts = request.headers["accept-encoding"] ?? "";
  reply.code(page.status);
  if (/\bbr\b/.test(accepts)) return reply.header("content-encoding", "br").send(page.brotli);
  if (/\bgzip\b/.test(accepts)) return reply.header("content-encoding", "gzip").send(page.gzip);
  return reply.send(page.plain);
}
