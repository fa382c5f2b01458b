import type { AccountPasskey } from "../../api/account-calls.ts";
import type { Store, User } from "../store.ts";

export async function listPasskeys(store: Store, user: User): Promise<AccountPasskey[]> {
  const { rows } = await store.pool.query<{
    id: string;
    name: string | null;
    createdAt: Date;
    usedAt: Date | null;
  }>(
    `SELECT id, name, "createdAt", "usedAt" FROM identity.passkey WHERE "userId" = $1 ORDER BY id LIMIT 100`,
    [user.id],
  );
  return rows.map(({ id, name, createdAt, usedAt }) => ({
    id,
    name: name || "Passkey",
    since: createdAt.toISOString(),
    ...(usedAt && { lastUsed: usedAt.toISOString() }),
  }));
}
