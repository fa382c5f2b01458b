import type { FastifyRequest } from "fastify";
import type { Access } from "../../api/call.ts";
import type { Problem } from "../../api/entities.ts";
import type { Identity } from "../../providers/identity/connect-identity.ts";
import type { SessionUser } from "../../shop/accounts/session-user.ts";
import { upsertUser } from "../../shop/accounts/upsert-user.ts";
import type { Store, User } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { toHeaders } from "../http/web.ts";
import type { Tokens } from "./tokens.ts";

export interface Session {
  id: string;
  user: { id: string; email: string; name: string; emailVerified: boolean };
  renewedCookies: string[];
}

export interface AuthOptions {
  identity: Identity;
  origins: string[];
  ownOrigin: (host: string | undefined) => string;
  requireVerifiedEmail: boolean;
  /** admins without a second factor in the session are treated as users */
  requireAdminSecondFactor: boolean;
}

export interface AuthError {
  status: 401 | 403;
  detail: string;
  code?: Problem["code"];
}

export async function authenticateToken(
  request: FastifyRequest,
  tokens: Tokens,
): Promise<SessionUser | AuthError> {
  const header = request.headers.authorization;
  if (!header) return { status: 401, detail: refusals.notSignedIn };
  const token = /^Bearer ([\w.-]{1,2000})$/i.exec(header)?.[1];
  const user = token ? await tokens.read(token) : null;
  return user ?? { status: 401, detail: refusals.badToken };
}

export async function sessionOf(request: FastifyRequest, options: AuthOptions): Promise<Session | AuthError> {
  if (isCrossOrigin(request, options)) return { status: 403, detail: refusals.otherOrigin };
  return sessionInCookie(request, options);
}

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
  return { id: found.session.id, user: found.user, renewedCookies: headers.getSetCookie() };
}

/** The user of a session; null if the account was closed or deleted. */
export async function userOfSession(
  session: Session,
  { tokens, store }: { tokens: Tokens; store: Store },
): Promise<SessionUser | null> {
  const existing = await tokens.findUser(session.id, session.user.id);
  if (existing) return existing;
  // a user who has just signed up has no user record yet
  await upsertUser(store, session.user);
  return tokens.findUser(session.id, session.user.id);
}

export async function sessionUserOf(
  request: FastifyRequest,
  options: AuthOptions & { tokens: Tokens; store: Store },
  find = sessionOf,
): Promise<SessionUser | AuthError> {
  const session = await find(request, options);
  if ("status" in session) return session;
  return (await userOfSession(session, options)) ?? { status: 401, detail: refusals.notSignedIn };
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

export function lacksSecondFactor(
  { user, authentication }: SessionUser,
  { requireAdminSecondFactor }: Pick<AuthOptions, "requireAdminSecondFactor">,
): boolean {
  return requireAdminSecondFactor && user.role === "admin" && !authentication.secondFactor;
}

/** Null if `user` may make a call of this access. The operation checks `buyer` and `buyerOrAdmin`. */
export function authorize(access: Access, user: User, email: string | undefined): AuthError | null {
  if (access === "admin" && user.role !== "admin") return { status: 403, detail: refusals.adminsOnly };
  if (access === "self" && user.email !== email) return { status: 403, detail: refusals.notYours };
  if (access === "selfOrAdmin" && user.role !== "admin" && user.email !== email) {
    return { status: 403, detail: refusals.notYours };
  }
  return null;
}
