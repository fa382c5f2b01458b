/**
 * A code of an app counts once: it stays valid for more than half a minute, and an onlooker could use it
 * again. It is taken before the library looks at it, so of two at the same time one is refused.
 */
import { createHash } from "node:crypto";
import { type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type pg from "pg";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Longer than the library takes a code for right: this half minute, the one before and the one after. */
const LIFE = "2 minutes";

/** Whose code is given: of the session, or of the sign-in that waits for its second step. Null: nobody's. */
export async function ownerOfCode(context: Context): Promise<string | null> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const cookie = context.context.createAuthCookie("two_factor");
  const waiting = await context.getSignedCookie(cookie.name, context.context.secret);
  if (!waiting) return null;
  return (await context.context.internalAdapter.findVerificationValue(waiting))?.value ?? null;
}

/** Takes a code of `userId`; false when it was taken before. */
export async function consumeCode(pool: pg.Pool, userId: string, code: string): Promise<boolean> {
  await pool.query(`DELETE FROM identity.used_code WHERE used_at < now() - interval '${LIFE}'`);
  const { rowCount } = await pool.query(
    "INSERT INTO identity.used_code (user_id, code) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [userId, createHash("sha256").update(`${userId} ${code.trim()}`).digest("base64url")],
  );
  return rowCount === 1;
}
