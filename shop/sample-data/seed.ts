import { addProduct } from "../products/add.ts";
import { isRefusal } from "../refusal.ts";
import { addReview } from "../reviews/add.ts";
import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { sampleCatalogue } from "./catalogue.ts";
import { sampleReviews } from "./reviews.ts";

/** Fills a store that never had a product or a review, in one transaction; returns whether it did. */
export async function loadSampleData(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query(
    "SELECT 1 FROM shop.product UNION ALL SELECT 1 FROM shop.review LIMIT 1",
  );
  if (rows.length > 0) return false;
  await inTransaction(store, addSampleData);
  return true;
}

async function addSampleData(store: Store): Promise<void> {
  for (const tool of sampleCatalogue) {
    const added = await addProduct(store, tool);
    if (isRefusal(added)) throw new Error(`The sample tool ${tool.name} was refused: ${added.detail}`);
  }
  // the list shows the newest first
  for (const review of sampleReviews.toReversed())
    await addReview(store, { id: null, name: review.name }, review);
}
