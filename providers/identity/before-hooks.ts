import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { decodeJwt, jwtVerify } from "jose";
import { MAX_EMAIL_LENGTH } from "../../api/fields.ts";
import { hasVisibleText } from "../../shop/accounts/name.ts";
import type { SecurityEvent } from "../../shop/accounts/security-event.ts";
import { codeRefusals } from "../../shop/texts/code-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { messages } from "../../shop/texts/specification.ts";
import { type Context, ownerOfCode, toRecoveryCode, withoutSeparators } from "./codes.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { ipAndAgent } from "./ip-and-agent.ts";
import type { Reauthentication } from "./reauthentication.ts";

export interface BeforeHookOptions {
  /** null: Google is not configured; otherwise whether Google can be reached */
  reachGoogle: (() => Promise<boolean>) | null;
  reauthentication: Reauthentication;
  recordEvent: (event: SecurityEvent) => Promise<void>;
  /** consumes a code of an authenticator app; false if it was used before */
  consumeCode: (userId: string, code: string) => Promise<boolean>;
  /** verifies a code of an authenticator app, or consumes a recovery code, of the user whose session `headers` name */
  verifyCode: (headers: Headers, code: string) => Promise<boolean>;
  /** whether this user may act as an admin only in a session with a second factor */
  needsSecondFactor: (userId: string) => Promise<boolean>;
}

export const MAX_NAME_LENGTH = 200;
const MAX_PASSKEY_NAME_LENGTH = 60;
/** These change how someone can sign in later, so they need a recent proof of identity. */
const stepUpPaths = new Set([
  "/change-email",
  "/link-social",
  "/unlink-account",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/passkey/delete-passkey",
]);
/** These add or remove a second factor, or show how to pass as one. */
const secondFactorPaths = new Set([
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/get-totp-uri",
  "/two-factor/generate-backup-codes",
  "/two-factor/verify-totp",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/passkey/delete-passkey",
]);
/** with a code, which is the proof */
const codePaths = new Set(["/two-factor/verify-totp", "/two-factor/disable"]);
/** a code of an authenticator app; otherwise it is a recovery code */
export const TOTP = /^\d{6}$/;
const passwordFields: Record<string, string> = {
  "/sign-up/email": "password",
  "/reset-password": "newPassword",
  "/change-password": "newPassword",
};
const profilePaths = ["/sign-up/email", "/update-user"];
const emailFields: Record<string, string> = {
  "/sign-up/email": "email",
  "/change-email": "newEmail",
};

/** Not for the store's own calls of the library. */
export function beforeHooks(options: BeforeHookOptions) {
  return createAuthMiddleware(async (context) => {
    if (!context.request) return;
    const { path } = context;
    // Google returns to the origin at which the store was opened, where the cookies are
    context.context.baseURL = new URL("/api/auth", context.request.url).href;
    const body: Record<string, unknown> = context.body ?? {};
    refuseOtherHost({ ...context.query, ...body });
    refuseCommonPassword(path, body);
    refuseInvalidName(path, body);
    refuseImage(path, body);
    refuseLongEmail(path, body);
    if (path === "/sign-in/social" || path === "/link-social") await checkGoogleSignIn(options, body);
    if (path === "/sign-out") await recordSignOut(context, options);
    refuseInvalidPasskey(path, body);
    if (stepUpPaths.has(path)) await requireStepUp(context, options);
    if (secondFactorPaths.has(path)) await requireSecondFactor(context, options);
    if (path === "/unlink-account") await keepPassword(context);
    if (path === "/two-factor/verify-totp") await refuseUsedCode(context, options);
    if (path === "/two-factor/disable") await requireCode(context, options, body);
    if (path === "/verify-email") await checkLink(context, options.reauthentication);
    if (path === "/sign-in/email") await confirmByPassword(context, options.reauthentication, body);
    // no second session, and no trusted device that skips the code
    if (path === "/passkey/verify-registration")
      return { context: { body: { ...body, createSession: false } } };
    if (path.startsWith("/two-factor/verify-")) {
      const { code: typed } = body;
      const isRecovery = path === "/two-factor/verify-backup-code" && typeof typed === "string";
      const code = isRecovery ? toRecoveryCode(typed) : typed;
      return { context: { body: { ...body, code, trustDevice: false } } };
    }
    // signs out everyone who knew the old password
    if (path === "/change-password") return { context: { body: { ...body, revokeOtherSessions: true } } };
  });
}

// any origin works: only whether a path leaves it matters
const ORIGIN = "https://here.invalid";
const redirectFields = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** The library refuses "//host", but makes it of "/.//host" when it adds its parameters. */
function refuseOtherHost(input: Record<string, unknown>): void {
  for (const url of redirectFields.map((name) => input[name])) {
    if (typeof url !== "string" || !URL.canParse(url, ORIGIN)) continue;
    if (new URL(url, ORIGIN).pathname.startsWith("//"))
      throw new APIError("FORBIDDEN", { code: "INVALID_CALLBACK_URL", message: refusals.badInput });
  }
}

