import { type AuthContext, betterAuth, type GenericEndpointContext } from "better-auth";
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import { ConnectionError } from "../../database/connection-error.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { retryAfter, unavailabilityOf } from "../../database/unavailability.ts";
import type { SecurityEvent } from "../../shop/accounts/security-event.ts";
import type { AccountEmailJob, SecurityNoticeJob } from "../../shop/emails/account-jobs.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { afterHooks } from "./after-hooks.ts";
import { beforeHooks, TOTP } from "./before-hooks.ts";
import { consumeCode, recoveryCodes } from "./codes.ts";
import { type GoogleClient, openGoogle } from "./google.ts";
import { ipAndAgent } from "./ip-and-agent.ts";
import { passkeysFor, toPasskeyRefusal } from "./passkeys.ts";
import { openReauthentication } from "./reauthentication.ts";
import { requireAfterGoogle } from "./second-factor.ts";
import { syntheticUser } from "./synthetic-user.ts";

export interface IdentityOptions {
  /** Separate: the library holds a connection while it waits for others, so a shared pool would deadlock. */
  pool: pg.Pool;
  publicUrl: string;
  otherOrigins: string[];
  secret: string;
  requireVerifiedEmail: boolean;
  google: GoogleClient | null;
  /** called for failures of the library; a wrong password is not one */
  report: (message: string, details: unknown[]) => void;
  sendEmail: (email: AccountEmailJob | SecurityNoticeJob) => Promise<void>;
  isDisabled: (userId: string) => Promise<boolean>;
  needsSecondFactor: (userId: string) => Promise<boolean>;
  recordEvent: (event: SecurityEvent) => Promise<void>;
  /** whether an owner may be notified again that someone tried to register with the email */
  mayNotify: (email: string) => Promise<boolean>;
  /** whether another confirmation link may be sent to this address; earlier ones still work */
  mayConfirm: (email: string) => Promise<boolean>;
  idleHours: number;
}

