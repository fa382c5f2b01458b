import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { SecurityEvent } from "../../shop/accounts/security-event.ts";
import type { SecurityNoticeJob } from "../../shop/emails/account-jobs.ts";
import { codeRefusals } from "../../shop/texts/code-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { messages } from "../../shop/texts/specification.ts";
import { readLink } from "./before-hooks.ts";
import { type Context, ownerOfCode } from "./codes.ts";
import { ipAndAgent } from "./ip-and-agent.ts";
import { isCallback } from "./second-factor.ts";

interface Owner {
  id: string;
  email: string;
  name: string;
}

export interface AfterHookOptions {
  notify: (event: SecurityNoticeJob["event"], owner: Owner) => Promise<void>;
  registrationTried: (email: string) => Promise<void>;
  emailChanged: (before: string, after: string) => Promise<void>;
  secondFactorVerified: (sessionId: string) => Promise<void>;
  passkeyUsed: (sessionId: string, credential: string) => Promise<void>;
  /** does nothing if the session is another user's */
  endSession: (userId: string, token: string) => Promise<void>;
  linkUsed: (token: string) => Promise<void>;
  recordEvent: (event: SecurityEvent) => Promise<void>;
}

/** What the audit log records of a change by the signed-in owner, and the notification of it. */
const changes: Record<string, { what: string; notice?: SecurityNoticeJob["event"] }> = {
  "/change-password": { what: "Password changed", notice: "passwordChanged" },
  "/passkey/verify-registration": { what: "Passkey added", notice: "passkeyAdded" },
  "/passkey/delete-passkey": { what: "Passkey removed", notice: "passkeyRemoved" },
  "/unlink-account": { what: "Google disconnected", notice: "googleDisconnected" },
  "/revoke-session": { what: "Sessions ended" },
  "/revoke-sessions": { what: "Sessions ended" },
  "/revoke-other-sessions": { what: "Sessions ended" },
  "/two-factor/generate-backup-codes": {
    what: "Recovery codes regenerated",
    notice: "recoveryCodesReplaced",
  },
};

/** In place of the library's texts, which say neither what happened nor what to do. */
const refusalsByCode: Record<string, string> = {
  INVALID_BACKUP_CODE: codeRefusals.wrongRecoveryCode,
  INVALID_TWO_FACTOR_COOKIE: codeRefusals.codeTooLate,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: codeRefusals.tooManyCodes,
  ACCOUNT_TEMPORARILY_LOCKED: codeRefusals.codesLocked,
};

/** Not for the store's own calls of the library. */
export function afterHooks(options: AfterHookOptions) {
  return createAuthMiddleware(async (context) => {
    if (!context.request) return;
    const { path } = context;
    const { returned } = context.context;
    const failure = isFailure(returned) ? (returned as Pick<APIError, "body">) : null;
    const event = failure ? await failureEvent(context, failure) : await successEvent(context);
    if (event) await options.recordEvent({ ...event, ...ipAndAgent(context) });
    const message = isAPIError(returned) && refusalsByCode[String(returned.body?.code)];
    if (message) throw new APIError(returned.status, { ...returned.body, message });
    if (failure && isEmailFailure(failure))
      throw new APIError("BAD_REQUEST", { code: "INVALID_EMAIL", message: messages.login.emailInvalid });
    if (path === "/sign-up/email" && failure?.body?.code === "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL") {
      // takes as long, and reads the same, as any other failed registration
      await context.context.password.hash(context.body.password);
      await options.registrationTried(context.body.email.toLowerCase());
      throw new APIError("UNPROCESSABLE_ENTITY", {
        code: "FAILED_TO_CREATE_USER",
        message: refusals.registrationFailed,
      });
    }
    if (failure) return;
    const owner = context.context.session?.user as Owner | undefined;
    const notice = changes[path]?.notice;
    if (notice && owner) await options.notify(notice, owner);
    if (path === "/two-factor/verify-totp" || path === "/two-factor/verify-backup-code") {
      const session = context.context.newSession ?? (await getSessionFromCtx(context));
      if (session) await options.secondFactorVerified(session.session.id);
    }
    if (path === "/passkey/verify-authentication" && context.context.newSession) {
      await options.passkeyUsed(context.context.newSession.session.id, String(context.body?.response?.id));
    }
    await endEarlierSession(context, options);
    if (path === "/verify-email") await recordUsedLink(context.query?.token, options);
  });
}

