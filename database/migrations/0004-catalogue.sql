-- Finding tools. Every tool on sale has one narrow row here, with its words and the cell of its facets, so that
-- a search never touches the wide rows of shop.product, and a purchase touches nothing here unless it changes
-- whether the stock covers an order. Kept by triggers: whoever writes a product cannot forget it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS intarray;

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

-- What a tool is found by: a word anywhere in its texts, a word of its name, a value of a facet. With how many
-- tools have it: so that a half-typed or mistyped word is taken for a likely one.
CREATE TABLE shop.catalogue_word (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('word', 'name', 'facet')),
  word text COLLATE "C" NOT NULL,
  tools integer NOT NULL,
  UNIQUE (kind, word)
) WITH (fillfactor = 70);
CREATE INDEX catalogue_word_similar_idx ON shop.catalogue_word USING gin (word gin_trgm_ops)
  WHERE kind = 'word' AND word !~ '\d';

CREATE TABLE shop.catalogue_entry (
  product_id uuid PRIMARY KEY REFERENCES shop.product,
  cell integer NOT NULL REFERENCES shop.catalogue_cell,
  category_position integer NOT NULL,
  price_cents integer NOT NULL,
  minimum_order integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  item_key text COLLATE "C",
  -- ids of shop.catalogue_word: numbers, because a row of texts would be twice as wide
  words integer[] NOT NULL
) WITH (fillfactor = 95);
CREATE INDEX catalogue_entry_words_idx ON shop.catalogue_entry USING gin (words gin__int_ops) WITH (fastupdate = off);
CREATE INDEX catalogue_entry_cell_idx ON shop.catalogue_entry (cell);
CREATE INDEX catalogue_entry_order_idx ON shop.catalogue_entry (category_position, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_price_idx ON shop.catalogue_entry (price_cents, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_name_idx ON shop.catalogue_entry (name, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_minimum_idx ON shop.catalogue_entry (minimum_order, product_id) INCLUDE (cell);
CREATE INDEX catalogue_entry_item_idx ON shop.catalogue_entry (item_key, product_id);

-- Known words that look like this one.
CREATE FUNCTION shop.similar_words(given text) RETURNS TABLE (id integer, word text, tools integer) LANGUAGE sql STABLE
SET pg_trgm.similarity_threshold = 0.2
BEGIN ATOMIC
  SELECT known.id, known.word, known.tools FROM shop.catalogue_word known
  WHERE known.word % given AND known.kind = 'word' AND known.word !~ '\d'
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
  ))) AS all_words
FROM shop.product WHERE archived_at IS NULL;

