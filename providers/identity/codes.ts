/** Once: a code stays valid for half a minute, in which an onlooker could reuse it. Consumed before it is verified. */
import { createHash } from "node:crypto";
import { type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type pg from "pg";

export type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Spaces and dashes of a typed code do not matter, nor the letter case of a recovery code: it is read from paper. */
export const withoutSeparators = (typed: string) => typed.replace(/[\s\p{Pd}]/gu, "");

export function toRecoveryCode(typed: string): string {
  const letters = withoutSeparators(typed).toLowerCase();
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** Encrypted as the library does. Its own codes, which earlier releases gave out, have capital letters too. */
export function recoveryCodes(key: string) {
  return {
    customBackupCodesGenerate: () =>
      Array.from({ length: 10 }, () => toRecoveryCode(generateRandomString(10, "a-z", "0-9"))),
    storeBackupCodes: {
      encrypt: (codes: string) => symmetricEncrypt({ key, data: codes }),
      decrypt: async (data: string) => (await symmetricDecrypt({ key, data })).toLowerCase(),
    },
  };
}

/** Longer than a code is valid: the current half minute, and one before and after. */
const RETENTION = "2 minutes";

/** The user of the session, or of the sign-in that waits for its second factor; null if there is none. */
export async function ownerOfCode(context: Context): Promise<string | null> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const cookie = context.context.createAuthCookie("two_factor");
  const identifier = await context.getSignedCookie(cookie.name, context.context.secret);
  if (!identifier) return null;
  return (await context.context.internalAdapter.findVerificationValue(identifier))?.value ?? null;
}

export async function consumeCode(pool: pg.Pool, userId: string, code: string): Promise<boolean> {
  await pool.query(`DELETE FROM identity.used_code WHERE used_at < now() - interval '${RETENTION}'`);
  const { rowCount } = await pool.query(
    "INSERT INTO identity.used_code (user_id, code) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [userId, createHash("sha256").update(`${userId} ${code.trim()}`).digest("base64url")],
  );
  return rowCount === 1;
}
