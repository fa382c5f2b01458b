/** Requests whose asker has gone are still worked on: the store waits for that too before it closes its connections. */
import type { FastifyInstance } from "fastify";

/** Has `app` wait at its end for every handler of the routes that are added from here on. */
export function waitForHandlers(app: FastifyInstance): void {
  const underWay = new Set<Promise<unknown>>();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      const ended: Promise<unknown> = answer.then(
        () => underWay.delete(ended),
        () => underWay.delete(ended), // answered, and logged, by whoever called
      );
      underWay.add(ended);
      return answer;
    };
  });
  app.addHook("onClose", async () => {
    await Promise.all(underWay);
  });
}
