-- Finding tools. Every tool on sale has one narrow row here, with its words and the cell of its facets, so that
-- a search never touches the wide rows of shop.product, and a purchase touches nothing here unless it changes
-- whether the stock covers an order. Kept by triggers: whoever writes a product cannot forget it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- A text as the words that a buyer may type, in order: lower case, no accents, a number joined with its unit
-- ("18 V" is 18v), thousands without commas.
CREATE FUNCTION shop.words_of(given text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_remove(string_to_array(
  regexp_replace(
    regexp_replace(
      regexp_replace(
        regexp_replace(
          lower(normalize(given, NFKD) COLLATE "pg_c_utf8"),
          '[\u0300-\u036f''’]', '', 'g'),
        '(\d),(?=\d{3}\M)', '\1', 'g'),
      '(\d)\s+(v|w|kw|nm|mm|cm|m|kg|g|ah|j|rpm|l|in|hz|lm|bar)\M', '\1\2', 'g'),
    '[^[:alnum:]./]|[./](?!\d)|(?<!\d)[./]', ' ', 'g'),
  ' '), '');

-- The words that a tool is found by: also the bare number of "18v".
CREATE FUNCTION shop.index_words(given text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT left(one, 60)), '{}')
  FROM unnest(shop.words_of(given)) AS word, LATERAL (VALUES (word), (substring(word, '^([\d./]+)[a-z]'))) AS form (one)
  WHERE one IS NOT NULL
);

