import type { Person, Store } from "../store.ts";

/** Adds a review (specification, section 5) by `author`, or under a given name where nobody signed in wrote it. */
export async function addReview(
  store: Store,
  author: Person | { id: null; name: string },
  given: { rating: number; description: string },
): Promise<{ insertedId: string }> {
  const { id } = await store.database
    .insertInto("shop.review")
    .values({ user_id: author.id, name: author.name, rating: given.rating, description: given.description })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { insertedId: id };
}
