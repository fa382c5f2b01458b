/** Who is calling, and whether the contract lets them. */
import type { FastifyRequest } from "fastify";
import type { Access } from "../../api/call.ts";
import type { Identity } from "../../providers/identity/connect-identity.ts";
import type { SessionUser } from "../../shop/accounts/session-user.ts";
import type { User } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { toHeaders } from "../http/web.ts";
import type { Tokens } from "./tokens.ts";

/** The identity session behind the cookie of a request from our own pages. */
export interface Session {
  id: string;
  user: { id: string; email: string; name: string; emailVerified: boolean };
  /** Set-Cookie lines, when the session was prolonged: the browser is to keep its cookie as long */
  renewed: string[];
}

/** What decides who comes in. */
export interface AuthOptions {
  identity: Identity;
  /** the addresses under which our own pages are opened */
  origins: string[];
  /** where a request with this Host header was sent */
  ownOrigin: (host: string | undefined) => string;
  requireVerifiedEmail: boolean;
  /** an admin is one only in a session with a second factor */
  requireAdminSecondFactor: boolean;
}

export interface AuthError {
  status: 401 | 403;
  detail: string;
}

/** The person behind the Authorization header; a denial when there is none or it is no longer good. */
export async function userOf(request: FastifyRequest, tokens: Tokens): Promise<SessionUser | AuthError> {
  const header = request.headers.authorization;
  if (!header) return { status: 401, detail: refusals.notSignedIn };
  const token = /^Bearer ([\w.-]{1,2000})$/i.exec(header)?.[1];
  const bearer = token ? await tokens.read(token) : null;
  return bearer ?? { status: 401, detail: refusals.badToken };
}

/** The identity session of a same-origin request; a denial when there is none or another site asks. */
export async function sessionOf(request: FastifyRequest, doors: AuthOptions): Promise<Session | AuthError> {
  if (isCrossOrigin(request, doors)) return { status: 403, detail: refusals.otherOrigin };
  return sessionInCookie(request, doors);
}

/** The identity session of a request for a page, which a link on another site may lead to. */
export async function sessionInCookie(
  request: FastifyRequest,
  { identity, requireVerifiedEmail }: AuthOptions,
): Promise<Session | AuthError> {
  const { response: found, headers } = await identity.api.getSession({
    headers: toHeaders(request),
    returnHeaders: true,
  });
  if (!found) return { status: 401, detail: refusals.notSignedIn };
  if (requireVerifiedEmail && !found.user.emailVerified)
    return { status: 403, detail: refusals.emailNotVerified };
  return { id: found.session.id, user: found.user, renewed: headers.getSetCookie() };
}

/** Whether a browser says that the request comes from another site; other clients send neither header. */
export function isCrossOrigin(
  request: FastifyRequest,
  { origins, ownOrigin }: Pick<AuthOptions, "origins" | "ownOrigin">,
): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.origin;
  return origin !== undefined && origin !== ownOrigin(request.headers.host) && !origins.includes(origin);
}

/**
 * Why `person` may not make a call of this access, or null. Whose purchase it is, the operation knows
 * (`buyer`, `buyerOrAdmin`); here it is enough to be signed in.
 */
export function authorize(access: Access, person: User, email: string | undefined): AuthError | null {
  if (access === "admin" && person.role !== "admin") return { status: 403, detail: refusals.adminsOnly };
  if (access === "self" && person.email !== email) return { status: 403, detail: refusals.notYours };
  if (access === "selfOrAdmin" && person.role !== "admin" && person.email !== email) {
    return { status: 403, detail: refusals.notYours };
  }
  return null;
}
