/** What the store asks of requests to the identity library beyond what the library asks itself. */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { decodeJwt } from "jose";
import { LONGEST_EMAIL } from "../../api/fields.ts";
import { messages } from "../../shop/messages.ts";
import { refusals } from "../../shop/refusals.ts";
import { canBeSeen } from "../../shop/users/name.ts";
import { ownerOfCode } from "./codes.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { addressAndAgent, type Noted } from "./noted.ts";

export interface RuleOptions {
  /** null: the owner has not set Google up; otherwise tells whether Google can be reached */
  reachGoogle: (() => Promise<boolean>) | null;
  /** whether whoever holds the session has proved within the hour who they are */
  isFresh: (sessionId: string) => Promise<boolean>;
  note: (event: Noted) => Promise<void>;
  /** takes a code of a person's app; false when it was given before */
  takeCode: (userId: string, code: string) => Promise<boolean>;
  /** whether an account has as many passkeys as it may */
  hasManyPasskeys: (userId: string) => Promise<boolean>;
  /** whether a link of a mail, by its token, has done its work already */
  isUsed: (token: string) => Promise<boolean>;
}

const LONGEST_NAME = 200;
const LONGEST_PASSKEY_NAME = 60;
/** What lets somebody in later, or keeps them out, is changed only by who has just proved who they are. */
const freshOnly = new Set([
  "/change-email",
  "/link-social",
  "/unlink-account",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/passkey/delete-passkey",
]);
const newPasswords: Record<string, string> = {
  "/sign-up/email": "password",
  "/reset-password": "newPassword",
  "/change-password": "newPassword",
};
const newProfiles = ["/sign-up/email", "/update-user"];
const newEmails: Record<string, string> = {
  "/sign-up/email": "email",
  "/change-email": "newEmail",
};

/** Runs before every request of a client; what the store itself asks of the library is not looked at. */
export function rulesBefore(options: RuleOptions) {
  return createAuthMiddleware(async (context) => {
    if (!context.request) return;
    const { path } = context;
    const body: Record<string, unknown> = context.body ?? {};
    refuseCommonPassword(path, body);
    refuseOddName(path, body);
    refuseImage(path, body);
    refuseLongEmail(path, body);
    if (path === "/sign-in/social" || path === "/link-social") await askGoogle(options, body);
    if (path === "/sign-out") await noteLeaving(context, options);
    refuseOddPasskey(path, body);
    if (freshOnly.has(path)) await askForProof(context, options);
    if (path === "/two-factor/verify-totp") await refuseUsedCode(context, options);
    if (path === "/verify-email") {
      const fault = await faultOfLink(context, options);
      if (fault) throw context.redirect(`/login?error=${fault}`);
    }
    // no session beside the one that asks, and no browser that needs no code
    if (path === "/passkey/verify-registration")
      return { context: { body: { ...body, createSession: false } } };
    if (path.startsWith("/two-factor/verify-")) return { context: { body: { ...body, trustDevice: false } } };
    // whoever knew the old password is out
    if (path === "/change-password") return { context: { body: { ...body, revokeOtherSessions: true } } };
  });
}

function refuseCommonPassword(path: string, body: Record<string, unknown>): void {
  const password = body[newPasswords[path] ?? ""];
  if (typeof password === "string" && password.length >= 6 && isCommonPassword(password))
    throw new APIError("BAD_REQUEST", { code: "PASSWORD_TOO_COMMON", message: refusals.commonPassword });
}

function refuseOddName(path: string, { name }: Record<string, unknown>): void {
  const isPasskeys = path.startsWith("/passkey/");
  const longest = isPasskeys ? LONGEST_PASSKEY_NAME : LONGEST_NAME;
  if (!(isPasskeys || newProfiles.includes(path)) || name === undefined) return;
  // a new name the library takes whatever it is
  if (!isPasskeys && !(typeof name === "string" && canBeSeen(name)))
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: messages.register.nameRequired });
  if (typeof name !== "string") return;
  if (name.length > longest)
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.tooLong(longest) });
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.unreadableText });
}