const MINIMUM_PASSWORD = 6;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** What the library logs as an error and a page reports to the user: not a failure of the store. */
export const EXPECTED_MESSAGES =
  /^(account_not_linked|email_not_verified|signup disabled|Failed to parse state|State not found|Code not found|Unable to link account|INVALID_CALLBACK_REQUEST|Unable to get user info|Failed to verify (registration|authentication)|Invalid token|Invalid \w+URL: |Invalid origin|Missing or null|Delete user is disabled|send otp isn't configured|Content-Type )/i;

/** Two simultaneous registrations with one email: one of them is refused. */
const isDuplicateEmail = (error: unknown) => isUniqueViolation(error, "user_email_key");

export function connectIdentity(options: IdentityOptions) {
  const { publicUrl } = options;
  const secure = publicUrl.startsWith("https:");
  const reauthentication = openReauthentication(options.pool);
  const google = options.google && openGoogle(options.google);
  const notify = (event: SecurityNoticeJob["event"], { email, name }: { email: string; name: string }) =>
    options.sendEmail({ mail: "securityNotice", event, email, name, at: new Date().toISOString() });
  type Verify = (input: { headers: Headers; body: { code: string } }) => Promise<unknown>;
  let library: {
    $context: Promise<AuthContext>;
    api: { verifyTOTP: Verify; verifyBackupCode: Verify };
  };
  const auth = betterAuth({
    appName: "Stator",
    baseURL: publicUrl,
    secret: options.secret,
    // also the origin that this request was sent to, which the server has checked
    trustedOrigins: (request) => [
      publicUrl,
      ...options.otherOrigins,
      ...(request ? [new URL(request.url).origin] : []),
    ],
    // the library's table names have no schema
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: withRefusals(options) }) }).withSchema(
        "identity",
      ),
      type: "postgres",
      transaction: true,
    },
    advanced: {
      database: { generateId: false },
      // behind TLS, a cookie that no other host, not even a subdomain, can set
      useSecureCookies: false,
      cookiePrefix: secure ? "__Host-stator" : "stator",
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: ["x-stator-ip"] },
      // independent of NODE_ENV
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log: (_level, message, ...details) =>
        EXPECTED_MESSAGES.test(message) || details.some(isDuplicateEmail) || options.report(message, details),
    },
    onAPIError: {
      errorURL: "/login",
      onError: (error) => {
        // somebody registered the new email before its link was opened; registrations have their own refusal
        if (isDuplicateEmail(error)) throw new APIError("FOUND", undefined, { location: EMAIL_TAKEN_PAGE });
        const status = (error as { statusCode?: number }).statusCode ?? 500;
        const isRefusal = status < 500 || status === 503;
        if (isRefusal) return;
        options.report(error instanceof Error ? error.message : "a failure", [error]);
        const unavailable = unavailableFor(error);
        if (unavailable) throw unavailable;
        // the library would print any other error to the console
        if (!isAPIError(error))
          throw new APIError("INTERNAL_SERVER_ERROR", { code: "FAILED", message: refusals.serverFailed });
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MINIMUM_PASSWORD,
      maxPasswordLength: 128,
      requireEmailVerification: options.requireVerifiedEmail,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR,
      customSyntheticUser: syntheticUser,
      onExistingUserSignUp: ({ user }) => notifyOfAttempt(user),
      sendResetPassword: ({ user, token }) =>
        sendLink("resetPassword", user, `/reset-password?token=${token}`),
      onPasswordReset: async ({ user }) => {
        await reauthentication.returnToOwner(user);
        await options.recordEvent({ userId: user.id, what: "Password set by a link" });
        await notify("passwordChanged", user);
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      expiresIn: 24 * HOUR,
      sendVerificationEmail: async ({ user, token }) => {
        const path = `/api/auth/verify-email?token=${token}&callbackURL=${VERIFIED_PAGE}`;
        if (await options.mayConfirm(user.email)) await sendLink("verifyEmail", user, path);
      },
    },
    session: {
      // the idle limit; the total, and the limits for admins, are enforced in the database (migration 0009)
      expiresIn: options.idleHours * HOUR,
      updateAge: 10 * MINUTE,
      // how fresh a proof must be is checked in before-hooks.ts
      freshAge: 0,
    },
    user: {
      changeEmail: { enabled: true },
      validateUserInfo: ({ user, source }) =>
        source.method === "oauth" && user.emailVerified !== true
          ? { error: "email_not_verified" }
          : undefined,
    },
    account: {
      updateAccountOnSignIn: false,
      // the signed-in owner links an account with a password to Google; it never happens implicitly
      accountLinking: { enabled: true, disableImplicitLinking: true, allowDifferentEmails: false },
    },
    verification: { storeIdentifier: "hashed" },
    databaseHooks: {
      account: {
        create: {
          // the store makes no later calls to Google, so it stores no tokens
          before: async (account, context) => {
            if (account.providerId === "google" && context)
              await confirmEmailByGoogle(account.userId, context);
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
          },
          after: async ({ providerId, userId }) => {
            if (providerId === "google") await notifyOfGoogle(userId);
          },
        },
      },
      user: {
        update: {
          before: async ({ twoFactorEnabled }, context) => {
            const owner = context?.context.session?.user;
            if (typeof twoFactorEnabled !== "boolean" || !owner) return;
            const what = `Two-factor authentication turned ${twoFactorEnabled ? "on" : "off"}`;
            await options.recordEvent({ userId: owner.id, what, ...(context && ipAndAgent(context)) });
            await notify(twoFactorEnabled ? "twoFactorOn" : "twoFactorOff", owner);
          },
        },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            if (await options.isDisabled(userId))
              throw new APIError("FORBIDDEN", {
                code: "ACCOUNT_DISABLED",
                message: refusals.accountDisabled,
              });
          },
        },
      },
    },
    hooks: {
      before: beforeHooks({
        reachGoogle: google && (async () => google(await library.$context)),
        recordEvent: options.recordEvent,
        reauthentication,
        consumeCode: (userId, code) => consumeCode(options.pool, userId, code),
        needsSecondFactor: options.needsSecondFactor,
        verifyCode: async (headers, code) => {
          const { verifyTOTP, verifyBackupCode } = library.api;
          try {
            await (TOTP.test(code) ? verifyTOTP : verifyBackupCode)({ headers, body: { code } });
            return true;
          } catch (error) {
            if (isAPIError(error) && error.status === "UNAUTHORIZED") return false;
            throw error;
          }
        },
      }),
      after: afterHooks({
        recordEvent: options.recordEvent,
        notify,
        passkeyUsed: reauthentication.passkeyUsed,
        endSession: reauthentication.endSession,
        registrationTried: async (email) => {
          const { internalAdapter } = await library.$context;
          const known = await internalAdapter.findUserByEmail(email);
          if (known) await notifyOfAttempt(known.user);
        },
        emailChanged: async (before, after) => {
          const { internalAdapter } = await library.$context;
          const changed = await internalAdapter.findUserByEmail(after);
          if (!changed) return;
          await options.recordEvent({ userId: changed.user.id, what: "Email changed" });
          await notify("emailChanged", { email: before, name: changed.user.name });
        },
        secondFactorVerified: (sessionId) => reauthentication.confirm(sessionId, { secondFactor: true }),
        linkUsed: reauthentication.markLinkUsed,
      }),
    },
    // the store has its own rate limits, shared between processes (server/auth/rate-limiter.ts)
    rateLimit: { enabled: false },
    plugins: [
      requireAfterGoogle(twoFactor({ issuer: "Stator", backupCodeOptions: recoveryCodes(options.secret) })),
      passkeysFor(publicUrl),
    ],
  });

  library = auth as unknown as typeof library;

  const sendLink = (mail: AccountEmailJob["mail"], user: { email: string; name: string }, path: string) =>
    options.sendEmail({ mail, email: user.email, name: user.name, url: path });

  /** Rate limited, since strangers can trigger it. */
  async function notifyOfAttempt(user: { id: string; email: string; name: string }): Promise<void> {
    await options.recordEvent({
      userId: user.id,
      what: "Registration refused",
      detail: "an account with this email exists",
    });
    if (await options.mayNotify(user.email)) await notify("registrationTried", user);
  }

  /** Google has confirmed the same email, otherwise the library would not link the two. */
  async function confirmEmailByGoogle(userId: string, context: GenericEndpointContext): Promise<void> {
    // a new user's is confirmed; its transaction must not wait for a second connection, or many wait for each other
    const user = await context.context.internalAdapter.findUserById(userId);
    if (user?.emailVerified) return;
    // an extended session would look like one that Google opened
    const session = await getSessionFromCtx(context, { disableRefresh: true });
    await reauthentication.confirmEmail(userId, session?.user.id === userId ? session.session.id : null);
  }

  async function notifyOfGoogle(userId: string): Promise<void> {
    const { internalAdapter } = await library.$context;
    const accounts = await internalAdapter.findAccounts(userId);
    const user = await internalAdapter.findUserById(userId);
    // the first account of a new user needs no notification
    if (!user || accounts.length < 2) return;
    await options.recordEvent({ userId: user.id, what: "Google connected" });
    await notify("googleConnected", user);
  }

  return {
    ...auth,
    handler: async (request: Request) => toPasskeyRefusal(await auth.handler(request).catch(toResponse)),
    reauthentication,
  };
}

