/** The identity library below /api/auth, in its own paths. */
import type { FastifyInstance } from "fastify";
import type { Identity } from "../../providers/identity.ts";
import { refusals } from "../../shop/refusals.ts";
import { sendProblem } from "./problem.ts";
import { sendWebResponse, toWebRequest } from "./web.ts";

// Written out or as JSON has it: no text that a database holds can have one.
const NUL = /\0|(?<!\\)(\\\\)*\\u0000/;

/** Hands everything below /api/auth to the identity library, bodies untouched. */
export async function addIdentity(
  app: FastifyInstance,
  identity: Identity,
  publicUrl: string,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.route({
      method: ["GET", "POST"],
      url: "/api/auth/*",
      handler: async (request, reply) => {
        const body = typeof request.body === "string" ? request.body : undefined;
        if (body !== undefined && NUL.test(body)) return sendProblem(reply, 422, refusals.unreadableText);
        reply.header("Cache-Control", "no-store");
        return sendWebResponse(reply, await identity.handler(toWebRequest(request, publicUrl, body)));
      },
    });
  });
}
