import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import type { PictureStorage } from "./ports.ts";
import { fileNamesOf, type PictureSize } from "./urls.ts";

const BATCH_SIZE = 500;
/** At most this many are deleted between two reads of the products. */
const CHECK_BATCH_SIZE = 10;

// A regular expression takes ten times as long.
const HASHES = "SELECT left(part, 32) FROM url, unnest(string_to_array(url, 'pictures/')) AS part";

// Rows of imports may still be applied, or undone. An order keeps the picture of its product.
const UNUSED = `
WITH url (url) AS (
  SELECT picture FROM shop.product
  UNION ALL SELECT picture FROM shop.product_picture
  UNION ALL SELECT picture FROM shop.purchase
  UNION ALL SELECT product->>'picture' FROM shop.product_import_row
    WHERE status IN ('new', 'changed') AND NOT is_applied
  UNION ALL SELECT before->>'picture' FROM shop.product_import_row WHERE is_applied
), used (hash) AS (${HASHES})
SELECT hash, width, height, colour FROM shop.picture
WHERE uploaded_at < now() - interval '1 day' AND NOT EXISTS (SELECT FROM used WHERE used.hash = picture.hash)
ORDER BY uploaded_at LIMIT ${BATCH_SIZE}`;

// A product may have got one since.
const STILL_UNUSED = `
WITH url (url) AS (
  SELECT picture FROM shop.product UNION ALL SELECT picture FROM shop.product_picture
), used (hash) AS (${HASHES})
SELECT hash, width, height, colour FROM shop.picture
WHERE hash = ANY ($1) AND NOT EXISTS (SELECT FROM used WHERE used.hash = picture.hash)`;

// If only some of its files can be deleted, an upload of the same file stores all of them again.
const MARK_INCOMPLETE =
  "UPDATE shop.picture SET stored_at = NULL WHERE hash = $1 AND uploaded_at < now() - interval '1 day'";

// An upload of the same file waits for the lock, and then stores the picture again.
const LOCK = "SELECT FROM shop.picture WHERE hash = $1 AND uploaded_at < now() - interval '1 day' FOR UPDATE";

/** If its files cannot be deleted, a picture is kept for the next run, as are all after `stopping`. */
export async function deleteUnusedPictures(
  store: Store,
  storage: PictureStorage,
  stopping?: AbortSignal,
): Promise<number> {
  const { rows } = await store.pool.query<PictureSize>(UNUSED);
  const hashes = rows.map(({ hash }) => hash);
  let deleted = 0;
  for (let checked = 0; checked < hashes.length; checked += CHECK_BATCH_SIZE) {
    const values = [hashes.slice(checked, checked + CHECK_BATCH_SIZE)];
    const { rows: unused } = await store.pool.query<PictureSize>(STILL_UNUSED, values);
    for (const picture of unused) {
      if (stopping?.aborted) return deleted;
      if (await deletePicture(store, storage, picture)) deleted += 1;
    }
  }
  return deleted;
}

async function deletePicture(store: Store, storage: PictureStorage, picture: PictureSize): Promise<boolean> {
  await store.pool.query(MARK_INCOMPLETE, [picture.hash]);
  return inTransaction(store, async ({ pool }) => {
    const { rowCount } = await pool.query(LOCK, [picture.hash]);
    if (!rowCount) return false;
    await storage.delete(fileNamesOf(picture));
    await pool.query("DELETE FROM shop.picture WHERE hash = $1", [picture.hash]);
    return true;
  });
}
