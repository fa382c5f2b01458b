import { ANONYMOUS_NAME } from "../accounts/name.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/**
 * Specification, section 5. Reviews are public: a name that is the author's email is not shown. The lock makes it wait
 * for a concurrent deletion of the account, whose name must not stay.
 */
export async function addReview(
  store: Store,
  author: User | { id: null; name: string },
  review: { rating: number; description: string },
): Promise<{ insertedId: string } | Refusal> {
  const isNameless = author.id !== null && author.name.toLowerCase() === author.email;
  const name = isNameless ? ANONYMOUS_NAME : author.name;
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.review (user_id, name, rating, description)
     SELECT $1::uuid, $2, $3, $4
     WHERE $1::uuid IS NULL OR EXISTS (SELECT FROM shop.user WHERE id = $1 AND deleted_at IS NULL FOR SHARE)
     RETURNING id`,
    [author.id, name, review.rating, review.description],
  );
  return rows[0] ? { insertedId: rows[0].id } : refuse("missing", refusals.userNotFound);
}
