-- Searching a million tools. Every tool has a place, a small number that it keeps for ever; every word has a bit for
-- each place, in blocks of 32,768. What has several words is then a matter of a few "and"s over some kilobytes, in
-- whoever asks (shop/catalogue/places.ts), and no tool is looked at that will not be shown. What was found by an index
-- of lists before (GIN) took the rows of everything that matched, from all over the table, to count them.
CREATE TABLE shop.catalogue_place (
  place integer GENERATED ALWAYS AS IDENTITY (MINVALUE 0 START 0) PRIMARY KEY,
  product_id uuid NOT NULL UNIQUE REFERENCES shop.product,
  -- of shop.catalogue_change, when its entry was last made or taken away: who remembers something asks what is newer
  changed bigint NOT NULL
);
CREATE SEQUENCE shop.catalogue_change;

-- Bit n of a block is the tool at place block * 32768 + n.
CREATE TABLE shop.catalogue_block (
  word integer NOT NULL REFERENCES shop.catalogue_word ON DELETE CASCADE,
  block integer NOT NULL,
  tools bit(32768) NOT NULL,
  PRIMARY KEY (word, block)
);

-- bits_at(n, 1): a block with these bits
DO $$ BEGIN
  EXECUTE format(
    'CREATE AGGREGATE shop.bits_at(integer, integer) (SFUNC = set_bit, STYPE = bit, INITCOND = %L)', repeat('0', 32768));
END $$;

