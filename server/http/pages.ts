/** Public pages are cached; those of the dashboard are rendered for each request's session and never cached. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { createRequestHandler, type RouterContextProvider } from "react-router";
import { DASHBOARD, pages as pageTable, pathPattern } from "../../api/pages.ts";
import type { Caller } from "../../app/data/loader-context.ts";
import type * as Entry from "../../app/entry.server.tsx";
import { refusals } from "../../shop/texts/refusals.ts";
import { cacheKey } from "../cache/cache-key.ts";
import { capture, encode, FAST } from "../cache/cached-response.ts";
import type { CallDependencies } from "./api-routes.ts";
import { mayShowCardField } from "./card-hosts.ts";
import { needsSession } from "./navigation.ts";
import { findPageCaller } from "./page-caller.ts";
import type { PageSource } from "./page-source.ts";
import { sendProblem } from "./problem.ts";
import { contentSecurityPolicy, hashOf, type PagePolicy } from "./security.ts";

export interface PageDependencies extends CallDependencies {
  pages: PageSource;
  publicUrl: string;
  /** hosts of pictures and map tiles; `card`: the payment provider's field is used */
  policy: PagePolicy;
  /** the loader context of one request, with the nonce of its scripts; `report` logs what the page failed with */
  context: (
    entry: typeof Entry,
    nonce: string,
    caller: Caller | null | undefined,
    report: (error: unknown) => void,
  ) => RouterContextProvider;
}

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The router requests a page's data at `.data`. A path in other case is redirected here. */
const PRIVATE_PATHS = [DASHBOARD, `${DASHBOARD}.data`, `${DASHBOARD}/*`];

/** Rendering takes about 6 ms of CPU; responses from the cache do not count. */
const RENDERINGS = { max: 1500, timeWindow: "1 minute" };

export function addPages(app: FastifyInstance, dependencies: PageDependencies): SendPage {
  const { pages, publicUrl, policy } = dependencies;
  const render = createRequestHandler(pages.build, pages.mode);

  async function renderPage(request: FastifyRequest, reply: FastifyReply, caller: Caller | null | undefined) {
    const nonce = randomUUID();
    const entry = await entryOf(pages);
    const context = dependencies.context(entry, nonce, caller, (error) => request.log.error(error));
    const { status, headers, body } = await render(anonymous(request, publicUrl), context);
    if (status === 503) reply.header("retry-after", "5");
    reply.code(status).headers(Object.fromEntries(headers));
    const rendered = context.get(entry.renderedHtml);
    if (rendered === null) return body && new Response(body).text();
    const { html: page, hashes } = takeScripts(rendered, nonce);
    const { html, styles } = pages.optimize(page);
    const showsCardField = policy.card && mayShowCardField(request.url);
    reply.header(
      "content-security-policy",
      contentSecurityPolicy({
        ...policy,
        card: showsCardField,
        development: pages.mode === "development",
        scripts: [sharedHashOf(entry.headScript()), ...hashes],
        styles: [entry.typefaces, ...styles].map(sharedHashOf),
      }),
    );
    // a wallet's window must be able to return to this page
    if (showsCardField) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
    return status < 400 ? html : html.replace(entry.REFERENCE_PLACEHOLDER, referenceOf(request));
  }

  const sendPage: SendPage = async (request, reply) => {
    // as the router reads the path, such as "/%63heckout" and "/x/../checkout"
    const url = decodeURI(new URL(request.url, publicUrl).pathname);
    if (needsSession({ url, headers: request.headers })) {
      const { loginPath } = await entryOf(pages);
      return reply.header("cache-control", "no-store").redirect(loginPath(request.url));
    }
    const page = await renderPage(request, reply, null);
    return reply.header("cache-control", "no-cache").send(page);
  };

  const sendPrivatePage: SendPage = async (request, reply) => {
    const { caller, cookies } = await findPageCaller(request, dependencies);
    const page = await renderPage(request, reply, caller);
    reply.header("cache-control", "private, no-store");
    if (cookies.length > 0) reply.header("set-cookie", cookies);
    return reply.send(page && (await encode(request, reply, capture(reply, page, FAST))));
  };

  app.route({
    method: "GET",
    url: "/*",
    config: { cache: "public", rateLimit: RENDERINGS },
    handler: orProblem(sendPage),
  });
  for (const url of PRIVATE_PATHS)
    app.route({ method: "GET", url, config: { rateLimit: RENDERINGS }, handler: orProblem(sendPrivatePage) });
  for (const { path, formerPath } of pageTable) {
    if (formerPath)
      app.get(formerPath, (request, reply) =>
        reply.redirect(path + request.url.slice(formerPath.length), 301),
      );
  }
  return sendPage;
}

const isPage = pathPattern(({ developmentOnly }) => !developmentOnly);

/** For a client of the API with a wrong path, which would fail to parse the 404 page. */
function orProblem(send: SendPage): SendPage {
  return async (request, reply) => {
    const { accept = "" } = request.headers;
    const readsOnlyJson = /\bjson\b/.test(accept) && !accept.includes("text/html");
    if (readsOnlyJson && !isPage.test(request.url)) return sendProblem(reply, 404, refusals.notFound);
    return send(request, reply);
  };
}

function referenceOf({ id, span }: FastifyRequest): string {
  return span ? `${id}, trace ${span.traceId}` : id;
}

const sharedHashes = new LRUCache<string, string>({ max: 200 });

function sharedHashOf(content: string): string {
  const known = sharedHashes.get(content) ?? hashOf(content);
  sharedHashes.set(content, known);
  return known;
}

async function entryOf({ build }: PageSource): Promise<typeof Entry> {
  const { entry } = typeof build === "function" ? await build() : build;
  return entry.module as unknown as typeof Entry;
}

/** A cached page cannot have a nonce per visitor, so its scripts are allowed by hash; injected ones have none. */
export function takeScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const parts = html.split(` nonce="${nonce}"`);
  const hashes = new Set<string>();
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    if (before?.startsWith("<script", before.lastIndexOf("<")))
      hashes.add(hashOf(part.slice(part.indexOf(">") + 1, part.indexOf("</script>"))));
  }
  return { html: parts.join(""), hashes: [...hashes] };
}

/** Without headers, and without query parameters that no page reads. */
function anonymous(request: FastifyRequest, publicUrl: string): Request {
  return new Request(new URL(cacheKey(request.url) ?? request.url, publicUrl));
}
