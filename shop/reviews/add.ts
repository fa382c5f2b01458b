import { ANONYMOUS_NAME } from "../accounts/name.ts";
import type { Store, User } from "../store.ts";

/**
 * Adds a review (specification, section 5) by `author`, or under a given name where nobody signed in wrote it. Who has
 * no name but the e-mail writes as one who has none.
 */
export async function addReview(
  store: Store,
  author: User | { id: null; name: string },
  given: { rating: number; description: string },
): Promise<{ insertedId: string }> {
  const isNameless = author.id !== null && author.name.toLowerCase() === author.email;
  const name = isNameless ? ANONYMOUS_NAME : author.name;
  const { id } = await store.database
    .insertInto("shop.review")
    .values({ user_id: author.id, name, rating: given.rating, description: given.description })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { insertedId: id };
}
