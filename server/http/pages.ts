/**
 * The pages: rendered by React Router. No page depends on who looks, so one rendering serves everybody, and it
 * is remembered like every other answer of that kind (memory.ts). When that has grown old, the page is rendered
 * again only if something has changed of what it was made of.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRequestHandler, type ServerBuild } from "react-router";
import { type Question, stillTrue } from "../questions.ts";
import type { PageContext } from "../storefront.ts";
import { Bounded } from "./bounded.ts";
import { mayShowCardField } from "./card-hosts.ts";
import { contentSecurityPolicy, type PagePolicy } from "./security.ts";
import { sendWebResponse } from "./web.ts";

export interface PageDependencies {
  build: ServerBuild;
  publicUrl: string;
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

const MOST_KEPT_BYTES = 24 * 1024 * 1024;
/** Of a text in memory, at worst. */
const BYTES_PER_SIGN = 2;

/** Answers every GET that nothing else answers; everything the router does not know is its 404 page. */
export function addPages(app: FastifyInstance, dependencies: PageDependencies): void {
  const render = createRequestHandler(dependencies.build, "production");
  const renderings = new Bounded<Rendering>(MOST_KEPT_BYTES);

  function policyOf(url: string, body: string): string {
    const { policy } = dependencies;
    return contentSecurityPolicy(body, { ...policy, card: policy.card && mayShowCardField(url) });
  }

  async function renderPage(request: FastifyRequest): Promise<Rendering> {
    const { context, questions } = dependencies.context();
    const response = await render(anonymous(request, dependencies.publicUrl), context);
    const { status, headers } = response;
    const text = await response.text();
    headers.set("cache-control", "no-cache");
    if (!headers.get("content-type")?.startsWith("text/html"))
      return { questions, status, headers, body: text };
    const body = scriptsLast(text);
    headers.set("content-security-policy", policyOf(request.url, body));
    const first = stylesOf(body);
    if (first) headers.set("link", first);
    return { questions, status, headers, body };
  }

  async function find(request: FastifyRequest): Promise<Rendering> {
    const known = renderings.get(request.url);
    if (known && (await stillTrue(known.questions))) return known;
    const rendering = await renderPage(request);
    if (rendering.status === 200) renderings.set(request.url, rendering, bytesOf(rendering));
    else renderings.delete(request.url);
    return rendering;
  }

  app.route({
    method: "GET",
    url: "/*",
    config: { remember: "briefly" },
    handler: async (request, reply) => {
      const { status, headers, body } = await find(request);
      return sendWebResponse(reply, new Response(body, { status, headers }));
    },
  });
}

function bytesOf({ body, questions }: Rendering): number {
  const answers = questions.reduce((sum, { answer }) => sum + answer.length, 0);
  return (body.length + answers) * BYTES_PER_SIGN;
}

/** On a slow line the page is painted with its styles and its font; the scripts it has can come after that. */
function scriptsLast(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

/** The stylesheets of a page as a header, so that they are asked for before anything else in it. */
function stylesOf(html: string): string {
  return [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)]
    .map(([, path]) => `<${path}>; rel=preload; as=style`)
    .join(", ");
}

/** The request without anything that tells who sent it. */
function anonymous(request: FastifyRequest, publicUrl: string): Request {
  return new Request(new URL(request.url, publicUrl));
}
