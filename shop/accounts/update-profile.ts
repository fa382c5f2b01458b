import type { Store, User } from "../store.ts";

export type ProfileField = "education" | "location" | "phone" | "linkedin";

export async function updateProfile(
  store: Store,
  user: User,
  fields: Partial<Record<ProfileField, string | undefined>>,
): Promise<{ lastErrorObject: { updatedExisting: boolean } }> {
  const { education, location, phone, linkedin } = fields;
  const { rowCount } = await store.pool.query(
    `UPDATE shop.user SET education = coalesce($2, education), location = coalesce($3, location),
       phone = coalesce($4, phone), linkedin = coalesce($5, linkedin)
     WHERE id = $1 AND deleted_at IS NULL`,
    [user.id, education, location, phone, linkedin],
  );
  return { lastErrorObject: { updatedExisting: rowCount === 1 } };
}
