import type { FastifyInstance } from "fastify";
import { refusals } from "../../shop/texts/refusals.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { sendProblem } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    sale?: string;
  }
}

/** The response cache is observed separately. */
export function observeResponses(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", async (request, reply) => {
    const { url: route = "none", config } = request.routeOptions;
    const { statusCode: status } = reply;
    metrics.observeRequest({
      method: request.method,
      route,
      status,
      cached: false,
      seconds: reply.elapsedTime / 1000,
    });
    if (config.sale && status >= 400) metrics.countRejection(config.sale, status);
  });
}

/** For clients on this machine only. */
export function addMetrics(app: FastifyInstance, { registry }: Metrics): void {
  app.get("/metrics", async (request, reply) => {
    if (!isLocal(request.socket.remoteAddress) || request.headers["x-forwarded-for"]) {
      return sendProblem(reply, 404, refusals.notFound);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function isLocal(ip: string | undefined): boolean {
  return ip === "127.0.0.1" || ip === "::1" || ip === "::ffff:127.0.0.1";
}
