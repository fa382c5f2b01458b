import { randomBytes } from "node:crypto";
import type { Identity } from "../providers/identity/connect-identity.ts";
import { hasAdmin, makeAdmin } from "../shop/accounts/make-admin.ts";
import { upsertUser } from "../shop/accounts/upsert-user.ts";
import type { Store } from "../shop/store.ts";

/** Does nothing if there is an admin. An existing account with this email keeps its password and becomes the admin. */
export async function ensureFirstAdmin(
  store: Store,
  identity: Identity,
  email: string,
  configuredPassword: string | undefined,
  print: (line: string) => void,
): Promise<void> {
  if (await hasAdmin(store)) return;
  const context = await identity.$context;
  const existing = await context.internalAdapter.findUserByEmail(email);
  const password = existing ? null : (configuredPassword ?? randomBytes(12).toString("base64url"));
  // before there is an account with it: if the process is killed afterwards, nobody else knows the password
  print(
    `First admin: ${email}${password && configuredPassword === undefined ? `, password: ${password}` : ""}`,
  );
  if (password) await identity.api.signUpEmail({ body: { name: "Store Admin", email, password } });
  const account = existing ?? (await context.internalAdapter.findUserByEmail(email));
  if (!account) throw new Error(`The account of the first admin, ${email}, could not be made.`);
  // the operator need not confirm the email
  await context.internalAdapter.updateUser(account.user.id, { emailVerified: true });
  // registration opened a session that nobody uses
  if (password) await context.internalAdapter.deleteUserSessions(account.user.id);
  const { email: normalizedEmail } = await upsertUser(store, account.user);
  await makeAdmin(store, normalizedEmail, false);
}