-- Facets are answered by cells alone; their values are words no longer.
CREATE OR REPLACE FUNCTION shop.forms_of(source shop.catalogue_source) RETURNS TABLE (kind text, word text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT 'word', unnest(source.all_words) UNION ALL SELECT 'name', unnest(source.name_words);
END;

INSERT INTO shop.catalogue_place (product_id, changed)
SELECT product_id, 0 FROM shop.catalogue_entry ORDER BY product_id;

-- The entries anew, in the order of their places, with fewer indexes: orders are found among what matches.
ALTER TABLE shop.catalogue_entry RENAME TO catalogue_entry_before;
CREATE TABLE shop.catalogue_entry (
  product_id uuid NOT NULL,
  place integer NOT NULL,
  cell integer NOT NULL,
  price_cents integer NOT NULL,
  minimum_order integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  item_key text COLLATE "C",
  -- ids of shop.catalogue_word, ascending
  words integer[] NOT NULL
) WITH (fillfactor = 95);
INSERT INTO shop.catalogue_entry
SELECT entry.product_id, place, cell, price_cents, minimum_order, name, item_key,
  words - ARRAY(SELECT id FROM shop.catalogue_word WHERE kind = 'facet')
FROM shop.catalogue_entry_before entry JOIN shop.catalogue_place place USING (product_id) ORDER BY place.place;
DROP TABLE shop.catalogue_entry_before;
ALTER TABLE shop.catalogue_entry
  ADD PRIMARY KEY (product_id),
  ADD FOREIGN KEY (product_id) REFERENCES shop.product,
  ADD FOREIGN KEY (place) REFERENCES shop.catalogue_place,
  ADD FOREIGN KEY (cell) REFERENCES shop.catalogue_cell;
CREATE UNIQUE INDEX catalogue_entry_place_idx ON shop.catalogue_entry (place)
  INCLUDE (cell, price_cents, minimum_order);
CREATE INDEX catalogue_entry_name_idx ON shop.catalogue_entry (name, place);
CREATE INDEX catalogue_entry_item_idx ON shop.catalogue_entry (item_key, place) INCLUDE (cell)
  WHERE item_key IS NOT NULL;
CREATE INDEX catalogue_place_changed_idx ON shop.catalogue_place (changed);

DELETE FROM shop.catalogue_word WHERE kind = 'facet';
ALTER TABLE shop.catalogue_word DROP CONSTRAINT catalogue_word_kind_check, ADD CHECK (kind IN ('word', 'name'));

-- Block by block: all words of one fit into memory.
DO $$ BEGIN
  FOR wanted IN 0 .. (SELECT coalesce(max(place), -1) FROM shop.catalogue_place) >> 15 LOOP
    INSERT INTO shop.catalogue_block (word, block, tools)
    SELECT word, wanted, shop.bits_at(place & 32767, 1)
    FROM shop.catalogue_entry, unnest(words) AS word
    WHERE place >= wanted << 15 AND place < (wanted + 1) << 15 GROUP BY word;
  END LOOP;
END $$;

-- Makes the entries of these products anew. One change at a time, because they share words; so changes are numbered
-- in the order in which they become visible.
CREATE OR REPLACE FUNCTION shop.renew_entries(products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sources shop.catalogue_source[];
  before shop.catalogue_entry[];
  this_change bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7128641);
  this_change := nextval('shop.catalogue_change');
  WITH gone AS (
    DELETE FROM shop.catalogue_entry WHERE product_id = ANY (products) RETURNING catalogue_entry
  ) SELECT array_agg(catalogue_entry) INTO before FROM gone;
  SELECT array_agg(source ORDER BY id) INTO sources FROM shop.catalogue_source source WHERE id = ANY (products);

  INSERT INTO shop.catalogue_place (product_id, changed)
  SELECT id, this_change FROM unnest(sources)
  WHERE NOT EXISTS (SELECT FROM shop.catalogue_place known WHERE known.product_id = id) ORDER BY id;
  UPDATE shop.catalogue_place SET changed = this_change WHERE product_id = ANY (products) AND changed <> this_change;

  INSERT INTO shop.catalogue_category (name)
  SELECT category FROM unnest(sources) WITH ORDINALITY AS source
  WHERE category IS NOT NULL
    AND NOT EXISTS (SELECT FROM shop.catalogue_category known WHERE known.name = source.category)
  GROUP BY category ORDER BY min(source.ordinality);
  PERFORM shop.make_cells(products);

  INSERT INTO shop.catalogue_word (kind, word, tools)
  SELECT DISTINCT form.kind, form.word, 0 FROM unnest(sources) AS source, LATERAL shop.forms_of(source) AS form
  WHERE NOT EXISTS (
    SELECT FROM shop.catalogue_word known WHERE known.kind = form.kind AND known.word = form.word);
  WITH worded AS (
    SELECT source.id, array_agg(known.id ORDER BY known.id) AS words
    FROM unnest(sources) AS source, LATERAL shop.forms_of(source) AS form
    JOIN shop.catalogue_word known ON known.kind = form.kind AND known.word = form.word
    GROUP BY source.id
  )
  INSERT INTO shop.catalogue_entry (product_id, place, cell, price_cents, minimum_order, name, item_key, words)
  SELECT source.id, place.place, cell.id, price_cents, minimum_order, source.name, item_key, worded.words
  FROM unnest(sources) AS source JOIN worded ON worded.id = source.id
  JOIN shop.catalogue_place place ON place.product_id = source.id
  JOIN shop.catalogue_cell cell USING (price_band, minimum_band, stock_band)
  WHERE cell.category IS NOT DISTINCT FROM source.category
    AND cell.power IS NOT DISTINCT FROM source.power AND cell.voltage IS NOT DISTINCT FROM source.voltage
  ORDER BY source.id;
  PERFORM shop.renew_blocks(before, products);
END $$;

-- Brings the words' bits and counts from how these entries were to how they are. Most changes change no word.
CREATE FUNCTION shop.renew_blocks(before shop.catalogue_entry[], products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH was AS (
    SELECT entry.place, word FROM unnest(before) AS entry, unnest(entry.words) AS word
  ), has AS (
    SELECT entry.place, word FROM shop.catalogue_entry entry, unnest(entry.words) AS word
    WHERE product_id = ANY (products)
  ), change AS (
    SELECT word, place >> 15 AS block,
      shop.bits_at(place & 32767, 1) FILTER (WHERE comes) AS plus,
      shop.bits_at(place & 32767, 1) FILTER (WHERE NOT comes) AS minus,
      sum(CASE WHEN comes THEN 1 ELSE -1 END)::integer AS more
    FROM (
      SELECT *, true AS comes FROM (TABLE has EXCEPT TABLE was) AS come
      UNION ALL SELECT *, false FROM (TABLE was EXCEPT TABLE has) AS gone
    ) AS difference GROUP BY word, block
  ), counted AS (
    UPDATE shop.catalogue_word known SET tools = known.tools + change.more
    FROM (SELECT word, sum(more) AS more FROM change GROUP BY word) AS change WHERE known.id = change.word
  )
  MERGE INTO shop.catalogue_block known USING change ON known.word = change.word AND known.block = change.block
  WHEN MATCHED THEN UPDATE SET tools = (known.tools & ~change.minus) | change.plus
  WHEN NOT MATCHED THEN INSERT VALUES (change.word, change.block, change.plus);
  DELETE FROM shop.catalogue_word WHERE tools <= 0;
END $$;

ANALYZE shop.catalogue_entry, shop.catalogue_place, shop.catalogue_block, shop.catalogue_word;
