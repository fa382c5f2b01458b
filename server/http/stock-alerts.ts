/** GET shows a button, since mail scanners follow links; one-click unsubscribe (RFC 8058) POSTs to the same URL. */
import type { FastifyInstance } from "fastify";
import { confirmStockAlert, stopStockAlerts } from "../../shop/products/stock-alert.ts";
import type { Store } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { networkOf } from "../auth/rate-limit-rules.ts";
import type { RateLimiter } from "../auth/rate-limiter.ts";
import { sendProblem, sendTooMany } from "./problem.ts";
import { ipOf } from "./web.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const actions = { confirm: confirmStockAlert, stop: stopStockAlerts };

export async function addStockAlerts(
  app: FastifyInstance,
  { store, limits }: { store: Store; limits: RateLimiter },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // any content type: only the URL matters
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 10_000 }, (_request, _body, done) =>
      done(null),
    );
    for (const [name, action] of Object.entries(actions)) {
      scope.post<{ Querystring: { token?: string } }>(`/stock-alert/${name}`, async (request, reply) => {
        const { token = "" } = request.query;
        if (!UUID.test(token)) return sendProblem(reply, 404, refusals.notFound);
        const of = networkOf(ipOf(request));
        const wait = await limits.take([{ what: "alert-link", of, max: 300, seconds: 600 }]);
        if (wait !== null) return sendTooMany(reply, wait);
        const outcome = await action(store, token);
        reply.header("Cache-Control", "no-store");
        // a mail client does not follow redirects
        if (!request.headers.accept?.includes("text/html")) return reply.send(outcome);
        return reply.redirect(
          outcome.done === "orderable" ? `/product/${outcome.productId}` : `/stock-alert/${outcome.done}`,
          303,
        );
      });
    }
  });
}
