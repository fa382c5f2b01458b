/** What follows from what the identity library has done: marks on sessions, news for the owner of an account. */
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { refusals } from "../../shop/refusals.ts";
import { readLink } from "./rules.ts";

interface Owner {
  id: string;
  email: string;
  name: string;
}

export interface OutcomeOptions {
  passwordChanged: (owner: Owner) => Promise<void>;
  /** somebody wanted to register with the address of this account */
  registrationTried: (email: string) => Promise<void>;
  emailChanged: (before: string, after: string) => Promise<void>;
  secondFactorGiven: (sessionId: string) => Promise<void>;
  linkUsed: (token: string) => Promise<void>;
}

/** Runs after every request of a client. */
export function outcomesAfter(options: OutcomeOptions) {
  return createAuthMiddleware(async (context) => {
    if (!context.request) return;
    const { path } = context;
    const { returned } = context.context;
    const failure = isFailure(returned) ? (returned as Pick<APIError, "body">) : null;
    if (path === "/sign-up/email" && failure?.body?.code === "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL") {
      // as slow as an account that is made, and in the words of any other that could not be made
      await context.context.password.hash(context.body.password);
      await options.registrationTried(context.body.email.toLowerCase());
      throw new APIError("UNPROCESSABLE_ENTITY", {
        code: "FAILED_TO_CREATE_USER",
        message: refusals.registrationFailed,
      });
    }
    if (failure) return;
    const owner = context.context.session?.user as Owner | undefined;
    if (path === "/change-password" && owner) await options.passwordChanged(owner);
    if (path === "/two-factor/verify-totp" || path === "/two-factor/verify-backup-code") {
      const session = context.context.newSession ?? (await getSessionFromCtx(context));
      if (session) await options.secondFactorGiven(session.session.id);
    }
    if (path === "/verify-email") await followLink(context.query?.token, options);
  });
}

async function followLink(token: unknown, options: OutcomeOptions): Promise<void> {
  const link = readLink(token);
  if (!link) return;
  await options.linkUsed(link.token);
  if (link.updateTo) await options.emailChanged(link.email, link.updateTo);
}

/** Refusals, and redirects to an address that carries one. */
function isFailure(returned: unknown): boolean {
  if (returned instanceof Error && !isAPIError(returned)) return true;
  if (!isAPIError(returned)) return false;
  if (returned.status !== "FOUND") return true;
  return /[?&]error=/.test(new Headers(returned.headers).get("location") ?? "");
}
