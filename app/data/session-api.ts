/** The identity library's paths (/api/auth/*), and the access token after a sign-in (specification, section 7). */
import type { User } from "../../api/entities.ts";
import { type IdentityResponse, identityRequest } from "./identity-request.ts";
import { type SignedInUser, storeToken, storeUser } from "./session.ts";

type Account = Pick<SignedInUser, "email" | "name">;

/** The session has ended, as opposed to an unknown state. */
export const NO_SESSION = "NO_SESSION";

/**
 * Signs in with email and password and fetches the access token, unless a second factor is needed. `confirm` is the
 * token of a confirmation link, which is valid only together with the password.
 */
export async function signInWithPassword(
  email: string,
  password: string,
  confirm: string | null,
): Promise<IdentityResponse<{ needsCode: boolean; confirmed: boolean }>> {
  const outcome = await identityRequest<{ user?: Account & { emailVerified: boolean } }>(
    "POST",
    "/api/auth/sign-in/email",
    { email, password, ...(confirm && { confirm }) },
  );
  if (!outcome.ok) return outcome;
  if (!outcome.user) return { ok: true, needsCode: true, confirmed: false };
  const opened = await fetchAccessToken(outcome.user);
  return opened.ok ? { ok: true, needsCode: false, confirmed: outcome.user.emailVerified } : opened;
}

/** The second factor: six digits of an authenticator app, or a recovery code of ten characters. */
export async function verifySecondFactor(typed: string): Promise<IdentityResponse> {
  const code = typed.replace(/[\s\p{Pd}]/gu, "");
  const kind = /^\d{1,9}$/.test(code) ? "totp" : "backup-code";
  const outcome = await identityRequest<{ user: Account }>("POST", `/api/auth/two-factor/verify-${kind}`, {
    code,
  });
  return outcome.ok ? fetchAccessToken(outcome.user) : outcome;
}

/** Sends a verification email. Signs in, unless the store requires a verified email first. */
export async function register(
  name: string,
  email: string,
  password: string,
): Promise<IdentityResponse<{ mustVerify: boolean }>> {
  const input = { name, email, password };
  const outcome = await identityRequest<{ token: string | null; user: Account }>(
    "POST",
    "/api/auth/sign-up/email",
    input,
  );
  if (!outcome.ok) return outcome;
  if (outcome.token === null) return { ok: true, mustVerify: true };
  const opened = await fetchAccessToken(outcome.user);
  return opened.ok ? { ok: true, mustVerify: false } : opened;
}

/** Redirects to Google to sign in, or to link the account; it returns to `back`. */
export async function goToGoogle(
  action: "sign-in/social" | "link-social",
  back: string,
): Promise<IdentityResponse> {
  const outcome = await identityRequest<{ url?: string }>("POST", `/api/auth/${action}`, {
    provider: "google",
    callbackURL: back,
    errorCallbackURL: back,
  });
  if (outcome.ok && outcome.url) window.location.assign(outcome.url);
  return outcome;
}

/** Fetches the access token for an existing session, for example after a redirect from Google. */
export async function restoreSession(): Promise<IdentityResponse> {
  const outcome = await identityRequest<{ user?: Account }>("GET", "/api/auth/get-session");
  if (!outcome.ok) return outcome;
  return outcome.user
    ? fetchAccessToken(outcome.user)
    : { ok: false, message: "You are not signed in.", code: NO_SESSION };
}

export function sendVerification(email: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/send-verification-email", { email });
}

async function fetchAccessToken(account: Account): Promise<IdentityResponse> {
  const issued = await identityRequest<{ token: string }>("PUT", userPath(account.email), {
    email: account.email,
  });
  if (!issued.ok) return issued;
  storeToken(issued.token);
  const found = await identityRequest<User>("GET", userPath(account.email));
  if (!found.ok) return found;
  const user: SignedInUser = {
    email: account.email,
    name: account.name || account.email,
    role: found.role,
  };
  storeUser(user);
  storeToken(issued.token);
  return { ok: true };
}

function userPath(email: string): string {
  return `/user/${encodeURIComponent(email)}`;
}
