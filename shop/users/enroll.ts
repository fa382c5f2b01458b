import type { Person, Store } from "../store.ts";

/**
 * The user record of someone who is signed in: made at first sight, its name and e-mail kept as the identity
 * has them. The role stays what it is.
 */
export async function enrollUser(
  store: Store,
  identity: { id: string; email: string; name: string },
): Promise<Person> {
  return store.database
    .insertInto("shop.user")
    .values({
      id: identity.id,
      email: identity.email.toLowerCase(),
      name: identity.name.trim() || identity.email,
    })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({ email: eb.ref("excluded.email"), name: eb.ref("excluded.name") })),
    )
    .returning(["id", "email", "name", "role"])
    .executeTakeFirstOrThrow();
}
