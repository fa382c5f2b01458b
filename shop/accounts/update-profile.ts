import type { Store, User } from "../store.ts";

export type ProfileField = "education" | "location" | "phone" | "linkedin";

/** Changes fields of one's own profile (specification, section 5). */
export async function updateProfile(
  store: Store,
  person: User,
  fields: Partial<Record<ProfileField, string | undefined>>,
): Promise<{ lastErrorObject: { updatedExisting: boolean } }> {
  const result = await store.database
    .updateTable("shop.user")
    .set(fields)
    .where("id", "=", person.id)
    .executeTakeFirst();
  return { lastErrorObject: { updatedExisting: result.numUpdatedRows === 1n } };
}
