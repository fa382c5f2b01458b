/** Compares the tables of the search with the products, without the store's code. */
import type pg from "pg";
import { expect } from "vitest";

const FAULTS: Record<string, string> = {
  // materialized: a view's expressions are evaluated for each use
  "entries that are not as their tools are": `
    WITH source AS MATERIALIZED (SELECT * FROM shop.catalogue_source)
    SELECT coalesce(source.id, entry.product_id) AS id FROM source
    FULL JOIN shop.catalogue_entry entry ON entry.product_id = source.id
    LEFT JOIN shop.catalogue_cell cell ON cell.id = entry.cell
    WHERE (entry.name, entry.item_key, entry.price_cents, entry.minimum_order)
        IS DISTINCT FROM (source.name, source.item_key, source.price_cents, source.minimum_order)
      OR (cell.category, cell.power, cell.voltage, cell.price_band, cell.minimum_band, cell.stock_band)
        IS DISTINCT FROM (source.category, source.power, source.voltage, source.price_band, source.minimum_band, source.stock_band)
      OR entry.words IS DISTINCT FROM ARRAY(
        SELECT known.id FROM shop.forms_of(source::shop.catalogue_source) JOIN shop.catalogue_word known USING (kind, word) ORDER BY known.id)
      OR cardinality(entry.words) <> cardinality(source.all_words) + cardinality(source.name_words)`,
  "words of entries that the blocks do not have": `
    SELECT entry.place, had.word FROM shop.catalogue_entry entry CROSS JOIN unnest(words) AS had (word)
    LEFT JOIN shop.catalogue_block block ON block.word = had.word AND block.block = entry.place >> 15
    WHERE get_bit(block.tools, entry.place & 32767) IS DISTINCT FROM 1`,
  "words with another number of tools than their entries or blocks": `
    SELECT word, known.tools, bits, entries FROM shop.catalogue_word known
    LEFT JOIN (SELECT word AS id, sum(bit_count(tools)) AS bits FROM shop.catalogue_block GROUP BY word) AS blocks USING (id)
    LEFT JOIN (SELECT word AS id, count(*) AS entries FROM shop.catalogue_entry, unnest(words) AS word GROUP BY word) AS counted USING (id)
    WHERE known.tools IS DISTINCT FROM bits OR known.tools IS DISTINCT FROM entries`,
  "changes that are still due": "SELECT * FROM shop.catalogue_due",
};

/** Expects that exactly the products on sale are in the index, with current values. */
export async function expectSearchToAgree(pool: pg.Pool): Promise<void> {
  for (const [what, query] of Object.entries(FAULTS)) {
    const { rows } = await pool.query(query);
    expect(rows, what).toEqual([]);
  }
}
