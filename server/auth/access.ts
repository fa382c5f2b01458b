import type { FastifyRequest } from "fastify";
import type { Access } from "../../api/call.ts";
import type { Identity } from "../../providers/identity/connect-identity.ts";
import type { AuthenticationState, SessionUser } from "../../shop/accounts/session-user.ts";
import { upsertUser } from "../../shop/accounts/upsert-user.ts";
import type { Store, User } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { toHeaders } from "../http/web.ts";
import type { Tokens } from "./tokens.ts";

export interface Session {
  id: string;
  user: { id: string; email: string; name: string; emailVerified: boolean };
  /** Set-Cookie headers, if the session was extended */
  renewed: string[];
}

export interface AuthOptions {
  identity: Identity;
  origins: string[];
  /** the origin for a Host header */
  ownOrigin: (host: string | undefined) => string;
  requireVerifiedEmail: boolean;
  /** admins without a second factor in the session are treated as users */
  requireAdminSecondFactor: boolean;
}

export interface AuthError {
  status: 401 | 403;
  detail: string;
}

/** The user of the Authorization header, or an error if it is missing or invalid. */
export async function userOf(request: FastifyRequest, tokens: Tokens): Promise<SessionUser | AuthError> {
  const header = request.headers.authorization;
  if (!header) return { status: 401, detail: refusals.notSignedIn };
  const token = /^Bearer ([\w.-]{1,2000})$/i.exec(header)?.[1];
  const bearer = token ? await tokens.read(token) : null;
  return bearer ?? { status: 401, detail: refusals.badToken };
}

export async function sessionOf(request: FastifyRequest, options: AuthOptions): Promise<Session | AuthError> {
  if (isCrossOrigin(request, options)) return { status: 403, detail: refusals.otherOrigin };
  return sessionInCookie(request, options);
}

/** The session of a request for a page, to which a link on another site may lead. */
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

/** The user of a session; null if the account was closed or deleted. */
export async function bearerOf(
  session: Session,
  { tokens, store }: { tokens: Tokens; store: Store },
): Promise<SessionUser | null> {
  const known = await tokens.holderOf(session.id, session.user.id);
  if (known) return known;
  // a user who has just signed up has no user record yet
  await upsertUser(store, session.user);
  return tokens.holderOf(session.id, session.user.id);
}

/** Browsers say where a request comes from; other clients send neither header. */
export function isCrossOrigin(
  request: FastifyRequest,
  { origins, ownOrigin }: Pick<AuthOptions, "origins" | "ownOrigin">,
): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.origin;
  return origin !== undefined && origin !== ownOrigin(request.headers.host) && !origins.includes(origin);
}

/** Such an admin has the rights of a user. */
export function lacksSecondFactor(
  { person, proof }: Pick<SessionUser, "person"> & { proof?: AuthenticationState },
  { requireAdminSecondFactor }: Pick<AuthOptions, "requireAdminSecondFactor">,
): boolean {
  return requireAdminSecondFactor && person.role === "admin" && !proof?.secondFactor;
}

/** Null if `person` may make a call of this access. The operation checks `buyer` and `buyerOrAdmin`. */
export function authorize(access: Access, person: User, email: string | undefined): AuthError | null {
  if (access === "admin" && person.role !== "admin") return { status: 403, detail: refusals.adminsOnly };
  if (access === "self" && person.email !== email) return { status: 403, detail: refusals.notYours };
  if (access === "selfOrAdmin" && person.role !== "admin" && person.email !== email) {
    return { status: 403, detail: refusals.notYours };
  }
  return null;
}
