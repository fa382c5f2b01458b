import { randomUUID } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import {
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type RawRequestDefaultExpression,
} from "fastify";
import type { RequestSpan, Tracing } from "../tracing/open-tracing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** if requests are traced; health checks and scrapes are not */
    span?: RequestSpan;
  }
}

const HEADER = "x-request-id";
const GIVEN_ID = /^[\w-]{8,64}$/;

type RawRequest = RawRequestDefaultExpression;

/** Fastify's options. An id from a trusted proxy is kept. */
export function requestIds(isTrusted: (request: RawRequest) => boolean) {
  return {
    logController: new LogController({ requestIdLogLabel: "requestId" }),
    genReqId(request) {
      const given = request.headers[HEADER];
      if (typeof given === "string" && GIVEN_ID.test(given) && isTrusted(request)) return given;
      return randomUUID().replaceAll("-", "").slice(-16);
    },
  } satisfies FastifyServerOptions;
}

/** Whether a request comes directly from one of `networks`. */
export function trustedProxyCheck(networks: string[]): (request: RawRequest) => boolean {
  const list = new BlockList();
  const familyOf = (ip: string) => (isIPv6(ip) ? "ipv6" : "ipv4");
  for (const network of networks) {
    const [ip = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(ip, familyOf(ip));
    else list.addSubnet(ip, Number(bits), familyOf(ip));
  }
  return ({ socket: { remoteAddress: from } }) => from !== undefined && list.check(from, familyOf(from));
}

const PROBES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);
const DISCONNECTED = 499;

export function identifyRequests(
  app: FastifyInstance,
  isTrusted: (request: RawRequest) => boolean,
  tracing: Tracing | undefined,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(HEADER, request.id);
    done();
  });
  if (!tracing) return;
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", (request, { raw }, done) => {
    const { id, method, headers, routeOptions } = request;
    if (PROBES.has(routeOptions.url)) return done();
    const { traceparent } = headers;
    const isUsable = typeof traceparent === "string" && isTrusted(request.raw);
    const { url: route = "none" } = routeOptions;
    const span = tracing.openRequest({ method, route, id }, isUsable ? traceparent : undefined);
    raw.once("close", () => span.end(raw.writableFinished ? raw.statusCode : DISCONNECTED));
    request.span = span;
    span.run(done);
  });
  // the body arrives in events of the connection, outside of the span
  app.addHook("preValidation", ({ span }, _reply, done) => (span ? span.run(done) : done()));
}
