/** Once: a code stays valid for half a minute, in which an onlooker could reuse it. Consumed before it is verified. */
import { createHash } from "node:crypto";
import { type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type pg from "pg";

export type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

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