-- Everything that a product is found by.
CREATE FUNCTION shop.forms_of(source shop.catalogue_source) RETURNS TABLE (kind text, word text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT 'word', unnest(source.all_words)
  UNION ALL SELECT 'name', unnest(source.name_words)
  UNION ALL SELECT 'facet', value FROM unnest(ARRAY[
    'category=' || source.category, 'power=' || source.power, 'voltage=' || trim_scale(source.voltage),
    'price=' || source.price_band, 'minimum=' || source.minimum_band, 'stock=' || source.stock_band
  ]) AS value WHERE value IS NOT NULL;
END;

-- Makes the cells of these products that are not there yet.
CREATE FUNCTION shop.make_cells(products uuid[]) RETURNS void LANGUAGE sql
BEGIN ATOMIC
  INSERT INTO shop.catalogue_cell (category, power, voltage, price_band, minimum_band, stock_band)
  SELECT DISTINCT category, power, voltage, price_band, minimum_band, stock_band
  FROM shop.catalogue_source source WHERE id = ANY (products) AND NOT EXISTS (
    SELECT FROM shop.catalogue_cell known WHERE (known.price_band, known.minimum_band, known.stock_band) =
      (source.price_band, source.minimum_band, source.stock_band) AND known.category IS NOT DISTINCT FROM source.category
      AND known.power IS NOT DISTINCT FROM source.power AND known.voltage IS NOT DISTINCT FROM source.voltage)
  ON CONFLICT DO NOTHING;
END;

-- Makes the entries of these products anew. One change at a time, because they share the counts of their words.
CREATE FUNCTION shop.renew_entries(products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sources shop.catalogue_source[];
BEGIN
  PERFORM pg_advisory_xact_lock(7128641);
  WITH gone AS (
    DELETE FROM shop.catalogue_entry WHERE product_id = ANY (products) RETURNING words
  ), fewer AS (
    SELECT id, count(*) AS tools FROM gone, unnest(gone.words) AS id GROUP BY id
  )
  UPDATE shop.catalogue_word known SET tools = known.tools - fewer.tools FROM fewer WHERE known.id = fewer.id;

  SELECT array_agg(source ORDER BY id) INTO sources FROM shop.catalogue_source source WHERE id = ANY (products);
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
  ), added AS (
    INSERT INTO shop.catalogue_entry (product_id, cell, category_position, price_cents, minimum_order, name, item_key, words)
    SELECT source.id, cell.id, coalesce(category.position, 1000000), price_cents, minimum_order, source.name, item_key, worded.words
    FROM unnest(sources) AS source JOIN worded ON worded.id = source.id
    JOIN shop.catalogue_cell cell USING (price_band, minimum_band, stock_band)
    LEFT JOIN shop.catalogue_category category ON category.name = source.category
    WHERE cell.category IS NOT DISTINCT FROM source.category
      AND cell.power IS NOT DISTINCT FROM source.power AND cell.voltage IS NOT DISTINCT FROM source.voltage
    ORDER BY source.id
    RETURNING words
  ), more AS (
    SELECT id, count(*) AS tools FROM added, unnest(added.words) AS id GROUP BY id
  )
  UPDATE shop.catalogue_word known SET tools = known.tools + more.tools FROM more WHERE known.id = more.id;
  DELETE FROM shop.catalogue_word WHERE tools <= 0;
END $$;

CREATE FUNCTION shop.product_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.renew_entries(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $$;
CREATE TRIGGER product_added AFTER INSERT ON shop.product
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shop.product_added();

-- A sale touches nothing here, unless it leaves less than one order; nor does what a search does not see.
CREATE FUNCTION shop.product_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.renew_entries(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER product_changed
  AFTER UPDATE OF name, item_number, category, key_fact, power_source, technical_data, price_cents, minimum_order, archived_at
  ON shop.product FOR EACH ROW EXECUTE FUNCTION shop.product_changed();
CREATE TRIGGER product_stock_crossed AFTER UPDATE OF quantity ON shop.product FOR EACH ROW
  WHEN (shop.stock_band(OLD.quantity, OLD.minimum_order) <> shop.stock_band(NEW.quantity, NEW.minimum_order))
  EXECUTE FUNCTION shop.product_changed();

-- Whoever keeps answers in memory hears of every change, but not of each sale: that would make the sales queue up
-- behind each other, and an answer is made anew within a second anyway.
CREATE FUNCTION shop.tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('stator_change', TG_TABLE_NAME);
  RETURN NULL;
END $$;
CREATE TRIGGER product_tell_added AFTER INSERT OR DELETE ON shop.product
  FOR EACH STATEMENT EXECUTE FUNCTION shop.tell_change();
CREATE TRIGGER product_tell_changed
  AFTER UPDATE OF name, picture, price_cents, minimum_order, description, item_number, category, key_fact, power_source,
    technical_data, drawn_box, dimensions, archived_at
  ON shop.product FOR EACH STATEMENT EXECUTE FUNCTION shop.tell_change();
CREATE TRIGGER review_tell AFTER INSERT OR UPDATE OR DELETE ON shop.review
  FOR EACH STATEMENT EXECUTE FUNCTION shop.tell_change();

-- for a store that was there before its catalogue
SELECT shop.renew_entries(ARRAY(SELECT id FROM shop.product WHERE archived_at IS NULL));
