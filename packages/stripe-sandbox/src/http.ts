/** HTTP as in Stripe's API: form bodies only, its headers, every error in its shape. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { API_VERSION } from "./api-version.ts";
import { type SerializedResponse, serialize } from "./idempotency.ts";
import { newId } from "./identifiers.ts";
import { refused, type SandboxResponse } from "./responses.ts";

const BODY_LIMIT = 64 * 1024;

export function acceptForms(app: FastifyInstance, isUnavailable: (error: unknown) => boolean): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: BODY_LIMIT },
    (_request, body, done) => done(null, body),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error.statusCode === 429) return send(request, reply, newId("req"), serialize(tooMany()));
    if (error.statusCode && error.statusCode < 500)
      return send(request, reply, newId("req"), serialize(badRequest()));
    request.log.error(error);
    return send(request, reply, newId("req"), serialize(unexpected(isUnavailable(error) ? 503 : 500)));
  });
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, newId("req"), serialize(unknownPath(request))),
  );
}

export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  requestId: string,
  response: SerializedResponse,
) {
  const key = request.headers["idempotency-key"];
  void reply.headers({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "request-id": requestId,
    "stripe-version": API_VERSION,
    ...(typeof key === "string" && { "idempotency-key": key }),
    ...(response.status === 503 && { "retry-after": "1" }),
    ...(response.replayOf && { "idempotent-replayed": "true", "original-request": response.replayOf }),
  });
  return reply.code(response.status).send(response.text);
}

export function readParamsText(request: FastifyRequest): string {
  if (request.method === "POST") return typeof request.body === "string" ? request.body : "";
  return request.url.split("?").slice(1).join("?");
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

function unknownPath(request: FastifyRequest): SandboxResponse {
  return refused(404, {
    message: `Unrecognized request URL (${request.method}: ${pathOf(request).slice(0, 200)}).`,
  });
}

function badRequest(): SandboxResponse {
  return refused(400, {
    message: "Invalid request (check that your POST content type is application/x-www-form-urlencoded).",
  });
}

function tooMany(): SandboxResponse {
  return refused(429, { code: "rate_limit", message: "Too many requests in a short time." });
}

function unexpected(status: 500 | 503): SandboxResponse {
  return refused(status, { type: "api_error", message: "An unknown error occurred." });
}
