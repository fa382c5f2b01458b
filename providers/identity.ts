/**
 * Who someone is: the identity library over our own PostgreSQL, in the schema `identity`, with its own paths
 * below /api/auth. Roles are not its business; the user record of the shop holds them.
 */
import { betterAuth } from "better-auth";
import { genericOAuth } from "better-auth/plugins";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";

export interface IdentityMail {
  mail: "verifyEmail" | "resetPassword";
  email: string;
  name: string;
  /** absolute, and only to the store itself */
  url: string;
}

export interface IdentityOptions {
  pool: pg.Pool;
  publicUrl: string;
  /** further addresses under which the same store is opened */
  otherOrigins: string[];
  secret: string;
  rateLimit: boolean;
  requireVerifiedEmail: boolean;
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  /** hears of failures of the library; a wrong password is none */
  report: (message: string, details: unknown[]) => void;
  /** queues a mail; resolves when it is safely queued */
  sendMail: (mail: IdentityMail) => Promise<void>;
}

export const MINIMUM_PASSWORD = 6;
const MINUTE = 60;

/** The identity provider; `handler` answers a web `Request`. */
export function connectIdentity(options: IdentityOptions) {
  const queue = (mail: IdentityMail["mail"], user: { email: string; name: string }, url: string) =>
    options.sendMail({ mail, email: user.email, name: user.name, url });
  return betterAuth({
    appName: "Stator",
    baseURL: options.publicUrl,
    secret: options.secret,
    trustedOrigins: [options.publicUrl, ...options.otherOrigins],
    // the library names its tables without a schema
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: options.pool }) }).withSchema("identity"),
      type: "postgres",
      transaction: true,
    },
    advanced: {
      database: { generateId: false },
      cookiePrefix: "stator",
      ipAddress: { ipAddressHeaders: ["x-stator-address"] },
      // whatever NODE_ENV says
      disableOriginCheck: false,
    },
    telemetry: { enabled: false },
    logger: { level: "error", log: (_level, message, ...details) => options.report(message, details) },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MINIMUM_PASSWORD,
      maxPasswordLength: 128,
      requireEmailVerification: options.requireVerifiedEmail,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 60 * MINUTE,
      sendResetPassword: ({ user, token }) =>
        queue("resetPassword", user, `${options.publicUrl}/reset-password?token=${token}`),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: 24 * 60 * MINUTE,
      sendVerificationEmail: ({ user, url }) => queue("verifyEmail", user, url),
    },
    rateLimit: {
      enabled: options.rateLimit,
      window: MINUTE,
      max: 200,
      customRules: {
        "/sign-in/email": { window: MINUTE, max: 30 },
        "/sign-up/email": { window: MINUTE, max: 30 },
        "/request-password-reset": { window: MINUTE, max: 10 },
      },
    },
    plugins: options.google ? [google(options.google)] : [],
  });
}

export type Identity = ReturnType<typeof connectIdentity>;

function google({ clientId, clientSecret, issuer }: NonNullable<IdentityOptions["google"]>) {
  return genericOAuth({
    config: [
      {
        providerId: "google",
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
      },
    ],
  });
}
