/** The identity library below /api/auth, in its own paths, behind the store's own limits. */
import type { FastifyInstance } from "fastify";
import { LONGEST_EMAIL } from "../../api/fields.ts";
import type { Identity } from "../../providers/identity/connect-identity.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { isCrossOrigin } from "../auth/access.ts";
import { identityRateLimits, isAuthenticationPath } from "../auth/rate-limit-rules.ts";
import type { RateLimiter } from "../auth/rate-limiter.ts";
import type { Devices } from "../auth/trusted-device-cookie.ts";
import { sendProblem, sendTooMany } from "./problem.ts";
import { addressOf, sendWebResponse, toWebRequest } from "./web.ts";

export interface IdentityDependencies {
  identity: Identity;
  limits: RateLimiter;
  devices: Devices;
  /** the addresses under which our own pages are opened */
  origins: string[];
  ownOrigin: (host: string | undefined) => string;
}

// Written out or as JSON has it: no text that a database holds can have one.
const NUL = /\0|(?<!\\)(\\\\)*\\u0000/;
const JSON_KIND = /^application\/json\s*(?:;|$)/i;
const BASE = "/api/auth";

/** Hands everything below /api/auth to the identity library, bodies untouched. */
export async function addIdentity(app: FastifyInstance, dependencies: IdentityDependencies): Promise<void> {
  const { identity, limits, devices, origins, ownOrigin } = dependencies;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.route({
      method: ["GET", "POST"],
      url: `${BASE}/*`,
      handler: async (request, reply) => {
        if (request.url.includes("%00")) return sendProblem(reply, 400, refusals.badRequest);
        const body = typeof request.body === "string" ? request.body : undefined;
        if (body && !JSON_KIND.test(request.headers["content-type"] ?? ""))
          return isCrossOrigin(request, { origins, ownOrigin })
            ? sendProblem(reply, 403, refusals.otherOrigin)
            : sendProblem(reply, 415, refusals.badContentType);
        if (body !== undefined && NUL.test(body)) return sendProblem(reply, 422, refusals.unreadableText);
        const given = body ? readJson(body) : null;
        if (given === undefined) return sendProblem(reply, 400, refusals.badJson);
        const asked = toWebRequest(request, ownOrigin(request.headers.host), body);
        // what is counted is what the library reads: "/x/../sign-in/email" is a login to it
        const path = new URL(asked.url).pathname.slice(BASE.length);
        const email = emailIn(given);
        const device = email && devices.read(request, email);
        const holder = isAuthenticationPath(path) ? await holderOf(asked.headers, identity) : undefined;
        const attempt = identityRateLimits(path, {
          address: addressOf(request),
          ...(holder !== undefined && { holder }),
          ...(email !== undefined && { email }),
          ...(device && { device }),
        });
        const wait = await limits.take(attempt.rules);
        if (wait !== null) return sendTooMany(reply, wait);
        const response = await identity.handler(asked);
        const entered = response.ok && (path === "/sign-in/email" || path === "/sign-up/email");
        if (response.ok && attempt.counted.length > 0) await limits.forgive(attempt.counted, attempt.cleared);
        if (entered && email && !device && setsSession(response))
          response.headers.append("set-cookie", devices.line(email));
        reply.header("Cache-Control", "no-store");
        if (response.status === 503) reply.header("Retry-After", "5");
        return sendWebResponse(reply, response);
      },
    });
  });
}

/**
 * Parses a body, or returns undefined where it is no JSON. A form, or a text that only the library can read, would name
 * one e-mail to the limits and another to the library.
 */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The e-mail that a body names, in lower case. */
function emailIn(given: unknown): string | undefined {
  const { email } = (given ?? {}) as { email?: unknown };
  return typeof email === "string" ? email.toLowerCase().slice(0, LONGEST_EMAIL) : undefined;
}

/** Whose session a request carries, as the library reads it; a cookie that opens nothing is nobody's. */
async function holderOf(headers: Headers, identity: Identity): Promise<string | undefined> {
  // not prolonged here: the browser would not hear of it
  const query = { disableRefresh: true };
  const found = await identity.api.getSession({ headers, query });
  return found?.user.id;
}

function setsSession(response: Response): boolean {
  return response.headers.getSetCookie().some((line) => /session_token=[^;]/.test(line));
}
