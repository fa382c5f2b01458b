/** What the store asks of requests to the identity library beyond what the library asks itself. */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { decodeJwt } from "jose";
import { refusals } from "../../shop/refusals.ts";
import { isCommonPassword } from "./common-passwords.ts";

export interface RuleOptions {
  /** null: the owner has not set Google up; otherwise tells whether Google can be reached */
  reachGoogle: (() => Promise<boolean>) | null;
  /** whether whoever holds the session has proved within the hour who they are */
  isFresh: (sessionId: string) => Promise<boolean>;
  /** whether a link of a mail, by its token, has done its work already */
  isUsed: (token: string) => Promise<boolean>;
}

const LONGEST_NAME = 200;
const newPasswords: Record<string, string> = {
  "/sign-up/email": "password",
  "/reset-password": "newPassword",
  "/change-password": "newPassword",
};

/** Runs before every request of a client; what the store itself asks of the library is not looked at. */
export function rulesBefore(options: RuleOptions) {
  return createAuthMiddleware(async (context) => {
    if (!context.request) return;
    const { path } = context;
    const body: Record<string, unknown> = context.body ?? {};
    refuseCommonPassword(path, body);
    refuseOddName(path, body);
    if (path === "/sign-in/social" || path === "/link-social") await askGoogle(options, body);
    if (path === "/change-email" || path === "/link-social") {
      const session = await getSessionFromCtx(context);
      if (session && !(await options.isFresh(session.session.id)))
        throw new APIError("FORBIDDEN", { code: "SESSION_NOT_FRESH", message: refusals.confirmFirst });
    }
    if (path === "/verify-email") {
      const fault = await faultOfLink(context, options);
      if (fault) throw context.redirect(`/login?error=${fault}`);
    }
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
  if (!["/sign-up/email", "/update-user"].includes(path) || typeof name !== "string") return;
  if (name.length > LONGEST_NAME)
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.tooLong(LONGEST_NAME) });
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw new APIError("BAD_REQUEST", { code: "INVALID_NAME", message: refusals.unreadableText });
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
