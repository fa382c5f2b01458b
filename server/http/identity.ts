/** The identity library below /api/auth, in its own paths. */
import type { FastifyInstance } from "fastify";
import type { Identity } from "../../providers/identity.ts";
import { sendWebResponse, toWebRequest } from "./web.ts";

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
        reply.header("Cache-Control", "no-store");
        return sendWebResponse(reply, await identity.handler(toWebRequest(request, publicUrl, body)));
      },
    });
  });
}