function refuseCommonPassword(path: string, body: Record<string, unknown>): void {
  const password = body[passwordFields[path] ?? ""];
  if (typeof password === "string" && password.length >= 6 && isCommonPassword(password))
    throw new APIError("BAD_REQUEST", { code: "PASSWORD_TOO_COMMON", message: refusals.commonPassword });
}

function refuseInvalidName(path: string, { name }: Record<string, unknown>): void {
  const isPasskeyPath = path.startsWith("/passkey/");
  const maxLength = isPasskeyPath ? MAX_PASSKEY_NAME_LENGTH : MAX_NAME_LENGTH;
  if (!(isPasskeyPath || profilePaths.includes(path)) || name === undefined) return;
  // the library accepts any new name
  if (!isPasskeyPath && !(typeof name === "string" && hasVisibleText(name)))
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: messages.register.nameRequired });
  if (typeof name !== "string") return;
  if (name.length > maxLength)
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.tooLong(maxLength) });
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.unreadableText });
}

/** No page shows a user's picture, and the library would send it with every session. */
function refuseImage(path: string, { image }: Record<string, unknown>): void {
  if (profilePaths.includes(path) && image !== undefined)
    throw new APIError("BAD_REQUEST", { code: "INVALID_IMAGE", message: refusals.noImage });
}

function refuseLongEmail(path: string, body: Record<string, unknown>): void {
  const email = body[emailFields[path] ?? ""];
  if (typeof email === "string" && email.length > MAX_EMAIL_LENGTH)
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_EMAIL",
      message: refusals.emailTooLong(MAX_EMAIL_LENGTH),
    });
}

/** Recorded before it happens: afterwards the session's user is unknown. */
async function recordSignOut(context: Context, options: BeforeHookOptions): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (session)
    await options.recordEvent({ userId: session.user.id, what: "Signed out", ...ipAndAgent(context) });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Passkey names are stored unchanged. */
function refuseInvalidPasskey(path: string, body: Record<string, unknown>): void {
  const byId = path === "/passkey/delete-passkey" || path === "/passkey/update-passkey";
  const isInvalid =
    (byId && !(typeof body.id === "string" && UUID.test(body.id))) ||
    (path.startsWith("/passkey/verify-") && !isPasskeyResponse(body.response));
  if (isInvalid) throw new APIError("BAD_REQUEST", { code: "INVALID_PASSKEY", message: refusals.badInput });
}

function isPasskeyResponse(response: unknown): boolean {
  const { id } = (response ?? {}) as { id?: unknown };
  return typeof id === "string" && /^[\w-]{1,1400}$/.test(id);
}

async function requireStepUp(context: Context, options: BeforeHookOptions): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session) return; // the library refuses it
  if (!(await options.reauthentication.isFresh(session.session.id)))
    throw new APIError("FORBIDDEN", { code: "SESSION_NOT_FRESH", message: refusals.confirmFirst });
  if (
    context.path === "/passkey/generate-register-options" &&
    (await options.reauthentication.hasMaxPasskeys(session.user.id))
  )
    throw new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message: refusals.tooManyPasskeys });
}

/**
 * Otherwise the password alone would be enough to give a session another second factor. New recovery codes, with which it
 * can be switched off, need a recent one; not a code of their own, since the last one may have opened this session.
 */
async function requireSecondFactor(context: Context, options: BeforeHookOptions): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session) return;
  const isEnabled = session.user.twoFactorEnabled;
  // the first code of a new secret adds it, any other is the proof
  if (isEnabled && codePaths.has(context.path)) return;
  if (!(isEnabled || (await options.needsSecondFactor(session.user.id)))) return;
  const recently = context.path === "/two-factor/generate-backup-codes";
  if (await options.reauthentication.lacksSecondFactor(session.session.id, { recently }))
    throw new APIError("FORBIDDEN", {
      code: "SECOND_FACTOR_FIRST",
      message: codeRefusals.ownSecondFactorFirst,
    });
}

/**
 * Also in a session that used the second factor: somebody who finds it open may know the password too. The
 * password comes first, so that a typing error in it consumes no code.
 */
async function requireCode(
  context: Context,
  options: BeforeHookOptions,
  { password, code }: Record<string, unknown>,
): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session?.user.twoFactorEnabled) return;
  const userId = session.user.id;
  const typed = typeof code === "string" ? withoutSeparators(code) : "";
  if (!typed)
    throw new APIError("FORBIDDEN", { code: "SECOND_FACTOR_FIRST", message: codeRefusals.codeToSwitchOff });
  const { internalAdapter, password: passwords } = context.context;
  const hash = (await internalAdapter.findCredentialAccount(userId))?.password;
  // the library refuses it
  if (!hash || typeof password !== "string" || !(await passwords.verify({ hash, password }))) return;
  const isUnused = !TOTP.test(typed) || (await options.consumeCode(userId, typed));
  const entered = TOTP.test(typed) ? typed : toRecoveryCode(typed);
  if (isUnused && (await options.verifyCode(context.headers ?? new Headers(), entered))) return;
  await options.recordEvent({
    userId,
    what: "Confirmation refused",
    detail: "wrong code",
    ...ipAndAgent(context),
  });
  throw new APIError("UNAUTHORIZED", {
    code: "INVALID_CODE",
    message: isUnused ? codeRefusals.wrongCode : codeRefusals.codeUsed,
  });
}

