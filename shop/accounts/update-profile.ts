import type { Output, Request } from "../../api/contract.ts";
import type { Store, User } from "../store.ts";

export async function updateProfile(
  store: Store,
  user: User,
  { education, location, phone, linkedin }: Request<"updateProfile">["body"],
): Promise<Output<"updateProfile">> {
  const { rowCount } = await store.pool.query(
    `UPDATE shop.user SET education = coalesce($2, education), location = coalesce($3, location),
       phone = coalesce($4, phone), linkedin = coalesce($5, linkedin)
     WHERE id = $1 AND deleted_at IS NULL`,
    [user.id, education, location, phone, linkedin],
  );
  return { lastErrorObject: { updatedExisting: rowCount === 1 } };
}
