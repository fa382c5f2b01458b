import type { Queryable } from "../../database/client.ts";
import type { User } from "../store.ts";

export interface AuthenticationState {
  sessionId: string;
  /** within the last hour */
  fresh: boolean;
  secondFactor: boolean;
  /** whether the email of the account is confirmed */
  confirmed: boolean;
}

export interface SessionUser {
  user: User;
  authentication: AuthenticationState;
}

export async function findSessionUser(
  db: Queryable,
  sessionId: string,
  userId: string,
): Promise<SessionUser | null> {
  const { rows } = await db.query<User & Omit<AuthenticationState, "sessionId">>({
    name: "session-user",
    text: `SELECT u.id, u.email, u.name, u.role,
             s."confirmedAt" > now() - interval '1 hour' AS fresh, s."secondFactorAt" IS NOT NULL AS "secondFactor",
             (SELECT i."emailVerified" FROM identity."user" i WHERE i.id = u.id) AS confirmed
           FROM identity.session s JOIN shop.user u ON u.id = s."userId"
           WHERE s.id = $1 AND u.id = $2 AND s."expiresAt" > now()
             AND u.disabled_at IS NULL AND u.deleted_at IS NULL`,
    values: [sessionId, userId],
  });
  if (!rows[0]) return null;
  const { fresh, secondFactor, confirmed, ...user } = rows[0];
  return { user, authentication: { sessionId, fresh, secondFactor, confirmed } };
}