/**
 * The user's own earlier session in this browser loses its cookie, and would stay in the list of devices. Not through
 * the library, which would extend it and set its cookie.
 */
async function endEarlierSession(context: Context, { endSession }: AfterHookOptions): Promise<void> {
  const { newSession, authCookies, secret } = context.context;
  if (!newSession) return;
  const token = await context.getSignedCookie(authCookies.sessionToken.name, secret);
  if (token && token !== newSession.session.token) await endSession(newSession.user.id, token);
}

async function successEvent(context: Context): Promise<SecurityEvent | null> {
  const { newSession, session } = context.context;
  const signedIn = (detail: string): SecurityEvent | null =>
    newSession && { userId: newSession.user.id, what: "Signed in", detail };
  const change = (what: string): SecurityEvent | null => session && { userId: session.user.id, what };
  const changed = changes[context.path];
  if (changed) return change(changed.what);
  switch (context.path) {
    case "/sign-in/email":
      // with two-factor authentication, the user is not signed in yet
      return newSession?.user.twoFactorEnabled ? null : signedIn("with a password");
    case "/sign-up/email":
      return signedIn("by registering");
    case "/two-factor/verify-totp":
      return session ? change("Two-factor code confirmed") : signedIn("with a code");
    case "/two-factor/verify-backup-code":
      return session ? change("Recovery code used") : signedIn("with a recovery code");
    case "/passkey/verify-authentication":
      return signedIn("with a passkey");
    case "/request-password-reset":
      return { email: String(context.body?.email), what: "Password link asked for" };
    default:
      return isCallback(context.path) && !newSession?.user.twoFactorEnabled ? signedIn("with Google") : null;
  }
}

/** Null if it was not an attempt to sign in or to prove an identity. */
async function failureEvent(
  context: Context,
  { body }: Pick<APIError, "body">,
): Promise<SecurityEvent | null> {
  const { path, context: authContext } = context;
  if (body?.code === "VALIDATION_ERROR") return null;
  const closed = body?.code === "ACCOUNT_DISABLED" && "the account is closed";
  if (path === "/sign-in/email") {
    const detail = closed || (body?.code === "EMAIL_NOT_VERIFIED" ? "email not confirmed" : "wrong password");
    return { email: String(context.body?.email), what: "Sign-in refused", detail };
  }
  if (path.startsWith("/two-factor/verify-"))
    return { userId: await ownerOfCode(context), what: "Sign-in refused", detail: closed || "wrong code" };
  if (path === "/passkey/verify-authentication") {
    const credential = String(context.body?.response?.id).slice(0, 2000);
    return { credential, what: "Sign-in refused", detail: closed || "with a passkey" };
  }
  if (isCallback(path)) return { userId: null, what: "Sign-in refused", detail: closed || "with Google" };
  const user = authContext.session?.user;
  // a new password that is too long is no attempt to guess the present one
  if (
    user &&
    body?.code === "INVALID_PASSWORD" &&
    ["/change-password", "/two-factor/enable", "/two-factor/disable"].includes(path)
  )
    return { userId: user.id, what: "Confirmation refused", detail: "wrong password" };
  return null;
}

/** The library accepts fewer email addresses than the specification's pattern, and its message is for programmers. */
function isEmailFailure({ body }: Pick<APIError, "body">): boolean {
  if (body?.code !== "VALIDATION_ERROR") return body?.code === "INVALID_EMAIL";
  return /^\[body\.(email|newEmail)\]/.test(body.message ?? "");
}

async function recordUsedLink(token: unknown, options: AfterHookOptions): Promise<void> {
  const link = readLink(token);
  if (!link) return;
  await options.linkUsed(link.token);
  if (link.updateTo) await options.emailChanged(link.email, link.updateTo);
}

/** Refusals, also as redirects with an error in the URL. */
function isFailure(returned: unknown): boolean {
  if (returned instanceof Error && !isAPIError(returned)) return true;
  if (!isAPIError(returned)) return false;
  if (returned.status !== "FOUND") return true;
  return /[?&]error=/.test(new Headers(returned.headers).get("location") ?? "");
}