const DATABASE_UNAVAILABLE = "DATABASE_UNAVAILABLE";

function unavailableFor(error: unknown): APIError | undefined {
  const unavailable = unavailabilityOf(error);
  if (!unavailable) return undefined;
  const message = refusals.databaseDown[unavailable];
  // with its cause, for callers of the library's functions
  const headers = { "Retry-After": String(retryAfter[unavailable]) };
  return Object.assign(
    new APIError("SERVICE_UNAVAILABLE", { code: DATABASE_UNAVAILABLE, message }, headers),
    {
      cause: error,
    },
  );
}

/** The library has its own responses to failed queries; these errors become refusals first. */
function withRefusals({ pool, report }: Pick<IdentityOptions, "pool" | "report">): PostgresPool {
  const refuse = (error: Error): never => {
    const unavailable = unavailableFor(error);
    // a missing connection is reported by the pool, any other error by the library
    if (unavailable && !(error instanceof ConnectionError)) report(error.message, [error]);
    throw unavailable ?? error;
  };
  const clientWithRefusals = (client: pg.PoolClient) =>
    new Proxy(client, {
      get(target, name) {
        if (name === "query")
          return (text: string, values: unknown[]) => target.query(text, values).catch(refuse);
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  const connect = () => pool.connect().then(clientWithRefusals, refuse);
  return { options: pool.options, connect, end: () => pool.end() } as PostgresPool;
}

/** For where the library throws that refusal instead of responding with it. */
function toResponse(error: unknown): Response {
  if (!(error instanceof APIError) || error.body?.code !== DATABASE_UNAVAILABLE) throw error;
  return Response.json(error.body, { status: error.statusCode, headers: error.headers });
}

const EMAIL_TAKEN_PAGE = "/login?error=EMAIL_TAKEN";
const VERIFIED_PAGE = encodeURIComponent("/login?verified=1");

export type Identity = ReturnType<typeof connectIdentity>;
