import type { Account, AccountSession } from "../../api/account-calls.ts";
import { type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { recordOwnEvent } from "./security-events.ts";

export async function findAccount(
  store: Store,
  user: User,
  { sessionId, fresh }: { sessionId: string; fresh: boolean },
): Promise<Account> {
  const { rows } = await store.pool.query<Omit<Account, "fresh">>(
    `SELECT u.email, u.name, u."emailVerified", u."twoFactorEnabled" AS "secondFactor",
       EXISTS (SELECT FROM identity.account WHERE "userId" = u.id AND password IS NOT NULL) AS "hasPassword",
       EXISTS (SELECT FROM identity.account WHERE "userId" = u.id AND "providerId" = 'google') AS google,
       EXISTS (SELECT FROM identity.passkey WHERE "userId" = u.id) AS passkeys
     FROM identity."user" u JOIN identity.session s ON s."userId" = u.id AND s.id = $2 WHERE u.id = $1`,
    [user.id, sessionId],
  );
  return { ...(rows[0] as Omit<Account, "fresh">), fresh };
}

export async function listSessions(store: Store, user: User, current: string): Promise<AccountSession[]> {
  const { rows } = await store.pool.query<SessionRow>(
    `SELECT id, "createdAt", "updatedAt", "ipAddress", "userAgent" FROM identity.session
     WHERE "userId" = $1 AND "expiresAt" > now() ORDER BY "updatedAt" DESC LIMIT 200`,
    [user.id],
  );
  return rows.map((row) => ({
    id: row.id,
    current: row.id === current,
    since: row.createdAt.toISOString(),
    lastSeen: row.updatedAt.toISOString(),
    ...(row.ipAddress && { address: row.ipAddress }),
    ...(row.userAgent && { browser: row.userAgent.slice(0, 300) }),
  }));
}

interface SessionRow {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
}

/** Refuses the session of another user. */
export async function endSession(store: Store, user: User, id: string): Result<"endSession"> {
  const { rowCount } = await store.pool.query(
    `DELETE FROM identity.session WHERE id = $1 AND "userId" = $2`,
    [id, user.id],
  );
  if (rowCount !== 1) return refuse("forbidden", refusals.sessionNotYours);
  await recordOwnEvent(store, user, "Session ended");
  return { deletedCount: 1 };
}

export async function endOtherSessions(
  store: Store,
  user: User,
  current: string,
): Promise<{ deletedCount: number }> {
  const { rowCount } = await store.pool.query(
    `DELETE FROM identity.session WHERE "userId" = $1 AND id <> $2`,
    [user.id, current],
  );
  if (rowCount) await recordOwnEvent(store, user, "Sessions ended", `${rowCount}, all but the current one`);
  return { deletedCount: rowCount ?? 0 };
}

const BATCH = 10_000;

/** Who does not sign out leaves the IP address and browser of a session behind. */
export async function deleteExpiredSessions({ pool }: Pick<Store, "pool">): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM identity.session WHERE id = ANY (ARRAY(
         SELECT id FROM identity.session WHERE "expiresAt" < now() - interval '1 day' LIMIT ${BATCH}))`,
    );
    if ((rowCount ?? 0) < BATCH) return;
  }
}
