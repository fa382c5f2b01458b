import type { Store, User } from "../store.ts";
import { ANONYMOUS_NAME, hasVisibleText } from "./name.ts";

const PERSON = ["id", "email", "name", "role"] as const;

interface Identity {
  id: string;
  email: string;
  name: string;
}

/**
 * The user record of someone who is signed in: made at first sight, its name and e-mail kept as the identity
 * has them. The role stays what it is.
 */
export async function upsertUser(store: Store, identity: Identity): Promise<User> {
  const email = identity.email.toLowerCase();
  const name = hasVisibleText(identity.name) ? identity.name.trim() : ANONYMOUS_NAME;
  const seen = { id: identity.id, email, name };
  return (await renew(store, seen)) ?? (await enter(store, seen));
}

function renew(store: Store, { id, email, name }: Identity): Promise<User | undefined> {
  return store.database
    .updateTable("shop.user")
    .set({ email, name })
    .where("id", "=", id)
    .returning(PERSON)
    .executeTakeFirst();
}

/**
 * Someone who signs up may be seen for the first time in several tabs at once. They meet on the id or on the e-mail:
 * a conflict that names one of them would let the other one fail.
 */
async function enter(store: Store, seen: Identity): Promise<User> {
  const entered = await store.database
    .insertInto("shop.user")
    .values(seen)
    .onConflict((conflict) => conflict.doNothing())
    .returning(PERSON)
    .executeTakeFirst();
  const person = entered ?? (await renew(store, seen));
  if (!person) throw new Error(`The e-mail of identity ${seen.id} belongs to another user record.`);
  return person;
}
