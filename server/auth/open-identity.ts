import type pg from "pg";
import type pino from "pino";
import { connectIdentity, type Identity } from "../../providers/identity/connect-identity.ts";
import { isAdmin, isDisabled } from "../../shop/accounts/queries.ts";
import { recordSecurityEvent } from "../../shop/accounts/security-events.ts";
import { queueEmail } from "../../shop/emails/queue.ts";
import type { Store } from "../../shop/store.ts";
import type { Config } from "../config.ts";
import { redactEmails } from "../log.ts";
import type { RateLimiter } from "./rate-limiter.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

export function openIdentity(
  config: Config,
  pool: pg.Pool,
  secret: string,
  store: Store,
  limits: RateLimiter,
  log: pino.Logger,
  traceparent: (() => string | undefined) | undefined,
  recordError: (error: unknown) => void,
): Identity {
  return connectIdentity({
    pool,
    publicUrl: config.publicUrl,
    otherOrigins: originsOf(config),
    secret,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
    google: googleClientOf(config),
    report: (message, details) => {
      details.forEach(recordError);
      log.error({ details: details.map(redactDetail) }, redactEmails(message) || "identity");
    },
    sendEmail: (job) => queueEmail(store.pool, { ...job, trace: traceparent?.() }),
    recordEvent: (event) => recordSecurityEvent(store, event),
    mayNotify: async (email) =>
      (await limits.take([{ what: "taken-email-notice", of: email, max: 3, seconds: DAY }])) === null,
    mayConfirm: async (email) =>
      (await limits.take([{ what: "confirmation-to", of: email, max: 20, seconds: HOUR }])) === null,
    idleHours: config.SESSION_IDLE_HOURS,
    isDisabled: (userId) => isDisabled(store, userId),
    needsSecondFactor: async (userId) => config.REQUIRE_ADMIN_2FA && (await isAdmin(store, userId)),
  });
}

export function originsOf(config: Config): string[] {
  const local = ["localhost", "127.0.0.1", config.HOST].map((host) => `http://${host}:${config.PORT}`);
  return config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).origin] : [...new Set(local)];
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Without `PUBLIC_URL` any loopback name and forwarded port is accepted. */
export function ownOriginOf(config: Config): (host: string | undefined) => string {
  return (host = "") => {
    const isLoopback = LOOPBACK.test(host) && URL.canParse(`http://${host}`);
    return isLoopback && !config.PUBLIC_URL ? new URL(`http://${host}`).origin : config.publicUrl;
  };
}

export function googleClientOf(config: Config) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = config;
  return clientId && clientSecret ? { clientId, clientSecret, issuer } : null;
}

/** Only the message of an error: its other members may include requests with tokens. */
function redactDetail(detail: unknown): string {
  if (detail instanceof Error) return redactEmails(detail.message);
  const value = typeof detail === "object" && detail !== null && "error" in detail ? detail.error : detail;
  return redactEmails(typeof value === "object" ? JSON.stringify(value) : String(value));
}