-- An item number without spaces and dashes: "DD 18-60" is DD1860.
CREATE FUNCTION shop.item_key(item_number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(regexp_replace(item_number COLLATE "pg_c_utf8", '[^[:alnum:]]', '', 'g') COLLATE "pg_c_utf8");

-- 0: less than one minimum order, 1: covers it, 2: covers it with more than 500 pieces
CREATE FUNCTION shop.stock_band(quantity integer, minimum_order integer) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN quantity < minimum_order THEN 0 WHEN quantity > 500 THEN 2 ELSE 1 END;

-- Categories in the order in which they came into the catalogue.
CREATE TABLE shop.catalogue_category (
  position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE
);

-- One combination of facets; there are some hundred or thousand, however many tools there are. The bands are
-- those of shop/catalogue/facets.ts.
CREATE TABLE shop.catalogue_cell (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  category text,
  power text,
  voltage numeric,
  price_band smallint NOT NULL,
  minimum_band smallint NOT NULL,
  stock_band smallint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (category, power, voltage, price_band, minimum_band, stock_band)
);

CREATE TABLE shop.catalogue_entry (
  product_id uuid PRIMARY KEY REFERENCES shop.product,
  cell integer NOT NULL REFERENCES shop.catalogue_cell,
  category_position integer NOT NULL,
  price_cents bigint NOT NULL,
  minimum_order integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  item_key text COLLATE "C",
  -- every word, and once more with n/ before it the words of name and item number
  words tsvector NOT NULL
) WITH (toast_tuple_target = 128, fillfactor = 90);
-- the words stand outside the row; only a walk through a broad result looks at them
ALTER TABLE shop.catalogue_entry ALTER COLUMN words SET STORAGE EXTERNAL;
CREATE INDEX catalogue_entry_words_idx ON shop.catalogue_entry USING gin (words) WITH (fastupdate = off);
CREATE INDEX catalogue_entry_cell_idx ON shop.catalogue_entry (cell);
CREATE INDEX catalogue_entry_order_idx ON shop.catalogue_entry (category_position, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_price_idx ON shop.catalogue_entry (price_cents, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_name_idx ON shop.catalogue_entry (name, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_minimum_idx ON shop.catalogue_entry (minimum_order, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_item_idx ON shop.catalogue_entry (item_key, product_id);

-- The words of names and data with how many tools have them: what a half-typed or mistyped word may mean.
CREATE TABLE shop.catalogue_word (
  word text COLLATE "C" PRIMARY KEY,
  tools integer NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX catalogue_word_similar_idx ON shop.catalogue_word USING gin (word gin_trgm_ops) WHERE word !~ '\d';

-- Known words that look like this one.
CREATE FUNCTION shop.similar_words(given text) RETURNS TABLE (word text, tools integer) LANGUAGE sql STABLE
SET pg_trgm.similarity_threshold = 0.2
BEGIN ATOMIC
  SELECT known.word, known.tools FROM shop.catalogue_word known
  WHERE known.word % given AND known.word !~ '\d'
  ORDER BY similarity(known.word, given) DESC, known.tools DESC LIMIT 40;
END;

-- A product on sale as its entry will be.
CREATE VIEW shop.catalogue_source AS
SELECT id, name, shop.item_key(item_number) AS item_key, category, price_cents, minimum_order,
  nullif(trim(regexp_replace(power_source, '\s*[\d.]+\s*V\M.*$', '')), '') AS power,
  substring(power_source, '([\d.]+)\s*V\M')::numeric AS voltage,
  width_bucket(price_cents, ARRAY[5000, 10000, 20000, 40000, 80000]::bigint[])::smallint AS price_band,
  width_bucket(minimum_order, ARRAY[6, 11, 21, 51])::smallint AS minimum_band,
  shop.stock_band(quantity, minimum_order) AS stock_band,
  shop.index_words(concat_ws(' ; ', name, category)) AS name_words,
  shop.index_words(concat_ws(' ; ', name, category, key_fact, power_source, (
    SELECT string_agg(concat_ws(' ; ', fact ->> 'name', fact ->> 'value'), ' ; ')
    FROM jsonb_array_elements(technical_data) AS fact
  ))) AS all_words,
  coalesce(shop.index_words(item_number), '{}') AS item_words
FROM shop.product WHERE archived_at IS NULL;

-- Makes the entries of these products anew. One at a time, because they share the counts of their words.
CREATE FUNCTION shop.renew_entries(products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7128641);
  WITH gone AS (
    DELETE FROM shop.catalogue_entry WHERE product_id = ANY (products) RETURNING words
  ), fewer AS (
    SELECT word, count(*) AS tools FROM gone, unnest(tsvector_to_array(gone.words)) AS word GROUP BY word
  )
  UPDATE shop.catalogue_word known SET tools = known.tools - fewer.tools FROM fewer WHERE known.word = fewer.word;

  INSERT INTO shop.catalogue_category (name)
  SELECT category FROM shop.catalogue_source source
  WHERE id = ANY (products) AND category IS NOT NULL
    AND NOT EXISTS (SELECT FROM shop.catalogue_category known WHERE known.name = source.category)
  GROUP BY category ORDER BY min(id::text)
  ON CONFLICT DO NOTHING;
  PERFORM shop.make_cells(products);

  WITH added AS (
    INSERT INTO shop.catalogue_entry (product_id, cell, category_position, price_cents, minimum_order, name, item_key, words)
    SELECT source.id, cell.id, coalesce(category.position, 1000000), price_cents, minimum_order, source.name, item_key,
      array_to_tsvector(all_words
        || ARRAY(SELECT 'n/' || word FROM unnest(name_words) AS word)
        || ARRAY(SELECT 'i/' || word FROM unnest(item_words) AS word))
    FROM shop.catalogue_source source
    JOIN shop.catalogue_cell cell USING (price_band, minimum_band, stock_band)
    LEFT JOIN shop.catalogue_category category ON category.name = source.category
    WHERE source.id = ANY (products) AND cell.category IS NOT DISTINCT FROM source.category
      AND cell.power IS NOT DISTINCT FROM source.power AND cell.voltage IS NOT DISTINCT FROM source.voltage
    RETURNING words
  )
  INSERT INTO shop.catalogue_word AS known (word, tools)
  SELECT word, count(*) FROM added, unnest(tsvector_to_array(added.words)) AS word
  WHERE word !~ '^[ni]/' GROUP BY word
  ON CONFLICT (word) DO UPDATE SET tools = known.tools + excluded.tools;
  DELETE FROM shop.catalogue_word WHERE tools <= 0;
END $$;

CREATE FUNCTION shop.make_cells(products uuid[]) RETURNS void LANGUAGE sql
BEGIN ATOMIC
  INSERT INTO shop.catalogue_cell (category, power, voltage, price_band, minimum_band, stock_band)
  SELECT DISTINCT category, power, voltage, price_band, minimum_band, stock_band
  FROM shop.catalogue_source WHERE id = ANY (products)
  ON CONFLICT DO NOTHING;
END;

CREATE FUNCTION shop.product_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.renew_entries(ARRAY(SELECT id FROM added ORDER BY id));
  RETURN NULL;
END $$;
CREATE TRIGGER product_added AFTER INSERT ON shop.product
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shop.product_added();

CREATE FUNCTION shop.product_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.renew_entries(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER product_changed
  AFTER UPDATE OF name, item_number, category, key_fact, power_source, technical_data, price_cents, minimum_order, archived_at
  ON shop.product FOR EACH ROW EXECUTE FUNCTION shop.product_changed();

-- A sale that leaves less than one order, or a cancelled one that gives it back: the tool changes its cell.
CREATE FUNCTION shop.product_stock_crossed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.make_cells(ARRAY[NEW.id]);
  UPDATE shop.catalogue_entry entry SET cell = cell.id
  FROM shop.catalogue_source source JOIN shop.catalogue_cell cell USING (price_band, minimum_band, stock_band)
  WHERE entry.product_id = NEW.id AND source.id = NEW.id AND cell.category IS NOT DISTINCT FROM source.category
    AND cell.power IS NOT DISTINCT FROM source.power AND cell.voltage IS NOT DISTINCT FROM source.voltage;
  RETURN NULL;
END $$;
CREATE TRIGGER product_stock_crossed AFTER UPDATE OF quantity ON shop.product FOR EACH ROW
  WHEN (shop.stock_band(OLD.quantity, OLD.minimum_order) <> shop.stock_band(NEW.quantity, NEW.minimum_order))
  EXECUTE FUNCTION shop.product_stock_crossed();

-- for a store that was there before its catalogue
SELECT shop.renew_entries(ARRAY(SELECT id FROM shop.product WHERE archived_at IS NULL ORDER BY id));
