/**
 * The pages: rendered by React Router. No page depends on who looks, so one rendering serves everybody, and it
 * is remembered like every other answer of that kind (memory.ts).
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import { contentSecurityPolicy } from "./security.ts";
import { sendWebResponse } from "./web.ts";

export interface PageDependencies {
  build: ServerBuild;
  publicUrl: string;
  /** hosts that the pages may load pictures and map tiles from, and talk to */
  policy: { images: string[] };
  /** what the loaders of public pages may ask */
  context: () => RouterContextProvider;
}

/** Answers every GET that nothing else answers; everything the router does not know is its 404 page. */
export function addPages(app: FastifyInstance, dependencies: PageDependencies): void {
  const render = createRequestHandler(dependencies.build, "production");
  app.route({
    method: "GET",
    url: "/*",
    config: { remember: "briefly" },
    handler: async (request, reply) => {
      const response = await render(anonymous(request, dependencies.publicUrl), dependencies.context());
      reply.header("cache-control", "no-cache");
      if (!response.headers.get("content-type")?.startsWith("text/html")) {
        return sendWebResponse(reply, response);
      }
      const html = await response.text();
      reply.header("content-security-policy", contentSecurityPolicy(html, dependencies.policy.images));
      return sendWebResponse(reply, new Response(html, response));
    },
  });
}

/** The request without anything that tells who sent it. */
function anonymous(request: FastifyRequest, publicUrl: string): Request {
  return new Request(new URL(request.url, publicUrl));
}