/** No page shows a person's picture, and the library would send it along with every session. */
function refuseImage(path: string, { image }: Record<string, unknown>): void {
  if (newProfiles.includes(path) && image !== undefined)
    throw new APIError("BAD_REQUEST", { code: "INVALID_IMAGE", message: refusals.noImage });
}

function refuseLongEmail(path: string, body: Record<string, unknown>): void {
  const email = body[newEmails[path] ?? ""];
  if (typeof email === "string" && email.length > LONGEST_EMAIL)
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_EMAIL",
      message: refusals.emailTooLong(LONGEST_EMAIL),
    });
}

/** Noted before it happens: afterwards nobody knows whose session it was. */
async function noteLeaving(context: Context, options: RuleOptions): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (session)
    await options.note({ userId: session.user.id, what: "Signed out", ...addressAndAgent(context) });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names of passkeys go to the database as they are. */
function refuseOddPasskey(path: string, body: Record<string, unknown>): void {
  const byId = path === "/passkey/delete-passkey" || path === "/passkey/update-passkey";
  const isOdd =
    (byId && !(typeof body.id === "string" && UUID.test(body.id))) ||
    (path.startsWith("/passkey/verify-") && !isKeyAnswer(body.response));
  if (isOdd) throw new APIError("BAD_REQUEST", { code: "INVALID_PASSKEY", message: refusals.badInput });
}

function isKeyAnswer(answer: unknown): boolean {
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === "string" && /^[\w-]{1,1400}$/.test(id);
}

async function askForProof(context: Context, options: RuleOptions): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session) return; // the library says so
  if (!(await options.isFresh(session.session.id)))
    throw new APIError("FORBIDDEN", { code: "SESSION_NOT_FRESH", message: refusals.confirmFirst });
  if (
    context.path === "/passkey/generate-register-options" &&
    (await options.hasManyPasskeys(session.user.id))
  )
    throw new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message: refusals.tooManyPasskeys });
}

async function refuseUsedCode(context: Context, options: RuleOptions): Promise<void> {
  const code = context.body?.code;
  const owner = typeof code === "string" ? await ownerOfCode(context) : null;
  if (owner && !(await options.takeCode(owner, code)))
    throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: refusals.codeUsed });
}

async function askGoogle(options: RuleOptions, body: Record<string, unknown>): Promise<void> {
  // a token from elsewhere would come without our state; pages have no use for it
  if (body.idToken !== undefined) throw new APIError("BAD_REQUEST", { message: refusals.badInput });
  if (!options.reachGoogle)
    throw new APIError("NOT_FOUND", { code: "PROVIDER_NOT_FOUND", message: refusals.googleNotConfigured });
  if (!(await options.reachGoogle()))
    throw new APIError("SERVICE_UNAVAILABLE", { code: "PROVIDER_DOWN", message: refusals.googleDown });
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** A link works once; one that changes the e-mail only for its own account, signed in. */
async function faultOfLink(context: Context, options: RuleOptions): Promise<string | null> {
  const link = readLink(context.query?.token);
  if (!link) return null; // the library says what is wrong with it
  if (await options.isUsed(link.token)) return "TOKEN_USED";
  if (!link.updateTo) return null;
  const session = await getSessionFromCtx(context);
  return session?.user.email === link.email ? null : "LOG_IN_FIRST";
}

/** What a link of a verification mail says, believed by nobody yet. */
export function readLink(token: unknown): { token: string; email: string; updateTo?: string } | null {
  if (typeof token !== "string") return null;
  try {
    const { email, updateTo } = decodeJwt<{ email: string; updateTo?: string }>(token);
    return { token, email, ...(updateTo && { updateTo }) };
  } catch {
    return null; // not a token at all
  }
}
