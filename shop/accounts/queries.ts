import type { User } from "../../api/entities.ts";
import { type Page, type PageRequest, readPage } from "../../database/pagination.ts";
import type { UserRow as Columns } from "../../database/schema.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

export type UserRow = Columns & { email_verified: boolean };

export const EMAIL_VERIFIED =
  'coalesce((SELECT i."emailVerified" FROM identity."user" i WHERE i.id = shop.user.id), false)';

/** What ends an admin's role waits for each other, so that one admin is left. */
export const LOCK_ADMINS = "SELECT pg_advisory_xact_lock(7128643)";

export const USERS = `SELECT *, ${EMAIL_VERIFIED} AS email_verified FROM shop.user WHERE deleted_at IS NULL`;

export async function findUser({ pool }: Store, email: string): Promise<User | Refusal> {
  const { rows } = await pool.query<UserRow>(`${USERS} AND email = $1`, [email]);
  return rows[0] ? toUser(rows[0]) : refuse("missing", refusals.userNotFound);
}

export async function isDisabled(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    "SELECT 1 FROM shop.user WHERE id = $1 AND disabled_at IS NOT NULL",
    [id],
  );
  return rowCount === 1;
}

export async function isAdmin(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query("SELECT 1 FROM shop.user WHERE id = $1 AND role = 'admin'", [
    id,
  ]);
  return rowCount === 1;
}

export async function listUsers(store: Store, page: PageRequest): Promise<Page<User> | Refusal> {
  const sorting = { column: "email", descending: false, kind: "text" } as const;
  const found = await readPage<UserRow>(store.pool, { text: USERS, values: [] }, sorting, page);
  return found ? { ...found, rows: found.rows.map(toUser) } : refuseField("cursor", refusals.badCursor);
}

export function toUser(row: UserRow): User {
  return {
    email: row.email,
    name: row.name,
    role: row.role,
    emailVerified: row.email_verified,
    ...(row.education && { education: row.education }),
    ...(row.location && { location: row.location }),
    ...(row.phone && { phone: row.phone }),
    ...(row.linkedin && { linkedin: row.linkedin }),
  };
}
