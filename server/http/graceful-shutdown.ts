import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** Clients then connect elsewhere. Set before the response cache, which responds without Fastify. */
export function endKeepAlive(app: FastifyInstance, draining: AbortSignal): void {
  draining.addEventListener("abort", () => {
    app.server.prependListener("request", (_request, response: ServerResponse) => {
      response.setHeader("Connection", "close");
    });
  });
}

/** The longest that a call of the payment provider takes; a supervisor allows 20 seconds for the whole stop. */
const CLOSE_TIMEOUT_MS = 15_000;

/**
 * Closes connections that were busy at the stop once they are idle: a kept-alive connection would delay it. Clients that
 * send half a body, or do not read their response, are not waited for longer than `timeoutMs`.
 */
export function closeConnections(app: FastifyInstance, timeoutMs = CLOSE_TIMEOUT_MS): void {
  app.addHook("preClose", async () => {
    const closing = setInterval(() => app.server.closeIdleConnections(), 50).unref();
    const ending = setTimeout(() => app.server.closeAllConnections(), timeoutMs).unref();
    app.server.once("close", () => {
      clearInterval(closing);
      clearTimeout(ending);
    });
  });
}

/** Handlers keep running after their client has disconnected. Makes `app` wait for those of routes added later. */
export function waitForHandlers(app: FastifyInstance): void {
  const running = new Set<Promise<unknown>>();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (!(result instanceof Promise)) return result;
      const ended: Promise<unknown> = result.then(
        () => running.delete(ended),
        () => running.delete(ended), // the caller responds and logs
      );
      running.add(ended);
      return result;
    };
  });
  app.addHook("onClose", async () => {
    await Promise.all(running);
  });
}
