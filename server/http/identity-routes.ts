import type { FastifyInstance } from "fastify";
import { MAX_EMAIL_LENGTH } from "../../api/fields.ts";
import { retryAfter } from "../../database/unavailability.ts";
import type { Identity } from "../../providers/identity/connect-identity.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { isCrossOrigin } from "../auth/access.ts";
import { identityRateLimits, isAuthenticationPath } from "../auth/rate-limit-rules.ts";
import type { RateLimiter } from "../auth/rate-limiter.ts";
import type { Devices } from "../auth/trusted-device-cookie.ts";
import { sendProblem, sendTooMany } from "./problem.ts";
import { ipOf, sendWebResponse, toWebRequest } from "./web.ts";

export interface IdentityDependencies {
  identity: Identity;
  limits: RateLimiter;
  devices: Devices;
  origins: string[];
  ownOrigin: (host: string | undefined) => string;
}

// Raw or escaped as in JSON: PostgreSQL cannot store it.
const NUL = /\0|(?<!\\)(\\\\)*\\u0000/;
const JSON_KIND = /^application\/json\s*(?:;|$)/i;
const BASE = "/api/auth";

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
        const input = body ? readJson(body) : null;
        if (input === undefined) return sendProblem(reply, 400, refusals.badJson);
        const webRequest = toWebRequest(request, ownOrigin(request.headers.host), body);
        // the path as the library parses it: "/x/../sign-in/email" is a login
        const path = new URL(webRequest.url).pathname.slice(BASE.length);
        const email = emailIn(input, path);
        const device = email && devices.read(request, email);
        const userId = isAuthenticationPath(path)
          ? await sessionUserId(webRequest.headers, identity)
          : undefined;
        const attempt = identityRateLimits(path, {
          ip: ipOf(request),
          ...(userId !== undefined && { userId }),
          ...(email !== undefined && { email }),
          ...(device && { device }),
        });
        const wait = await limits.take(attempt.rules);
        if (wait !== null) return sendTooMany(reply, wait);
        const response = await identity.handler(webRequest);
        const hasSignedIn = response.ok && (path === "/sign-in/email" || path === "/sign-up/email");
        if (response.ok && attempt.counted.length > 0)
          await limits.recordSuccess(attempt.counted, attempt.cleared);
        if (hasSignedIn && email && !device && setsSession(response))
          response.headers.append("set-cookie", devices.cookie(email));
        reply.header("Cache-Control", "no-store");
        if (response.status === 503) reply.header("Retry-After", String(retryAfter.unreachable));
        return sendWebResponse(reply, response);
      },
    });
  });
}

/** JSON only: a form could name one email to the rate limiter and another to the library. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function emailIn(input: unknown, path: string): string | undefined {
  const { email: submittedEmail, newEmail } = (input ?? {}) as { email?: unknown; newEmail?: unknown };
  const email = path === "/change-email" ? newEmail : submittedEmail;
  return typeof email === "string" ? email.toLowerCase().slice(0, MAX_EMAIL_LENGTH) : undefined;
}

async function sessionUserId(headers: Headers, identity: Identity): Promise<string | undefined> {
  // not extended here: the browser would not get the cookie
  const query = { disableRefresh: true };
  const found = await identity.api.getSession({ headers, query });
  return found?.user.id;
}

function setsSession(response: Response): boolean {
  return response.headers.getSetCookie().some((line) => /session_token=[^;]/.test(line));
}
