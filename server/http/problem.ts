/** Refusals and failures as problem JSON (RFC 9457). */
import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { Problem } from "../../api/entities.ts";
import type { NoConnection } from "../../database/no-connection.ts";
import type { Refusal, RefusalKind } from "../../shop/refusal.ts";
import { refusals } from "../../shop/refusals.ts";

const statusOf: Record<RefusalKind, number> = {
  invalid: 422,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  unavailable: 503,
};

type Details = Pick<Problem, "fields" | "current" | "present">;

/** Sends a problem; `detail` is for the person, `fields` names what to mend. */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  detail: string,
  more: Details = {},
): FastifyReply {
  const problem: Problem = {
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
    ...more,
  };
  if (status === 401) reply.header("WWW-Authenticate", "Bearer");
  return reply
    .code(status)
    .type("application/problem+json")
    .header("Cache-Control", "no-store")
    .send(problem);
}

/** Sends what an operation refused. */
export function sendRefusal(
  reply: FastifyReply,
  { refused, detail, fields, current, present }: Refusal,
): FastifyReply {
  return sendProblem(reply, statusOf[refused], detail, {
    ...(fields && { fields }),
    ...(current && { current }),
    ...(present && { present }),
  });
}

/** Sends what was wrong with an input: the first message per member, and the first of all as the detail. */
export function sendInvalid(reply: FastifyReply, error: z.ZodError): FastifyReply {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  return sendProblem(reply, 422, error.issues[0]?.message ?? refusals.badInput, { fields });
}

/** Sends that the database has no time or is away, and that it may be tried again soon. */
export function sendNoConnection(reply: FastifyReply, { busy }: NoConnection): FastifyReply {
  return sendProblem(
    reply.header("Retry-After", "5"),
    503,
    busy ? refusals.serverBusy : refusals.serverNotReady,
  );
}

/** Sends that something was tried too often, and after how many seconds it may be tried again. */
export function sendTooMany(reply: FastifyReply, seconds: number): FastifyReply {
  return sendProblem(reply.header("Retry-After", String(seconds)), 429, refusals.tooManyAttempts);
}
