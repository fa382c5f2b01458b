import { createHash } from "node:crypto";
import type pg from "pg";

export type Reauthentication = ReturnType<typeof openReauthentication>;

const MAX_PASSKEYS = 20;

/** SQL: what was confirmed since then is recent. */
const AN_HOUR_AGO = "now() - interval '1 hour'";

export function openReauthentication(pool: pg.Pool) {
  async function confirm(sessionId: string, { secondFactor }: { secondFactor: boolean }): Promise<void> {
    await pool.query(
      `UPDATE identity.session SET "confirmedAt" = now(),
         "secondFactorAt" = CASE WHEN $2 THEN now() ELSE "secondFactorAt" END WHERE id = $1`,
      [sessionId, secondFactor],
    );
  }

  /**
   * Confirms an email address. Sessions and sign-in methods added before end, except `sessionId` and the password: the
   * database removes them (migration 0022), however the library sets "emailVerified".
   */
  async function confirmEmail(userId: string, sessionId: string | null): Promise<void> {
    await pool.query(
      `UPDATE identity."user" SET "emailVerified" = true, "emailConfirmedBy" = $2
       WHERE id = $1 AND NOT "emailVerified"`,
      [userId, sessionId],
    );
  }

  return {
    confirm,
    confirmEmail,
    async isFresh(sessionId: string): Promise<boolean> {
      const { rows } = await pool.query<{ fresh: boolean }>(
        `SELECT "confirmedAt" > ${AN_HOUR_AGO} AS fresh FROM identity.session WHERE id = $1`,
        [sessionId],
      );
      return rows[0]?.fresh ?? false;
    },
    /** Whether the account has a second factor that was not used in this session; with `recently`, within the last hour. */
    async lacksSecondFactor(sessionId: string, { recently = false } = {}): Promise<boolean> {
      const { rowCount } = await pool.query(
        `SELECT FROM identity.session JOIN identity."user" owner ON owner.id = "userId"
         WHERE session.id = $1
           AND ("secondFactorAt" IS NULL OR ($2 AND "secondFactorAt" < ${AN_HOUR_AGO}))
           AND ("twoFactorEnabled" OR EXISTS (SELECT FROM identity.passkey WHERE passkey."userId" = owner.id))`,
        [sessionId, recently],
      );
      return rowCount === 1;
    },
    async hasMaxPasskeys(userId: string): Promise<boolean> {
      const { rowCount } = await pool.query(`SELECT 1 FROM identity.passkey WHERE "userId" = $1`, [userId]);
      return (rowCount ?? 0) >= MAX_PASSKEYS;
    },
    /** A passkey opened a session, which counts as both factors. */
    async passkeyUsed(sessionId: string, credential: string): Promise<void> {
      await confirm(sessionId, { secondFactor: true });
      await pool.query(`UPDATE identity.passkey SET "usedAt" = now() WHERE "credentialID" = $1`, [
        credential,
      ]);
    },
    async endSession(userId: string, token: string): Promise<void> {
      await pool.query(`DELETE FROM identity.session WHERE token = $1 AND "userId" = $2`, [token, userId]);
    },
    async isLinkUsed(token: string): Promise<boolean> {
      const { rowCount } = await pool.query("SELECT 1 FROM identity.used_link WHERE digest = $1", [
        digest(token),
      ]);
      return rowCount === 1;
    },
    async markLinkUsed(token: string): Promise<void> {
      await pool.query("INSERT INTO identity.used_link (digest) VALUES ($1) ON CONFLICT DO NOTHING", [
        digest(token),
      ]);
      // no link is valid for longer than a day
      await pool.query("DELETE FROM identity.used_link WHERE used_at < now() - interval '2 days'");
    },
    /** Keeps the session that is about to confirm the email of its account: the first confirmation ends all others. */
    async keepSessionOnConfirmation(userId: string, sessionId: string): Promise<void> {
      await pool.query(`UPDATE identity."user" SET "emailConfirmedBy" = $2 WHERE id = $1`, [
        userId,
        sessionId,
      ]);
    },
    /** whether a link was issued before the email of its account was first confirmed */
    async isIssuedBeforeConfirmation(userId: string, issuedAt: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        `SELECT FROM identity."user" WHERE id = $1 AND "emailConfirmedAt" >= to_timestamp($2)`,
        [userId, issuedAt],
      );
      return rowCount === 1;
    },
    /** Returns an account to the owner of its email address, who just set its password by email. */
    async returnToOwner({ id }: { id: string }): Promise<void> {
      // other reset links, trusted devices, sign-ins that wait for their second factor
      await pool.query("DELETE FROM identity.verification WHERE value = $1", [id]);
      await confirmEmail(id, null);
    },
  };
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
