/**
 * The pages: rendered by React Router. No page depends on who looks, so one rendering serves everybody, and it
 * is remembered like every other answer of that kind (memory.ts). When that has grown old, the page is rendered
 * again only if something has changed of what it was made of.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRequestHandler, type ServerBuild } from "react-router";
import { Bounded } from "../../shop/bounded.ts";
import { type Question, stillTrue } from "../questions.ts";
import type { PageContext } from "../storefront.ts";
import { mayShowCardField } from "./card-hosts.ts";
import { firstPaint } from "./first-paint.ts";
import { contentSecurityPolicy, type PagePolicy } from "./security.ts";

export interface PageDependencies {
  build: ServerBuild;
  publicUrl: string;
  /** the folder of the built files */
  files: string;
  /** hosts that the pages may load pictures and map tiles from; `card`: the card provider's field is used */
  policy: PagePolicy;
  /** what the loaders of public pages may ask */
  context: () => PageContext;
}

interface Rendering {
  questions: Question[];
  status: number;
  headers: Headers;
  body: string;
}

const MOST_KEPT_BYTES = 12 * 1024 * 1024;
/** Of a text in memory, at worst. */
const BYTES_PER_SIGN = 2;

/** Answers every GET that nothing else answers; everything the router does not know is its 404 page. */
export function addPages(app: FastifyInstance, dependencies: PageDependencies): void {
  const render = createRequestHandler(dependencies.build, "production");
  const renderings = new Bounded<Rendering>(MOST_KEPT_BYTES);
  const dress = firstPaint(dependencies.files);

  const showsCardField = (url: string) => dependencies.policy.card && mayShowCardField(url);

  function policyOf(url: string, body: string): string {
    return contentSecurityPolicy(body, { ...dependencies.policy, card: showsCardField(url) });
  }

  async function renderPage(request: FastifyRequest): Promise<Rendering> {
    const { context, questions } = dependencies.context();
    const response = await render(anonymous(request, dependencies.publicUrl), context);
    const { status, headers } = response;
    const text = await response.text();
    headers.set("cache-control", "no-cache");
    if (!headers.get("content-type")?.startsWith("text/html"))
      return { questions, status, headers, body: text };
    const body = dress(text);
    headers.set("content-security-policy", policyOf(request.url, body));
    // a wallet whose sheet is a window of its own must find its way back to this page
    if (showsCardField(request.url)) headers.set("cross-origin-opener-policy", "same-origin-allow-popups");
    return { questions, status, headers, body };
  }

  async function find(request: FastifyRequest): Promise<Rendering> {
    const known = renderings.get(request.url);
    // what cannot be asked now, the page itself says
    if (known && (await stillTrue(known.questions).catch(() => false))) return known;
    const rendering = await renderPage(request);
    if (rendering.status === 200) renderings.set(request.url, rendering, bytesOf(rendering));
    else renderings.delete(request.url);
    return rendering;
  }

  app.route({
    method: "GET",
    url: "/*",
    // what has to be rendered takes a processor for some 14 ms; what is in memory does not come here
    config: { remember: "briefly", rateLimit: { max: 1500, timeWindow: "1 minute" } },
    handler: async (request, reply) => {
      const { status, headers, body } = await find(request);
      return reply
        .code(status)
        .headers(Object.fromEntries(headers))
        .send(body || null);
    },
  });
}

function bytesOf({ body, questions }: Rendering): number {
  const answers = questions.reduce((sum, { answer }) => sum + answer.length, 0);
  return (body.length + answers) * BYTES_PER_SIGN;
}

/** The request without anything that tells who sent it. */
function anonymous(request: FastifyRequest, publicUrl: string): Request {
  return new Request(new URL(request.url, publicUrl));
}
