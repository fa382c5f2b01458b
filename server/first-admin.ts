import { randomBytes } from "node:crypto";
import type { Identity } from "../providers/identity/connect-identity.ts";
import { hasAdmin, makeAdmin } from "../shop/accounts/make-admin.ts";
import { upsertUser } from "../shop/accounts/upsert-user.ts";
import type { Store } from "../shop/store.ts";

/** Null if there is an admin. An existing account with this email keeps its password and becomes the admin. */
export async function ensureFirstAdmin(
  store: Store,
  identity: Identity,
  email: string,
  givenPassword: string | undefined,
): Promise<{ email: string; password: string | null } | null> {
  if (await hasAdmin(store)) return null;
  const context = await identity.$context;
  const known = await context.internalAdapter.findUserByEmail(email);
  const password = known ? null : (givenPassword ?? randomBytes(12).toString("base64url"));
  if (password) await identity.api.signUpEmail({ body: { name: "Store Admin", email, password } });
  const account = known ?? (await context.internalAdapter.findUserByEmail(email));
  if (!account) throw new Error(`The account of the first admin, ${email}, could not be made.`);
  // the operator need not confirm the address
  await context.internalAdapter.updateUser(account.user.id, { emailVerified: true });
  // registration opened a session that nobody uses
  if (password) await context.internalAdapter.deleteUserSessions(account.user.id);
  const { email: enrolled } = await upsertUser(store, account.user);
  await makeAdmin(store, enrolled, false);
  // a password from the environment is not printed
  return { email: enrolled, password: givenPassword === undefined ? password : null };
}
