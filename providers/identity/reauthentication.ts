import { createHash } from "node:crypto";
import type pg from "pg";

export interface Reauthentication {
  isFresh(sessionId: string): Promise<boolean>;
  confirm(sessionId: string, given: { secondFactor: boolean }): Promise<void>;
  hasManyPasskeys(userId: string): Promise<boolean>;
  /** A passkey opened a session, which counts as both factors; `before`, the user's earlier session, has ended. */
  passkeyUsed(sessionId: string, credential: string, before: string | undefined): Promise<void>;
  isUsed(token: string): Promise<boolean>;
  use(token: string): Promise<void>;
  /** Marks the session that is about to confirm the address of its account: it survives the first confirmation. */
  willConfirm(userId: string, sessionId: string): Promise<void>;
  /** Confirms an address. Sessions and sign-in methods added before end, except `sessionId` and the password. */
  confirmEmail(userId: string, sessionId: string | null): Promise<void>;
  /** whether a link was issued before the address of its account was first confirmed */
  isFromBeforeConfirmation(userId: string, madeAt: number): Promise<boolean>;
  /** Returns an account to the owner of its address, who just set its password by email. */
  returnToOwner(user: { id: string }): Promise<void>;
}

const MAX_PASSKEYS = 20;

export function openReauthentication(pool: pg.Pool): Reauthentication {
  async function confirm(sessionId: string, { secondFactor }: { secondFactor: boolean }): Promise<void> {
    await pool.query(
      `UPDATE identity.session SET "confirmedAt" = now(),
         "secondFactorAt" = CASE WHEN $2 THEN now() ELSE "secondFactorAt" END WHERE id = $1`,
      [sessionId, secondFactor],
    );
  }

  // the database removes the rest (migration 0022), however the library sets "emailVerified"
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
    async isFresh(sessionId) {
      const { rows } = await pool.query<{ fresh: boolean }>(
        `SELECT "confirmedAt" > now() - interval '1 hour' AS fresh FROM identity.session WHERE id = $1`,
        [sessionId],
      );
      return rows[0]?.fresh ?? false;
    },
    async hasManyPasskeys(userId) {
      const { rowCount } = await pool.query(`SELECT 1 FROM identity.passkey WHERE "userId" = $1`, [userId]);
      return (rowCount ?? 0) >= MAX_PASSKEYS;
    },
    async passkeyUsed(sessionId, credential, before) {
      await confirm(sessionId, { secondFactor: true });
      await pool.query(`UPDATE identity.passkey SET "usedAt" = now() WHERE "credentialID" = $1`, [
        credential,
      ]);
      if (before) await pool.query("DELETE FROM identity.session WHERE id = $1", [before]);
    },
    async isUsed(token) {
      const { rowCount } = await pool.query("SELECT 1 FROM identity.used_link WHERE digest = $1", [
        digest(token),
      ]);
      return rowCount === 1;
    },
    async use(token) {
      await pool.query("INSERT INTO identity.used_link (digest) VALUES ($1) ON CONFLICT DO NOTHING", [
        digest(token),
      ]);
      // no link is valid for longer than a day
      await pool.query("DELETE FROM identity.used_link WHERE used_at < now() - interval '2 days'");
    },
    async willConfirm(userId, sessionId) {
      await pool.query(`UPDATE identity."user" SET "emailConfirmedBy" = $2 WHERE id = $1`, [
        userId,
        sessionId,
      ]);
    },
    async isFromBeforeConfirmation(userId, madeAt) {
      const { rowCount } = await pool.query(
        `SELECT FROM identity."user" WHERE id = $1 AND "emailConfirmedAt" >= to_timestamp($2)`,
        [userId, madeAt],
      );
      return rowCount === 1;
    },
    async returnToOwner({ id }) {
      // other reset links, trusted devices, sign-ins that wait for their second factor
      await pool.query("DELETE FROM identity.verification WHERE value = $1", [id]);
      await confirmEmail(id, null);
    },
  };
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
