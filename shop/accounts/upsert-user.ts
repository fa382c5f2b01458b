import type { Store, User } from "../store.ts";
import { ANONYMOUS_NAME, hasVisibleText } from "./name.ts";

interface Identity {
  id: string;
  email: string;
  name: string;
}

export async function upsertUser(store: Store, identity: Identity): Promise<User> {
  const email = identity.email.toLowerCase();
  const name = hasVisibleText(identity.name) ? identity.name.trim() : ANONYMOUS_NAME;
  const normalized = { id: identity.id, email, name };
  return (await updateUser(store, normalized)) ?? (await insertUser(store, normalized));
}

/** An account that was deleted since its session was found stays as it is. */
async function updateUser({ pool }: Store, { id, email, name }: Identity): Promise<User | undefined> {
  const { rows } = await pool.query<User>(
    `UPDATE shop.user SET email = CASE WHEN deleted_at IS NULL THEN $2 ELSE email END,
       name = CASE WHEN deleted_at IS NULL THEN $3 ELSE name END
     WHERE id = $1 RETURNING id, email, name, role`,
    [id, email, name],
  );
  return rows[0];
}

/** Concurrent sign-ups conflict on the id or on the email, so the statement names neither. */
async function insertUser(store: Store, identity: Identity): Promise<User> {
  const { rows } = await store.pool.query<User>(
    `INSERT INTO shop.user (id, email, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
     RETURNING id, email, name, role`,
    [identity.id, identity.email, identity.name],
  );
  const user = rows[0] ?? (await updateUser(store, identity));
  if (!user) throw new Error(`The email of identity ${identity.id} belongs to another user record.`);
  return user;
}