/** Only Google is disconnected here: the library would also remove the password, by the id of its account. */
async function keepPassword(context: Context): Promise<void> {
  const session = await getSessionFromCtx(context);
  const accounts = session ? await context.context.internalAdapter.findAccounts(session.user.id) : [];
  if (accounts.some(({ id, providerId }) => id === context.body?.accountId && providerId !== "google"))
    throw new APIError("BAD_REQUEST", { code: "ACCOUNT_NOT_FOUND", message: refusals.badInput });
}

async function refuseUsedCode(context: Context, options: BeforeHookOptions): Promise<void> {
  const code = context.body?.code;
  const owner = typeof code === "string" ? await ownerOfCode(context) : null;
  if (owner && !(await options.consumeCode(owner, code)))
    throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: codeRefusals.codeUsed });
}

async function checkGoogleSignIn(options: BeforeHookOptions, body: Record<string, unknown>): Promise<void> {
  // a token from elsewhere would lack our state; pages never send one
  if (body.idToken !== undefined) throw new APIError("BAD_REQUEST", { message: refusals.badInput });
  if (!options.reachGoogle)
    throw new APIError("NOT_FOUND", { code: "PROVIDER_NOT_FOUND", message: refusals.googleNotConfigured });
  if (!(await options.reachGoogle()))
    throw new APIError("SERVICE_UNAVAILABLE", { code: "PROVIDER_DOWN", message: refusals.googleDown });
}

/**
 * Once, and only for a user who can also sign in: someone who does not own the email address may have registered it.
 * The login page sends the link along with the password; it is in the fragment, which no server sees.
 */
async function checkLink(context: Context, reauthentication: Reauthentication): Promise<void> {
  const link = await trustedLink(context, context.query?.token);
  if (!link) return; // the library refuses it with a reason
  const refuseLink = (error: string) => context.redirect(`/login?error=${error}`);
  if (await reauthentication.isLinkUsed(link.token)) throw refuseLink("TOKEN_USED");
  const session = await getSessionFromCtx(context);
  const { user } = (await context.context.internalAdapter.findUserByEmail(link.email)) ?? {};
  if (session?.user.email !== link.email) {
    if (link.updateTo) throw refuseLink("LOG_IN_FIRST");
    if (user && !user.emailVerified) throw context.redirect(`/login?confirm=1#${link.token}`);
    return;
  }
  if (link.updateTo && (await reauthentication.isIssuedBeforeConfirmation(session.user.id, link.issuedAt)))
    throw refuseLink("INVALID_TOKEN");
  await reauthentication.keepSessionOnConfirmation(session.user.id, session.session.id);
}

/** The login page passes on the link that led to it. The library refuses invalid ones. */
async function confirmByPassword(
  context: Context,
  reauthentication: Reauthentication,
  { email, password, confirm }: Record<string, unknown>,
): Promise<void> {
  const link = await trustedLink(context, confirm);
  if (!link || link.updateTo || typeof email !== "string" || typeof password !== "string") return;
  if (email.toLowerCase() !== link.email || (await reauthentication.isLinkUsed(link.token))) return;
  const { internalAdapter, password: passwords } = context.context;
  const found = await internalAdapter.findUserByEmail(link.email);
  const hash = found && (await internalAdapter.findCredentialAccount(found.user.id))?.password;
  if (!hash || !(await passwords.verify({ hash, password }))) return;
  await reauthentication.confirmEmail(found.user.id, null);
  await reauthentication.markLinkUsed(link.token);
}

interface Link {
  token: string;
  email: string;
  updateTo?: string;
}

async function trustedLink(context: Context, token: unknown): Promise<(Link & { issuedAt: number }) | null> {
  const link = readLink(token);
  if (!link) return null;
  const key = new TextEncoder().encode(context.context.secret);
  const verified = await jwtVerify(link.token, key, { algorithms: ["HS256"] }).catch(() => null);
  return verified && { ...link, issuedAt: verified.payload.iat ?? 0 };
}

export function readLink(token: unknown): Link | null {
  if (typeof token !== "string") return null;
  try {
    const { email, updateTo } = decodeJwt<{ email: string; updateTo?: string }>(token);
    return { token, email, ...(updateTo && { updateTo }) };
  } catch {
    return null;
  }
}
