import type { FastifyInstance } from "fastify";
import { redactSecretLinks } from "../../shop/emails/redact-links.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { authorize, lacksSecondFactor, sessionUserOf } from "../auth/access.ts";
import type { CallDependencies } from "./api-routes.ts";
import { sendProblem } from "./problem.ts";

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: https:",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // links open in a new window; same origin, so that the page can measure the frame
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
].join("; ");

/** A frame sends no token, so the admin's session is checked. */
export function addEmailPage(app: FastifyInstance, dependencies: CallDependencies): void {
  const { outbox } = dependencies;
  if (!outbox) return;
  app.get<{ Params: { id: string } }>("/outbox/:id/page", async (request, reply) => {
    const bearer = await sessionUserOf(request, dependencies);
    if ("status" in bearer) return sendProblem(reply, bearer.status, bearer.detail);
    const denial = authorize("admin", bearer.user, undefined);
    if (denial) return sendProblem(reply, denial.status, denial.detail);
    if (lacksSecondFactor(bearer, dependencies)) return sendProblem(reply, 403, refusals.secondFactorFirst);
    const email = await outbox.find(request.params.id);
    if (!email) return sendProblem(reply, 404, refusals.emailNotFound);
    return reply
      .header("Content-Security-Policy", POLICY)
      .header("Cache-Control", "no-store")
      .type("text/html; charset=utf-8")
      .send(redactSecretLinks(email).html.replace(/<head>/i, '<head><base target="_blank">'));
  });
}
