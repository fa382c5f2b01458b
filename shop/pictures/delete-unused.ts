import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { fileNamesOf, type PictureSize } from "./addresses.ts";
import type { PictureStorage } from "./ports.ts";

const BATCH_SIZE = 500;

// Rows of imports may still be applied, or undone. An order keeps the picture of its product.
const UNUSED = `
WITH used AS (
  SELECT substring(address FROM '/pictures/([0-9a-f]{32})-') AS hash FROM (
    SELECT picture AS address FROM shop.product
    UNION ALL SELECT picture FROM shop.product_picture
    UNION ALL SELECT picture FROM shop.purchase
    UNION ALL SELECT product->>'picture' FROM shop.product_import_row
      WHERE status IN ('new', 'changed') AND NOT is_applied
    UNION ALL SELECT before->>'picture' FROM shop.product_import_row WHERE is_applied
  ) AS addresses WHERE address LIKE '%/pictures/%'
)
SELECT hash, width, height, colour FROM shop.picture
WHERE uploaded_at < now() - interval '1 day' AND NOT EXISTS (SELECT FROM used WHERE used.hash = picture.hash)
ORDER BY uploaded_at LIMIT ${BATCH_SIZE}`;

// An upload of the same file waits for the lock, and then stores the picture again.
const LOCK = `
SELECT hash FROM shop.picture
WHERE hash = $1 AND uploaded_at < now() - interval '1 day'
  AND NOT EXISTS (SELECT FROM shop.product WHERE product.picture LIKE '%/pictures/' || hash || '-%')
  AND NOT EXISTS (SELECT FROM shop.product_picture WHERE product_picture.picture LIKE '%/pictures/' || hash || '-%')
FOR UPDATE`;

/**
 * Deletes pictures, with their files, that were uploaded more than a day ago and that no product, order or import
 * refers to; returns their number. If its files cannot be deleted, a picture is kept for the next run.
 */
export async function deleteUnusedPictures(store: Store, storage: PictureStorage): Promise<number> {
  const { rows } = await store.pool.query<PictureSize>(UNUSED);
  let deleted = 0;
  for (const picture of rows) if (await deletePicture(store, storage, picture)) deleted += 1;
  return deleted;
}

function deletePicture(store: Store, storage: PictureStorage, picture: PictureSize): Promise<boolean> {
  return inTransaction(store, async ({ pool }) => {
    const { rowCount } = await pool.query(LOCK, [picture.hash]);
    if (!rowCount) return false;
    await storage.delete(fileNamesOf(picture));
    await pool.query("DELETE FROM shop.picture WHERE hash = $1", [picture.hash]);
    return true;
  });
}
