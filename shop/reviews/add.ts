import { ANONYMOUS_NAME } from "../accounts/name.ts";
import type { Store, User } from "../store.ts";

/** Specification, section 5. Reviews are public: a name that is the author's email is not shown. */
export async function addReview(
  store: Store,
  author: User | { id: null; name: string },
  given: { rating: number; description: string },
): Promise<{ insertedId: string }> {
  const isNameless = author.id !== null && author.name.toLowerCase() === author.email;
  const name = isNameless ? ANONYMOUS_NAME : author.name;
  const { rows } = await store.pool.query<{ id: string }>(
    "INSERT INTO shop.review (user_id, name, rating, description) VALUES ($1, $2, $3, $4) RETURNING id",
    [author.id, name, given.rating, given.description],
  );
  return { insertedId: (rows[0] as { id: string }).id };
}
