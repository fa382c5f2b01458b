import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { Problem } from "../../api/entities.ts";
import { retryAfter, type Unavailability } from "../../database/unavailability.ts";
import type { Refusal, RefusalDetails, RefusalKind } from "../../shop/refusal.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { truncate } from "../../shop/texts/truncate.ts";

const statusOf: Record<RefusalKind, number> = {
  invalid: 422,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  unavailable: 503,
};

export type ProblemDetails = Pick<Problem, "status" | "detail"> & RefusalDetails;

/** `detail` is shown to the user; `fields` names what to correct. */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  detail: string,
  more: RefusalDetails = {},
): FastifyReply {
  const { id: requestId, span } = reply.request;
  const problem: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
    ...more,
    // a refusal may be saved under an idempotency key, whose responses are all the same
    ...(status >= 500 && { requestId, ...(span && { traceId: span.traceId }) }),
  };
  if (status === 401) reply.header("WWW-Authenticate", "Bearer");
  if (status === 503 && !reply.hasHeader("Retry-After"))
    reply.header("Retry-After", String(retryAfter.unreachable));
  return reply
    .code(status)
    .type("application/problem+json")
    .header("Cache-Control", "no-store")
    .send(problem);
}

export function problemOfRefusal({ refused, ...details }: Refusal): ProblemDetails {
  return { status: statusOf[refused], ...details };
}

export function problemOfInput(error: z.ZodError): ProblemDetails {
  // a member may be called "__proto__"
  const fields = new Map<string, string>();
  for (const issue of error.issues)
    for (const [name, message] of problemsOf(issue)) if (!fields.has(name)) fields.set(name, message);
  const [detail = refusals.badInput] = fields.values();
  return { status: 422, detail, fields: Object.fromEntries(fields) };
}

/** Of an object with unknown members: one for each of them. */
function problemsOf(issue: z.core.$ZodIssue): [name: string, message: string][] {
  if (issue.code !== "unrecognized_keys") return [[issue.path.join(".") || "body", issue.message]];
  return issue.keys.slice(0, 20).map((key) => {
    const name = truncate(key, 60);
    return [[...issue.path, name].join("."), refusals.unknownMember(name)];
  });
}

export function problemOfError(unavailable: Unavailability): ProblemDetails {
  return { status: 503, detail: refusals.databaseDown[unavailable] };
}

export function sendFailure(reply: FastifyReply, { status, detail, ...more }: ProblemDetails): FastifyReply {
  return sendProblem(reply, status, detail, more);
}

export function sendError(reply: FastifyReply, unavailable: Unavailability): FastifyReply {
  return sendFailure(
    reply.header("Retry-After", String(retryAfter[unavailable])),
    problemOfError(unavailable),
  );
}

export function sendTooMany(reply: FastifyReply, seconds: number): FastifyReply {
  return sendProblem(reply.header("Retry-After", String(seconds)), 429, refusals.tooManyAttempts);
}
