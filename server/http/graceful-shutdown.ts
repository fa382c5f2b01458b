/** Stopping without failed requests: drain, then close. */
import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/**
 * Adds `Connection: close` to every response once `draining` is aborted, so that clients open their next connection
 * elsewhere. It is set before the response cache, which answers without Fastify.
 */
export function endKeepAlive(app: FastifyInstance, draining: AbortSignal): void {
  draining.addEventListener("abort", () => {
    app.server.prependListener("request", (_request, response: ServerResponse) => {
      response.setHeader("Connection", "close");
    });
  });
}

/**
 * Connections that were busy when the store began to stop are closed as soon as they are not: a client that keeps
 * them for its next request would hold the store open for as long as that may take.
 */
export function closeIdleConnections(app: FastifyInstance): void {
  app.addHook("preClose", async () => {
    const closing = setInterval(() => app.server.closeIdleConnections(), 50);
    closing.unref();
    app.server.once("close", () => clearInterval(closing));
  });
}

/**
 * Requests whose asker has gone are still worked on, and the store needs its database for them. Has `app`
 * wait at its end for every handler of the routes that are added from here on.
 */
export function waitForHandlers(app: FastifyInstance): void {
  const underWay = new Set<Promise<unknown>>();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      const ended: Promise<unknown> = answer.then(
        () => underWay.delete(ended),
        () => underWay.delete(ended), // the caller responds and logs
      );
      underWay.add(ended);
      return answer;
    };
  });
  app.addHook("onClose", async () => {
    await Promise.all(underWay);
  });
}
