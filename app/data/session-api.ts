/**
 * The identity provider's own paths (/api/auth/*), as small calls that answer `{ok: true, …}` or `{ok: false, message}`
 * with the provider's words, and what follows a sign-in: the access token and the role (specification, section 7).
 */
import type { User } from "../../api/entities.ts";
import { type IdentityResponse, identityRequest } from "./identity-request.ts";
import { type SignedInUser, startSession, storeToken } from "./session.ts";

interface Account {
  email: string;
  name: string;
}

/** There is no session any more, as opposed to: nobody could tell. */
export const NO_SESSION = "NO_SESSION";

/**
 * Signs in with email and password and fetches the access token, unless a second factor is needed.
 * `confirm` is the token of a confirmation link, which counts together with the password.
 */
export async function signInWithPassword(
  email: string,
  password: string,
  confirm: string | null,
): Promise<IdentityResponse<{ needsCode: boolean; confirmed: boolean }>> {
  const answer = await identityRequest<{ user?: Account & { emailVerified: boolean } }>(
    "POST",
    "/api/auth/sign-in/email",
    { email, password, ...(confirm && { confirm }) },
  );
  if (!answer.ok) return answer;
  if (!answer.user) return { ok: true, needsCode: true, confirmed: false };
  const opened = await fetchAccessToken(answer.user);
  return opened.ok ? { ok: true, needsCode: false, confirmed: answer.user.emailVerified } : opened;
}

/** The second step: the six digits that the app shows, or one of the recovery codes. */
export async function verifySecondFactor(typed: string): Promise<IdentityResponse> {
  const code = typed.replace(/\s/g, "");
  const kind = /^\d{6}$/.test(code) ? "totp" : "backup-code";
  const answer = await identityRequest<{ user: Account }>("POST", `/api/auth/two-factor/verify-${kind}`, {
    code,
  });
  return answer.ok ? fetchAccessToken(answer.user) : answer;
}

/** Creates an account and sends its verification email. Signs in, unless the store requires a verified email first. */
export async function register(
  name: string,
  email: string,
  password: string,
): Promise<IdentityResponse<{ mustVerify: boolean }>> {
  const input = { name, email, password };
  const answer = await identityRequest<{ token: string | null; user: Account }>(
    "POST",
    "/api/auth/sign-up/email",
    input,
  );
  if (!answer.ok) return answer;
  if (answer.token === null) return { ok: true, mustVerify: true };
  const opened = await fetchAccessToken(answer.user);
  return opened.ok ? { ok: true, mustVerify: false } : opened;
}

/** Sends the browser to Google. It returns to /login, which calls `resume`. */
export async function signInWithGoogle(from: string): Promise<IdentityResponse> {
  const back = `/login?google=1&from=${encodeURIComponent(from)}`;
  const answer = await identityRequest<{ url?: string }>("POST", "/api/auth/sign-in/social", {
    provider: "google",
    callbackURL: back,
    errorCallbackURL: back,
  });
  if (answer.ok && answer.url) window.location.assign(answer.url);
  return answer;
}

/** Fetches the access token for a live identity session, for example after a redirect from Google. */
export async function restoreSession(): Promise<IdentityResponse> {
  const answer = await identityRequest<{ user?: Account }>("GET", "/api/auth/get-session");
  if (!answer.ok) return answer;
  return answer.user
    ? fetchAccessToken(answer.user)
    : { ok: false, message: "You are not signed in.", code: NO_SESSION };
}

/** Sends the email with the link to /reset-password. The response does not reveal whether the account exists. */
export function sendResetEmail(email: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/request-password-reset", {
    email,
    redirectTo: "/reset-password",
  });
}

/** Sends the verification email again. */
export function sendVerification(email: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/send-verification-email", { email });
}

/** Sets a new password with the token of the reset email. */
export function setPassword(token: string, newPassword: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/reset-password", { token, newPassword });
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
  startSession(user, issued.token);
  return { ok: true };
}

function userPath(email: string): string {
  return `/user/${encodeURIComponent(email)}`;
}
