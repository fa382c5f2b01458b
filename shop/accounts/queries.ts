import { type Selectable, sql } from "kysely";
import type { User } from "../../api/entities.ts";
import { type Page, type PageOf, toPage } from "../../database/page.ts";
import type { UserTable } from "../../database/schema.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** Role and profile of one user, by e-mail in lower case. */
export async function findUser(store: Store, email: string): Promise<User | Refusal> {
  const row = await store.database
    .selectFrom("shop.user")
    .selectAll()
    .select(emailVerified)
    .where("email", "=", email)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row ? toUser(row) : refuse("missing", refusals.userNotFound);
}

/** Whether an admin has shut the account. Who has no user record yet has not done anything to be shut out for. */
export async function isDisabled(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    "SELECT 1 FROM shop.user WHERE id = $1 AND disabled_at IS NOT NULL",
    [id],
  );
  return rowCount === 1;
}

/** All users, by e-mail; the cursor is an e-mail. */
export async function listUsers(store: Store, page: Page): Promise<PageOf<User>> {
  let query = store.database
    .selectFrom("shop.user")
    .selectAll()
    .select(emailVerified)
    .where("deleted_at", "is", null)
    .orderBy("email")
    .limit(page.limit + 1);
  if (page.cursor !== undefined) query = query.where("email", ">", page.cursor);
  return toPage((await query.execute()).map(toUser), page.limit, (user) => user.email);
}

export type UserRow = Selectable<UserTable> & { email_verified: boolean };

/** Whether the address of the row's user is confirmed; only the identity library's table knows. */
export const EMAIL_VERIFIED =
  'EXISTS (SELECT FROM identity."user" i WHERE i.id = shop.user.id AND i."emailVerified")';
const emailVerified = sql<boolean>`${sql.raw(EMAIL_VERIFIED)}`.as("email_verified");

/** A user as the calls answer it (specification, section 3). */
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
