-- Thousands of tools changed by one statement. Each row only notes itself, and at the end of the statement their
-- entries are made anew together; before, each was made anew by itself, at some milliseconds a tool.

-- What a statement has changed, until its end, which takes it out again: nobody sees a row of somebody else here.
-- Transition tables would do without, but a trigger that has them cannot be limited to columns: all purchases would
-- carry their tools through it.
CREATE UNLOGGED TABLE shop.catalogue_due (
  product_id uuid NOT NULL,
  -- whether its words may be others now, or only its numbers
  words boolean NOT NULL
);

-- for finding the cell of one tool among thousands
CREATE INDEX catalogue_cell_bands_idx ON shop.catalogue_cell (price_band, minimum_band, stock_band);

ALTER FUNCTION shop.renew_entries(uuid[]) RENAME TO renew_some_entries;

-- Makes the entries of these products anew, in slices: what is known of all the words of one fits into memory.
CREATE FUNCTION shop.renew_entries(products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR number IN 1 .. cardinality(products) BY 2000 LOOP
    PERFORM shop.renew_some_entries(products[number : number + 1999]);
  END LOOP;
END $$;

-- Brings the cells, prices, minimum orders and item numbers of these products' entries up to date; their words stay.
CREATE FUNCTION shop.renew_numbers(products uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  this_change bigint;
BEGIN
  -- the lock of renew_some_entries, for the same reason: changes are numbered as they become visible
  PERFORM pg_advisory_xact_lock(7128641);
  this_change := nextval('shop.catalogue_change');
  PERFORM shop.make_cells(products);
  UPDATE shop.catalogue_entry entry
  SET cell = cell.id, price_cents = source.price_cents, minimum_order = source.minimum_order, item_key = source.item_key
  FROM shop.catalogue_source source JOIN shop.catalogue_cell cell USING (price_band, minimum_band, stock_band)
  WHERE source.id = ANY (products) AND entry.product_id = source.id
    AND cell.category IS NOT DISTINCT FROM source.category
    AND cell.power IS NOT DISTINCT FROM source.power AND cell.voltage IS NOT DISTINCT FROM source.voltage;
  UPDATE shop.catalogue_place SET changed = this_change WHERE product_id = ANY (products);
END $$;

DROP TRIGGER product_changed ON shop.product;
DROP TRIGGER product_stock_crossed ON shop.product;
DROP FUNCTION shop.product_changed();

-- Whoever changes many tools waits before the first of them for whoever else does: two that met the same tools in
-- different orders would wait for each other. Purchases neither take this lock nor wait for it.
CREATE FUNCTION shop.change_in_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7128642);
  RETURN NULL;
END $$;
CREATE TRIGGER product_in_turn
  BEFORE INSERT OR UPDATE OF name, item_number, category, key_fact, power_source, technical_data, price_cents,
    minimum_order, archived_at
  ON shop.product FOR EACH STATEMENT EXECUTE FUNCTION shop.change_in_turn();

CREATE FUNCTION shop.product_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shop.catalogue_due VALUES (NEW.id, TG_ARGV[0]::boolean);
  RETURN NULL;
END $$;
CREATE TRIGGER product_words_due AFTER UPDATE OF name, category, key_fact, power_source, technical_data, archived_at
  ON shop.product FOR EACH ROW
  WHEN ((OLD.name, OLD.category, OLD.key_fact, OLD.power_source, OLD.technical_data, OLD.archived_at)
    IS DISTINCT FROM (NEW.name, NEW.category, NEW.key_fact, NEW.power_source, NEW.technical_data, NEW.archived_at))
  EXECUTE FUNCTION shop.product_due(true);
CREATE TRIGGER product_numbers_due AFTER UPDATE OF item_number, price_cents, minimum_order
  ON shop.product FOR EACH ROW
  WHEN ((OLD.item_number, OLD.price_cents, OLD.minimum_order)
    IS DISTINCT FROM (NEW.item_number, NEW.price_cents, NEW.minimum_order))
  EXECUTE FUNCTION shop.product_due(false);

CREATE FUNCTION shop.renew_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  worded uuid[];
  numbered uuid[];
BEGIN
  WITH due AS (
    DELETE FROM shop.catalogue_due RETURNING product_id, words
  ), once AS (
    SELECT product_id, bool_or(words) AS words FROM due GROUP BY product_id
  )
  SELECT array_agg(product_id ORDER BY product_id) FILTER (WHERE words),
    array_agg(product_id ORDER BY product_id) FILTER (WHERE NOT words)
  INTO worded, numbered FROM once;
  IF numbered IS NOT NULL THEN PERFORM shop.renew_numbers(numbered); END IF;
  IF worded IS NOT NULL THEN PERFORM shop.renew_entries(worded); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER product_due_renewed
  AFTER UPDATE OF name, item_number, category, key_fact, power_source, technical_data, price_cents, minimum_order,
    archived_at
  ON shop.product FOR EACH STATEMENT EXECUTE FUNCTION shop.renew_due();

-- A sale touches nothing here, unless it leaves less than one order: then its tool goes to the cell beside its own.
-- Nothing is noted, because somebody would have to look for notes at the end of each sale. What else the statement
-- changed is seen to at its end.
CREATE FUNCTION shop.product_stock_crossed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7128641);
  UPDATE shop.catalogue_entry entry SET cell = beside.id
  FROM shop.catalogue_cell own, shop.catalogue_cell beside
  WHERE entry.product_id = NEW.id AND own.id = entry.cell AND beside.price_band = own.price_band
    AND beside.minimum_band = own.minimum_band
    AND beside.stock_band = shop.stock_band(NEW.quantity, NEW.minimum_order)
    AND beside.category IS NOT DISTINCT FROM own.category
    AND beside.power IS NOT DISTINCT FROM own.power AND beside.voltage IS NOT DISTINCT FROM own.voltage;
  IF FOUND THEN
    UPDATE shop.catalogue_place SET changed = nextval('shop.catalogue_change') WHERE product_id = NEW.id;
  ELSE
    PERFORM shop.renew_numbers(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END $$;
-- Wherever shop.stock_band differs, one of these does. A call of it here would be unfolded anew in every sale.
CREATE TRIGGER product_stock_crossed AFTER UPDATE OF quantity ON shop.product FOR EACH ROW
  WHEN ((OLD.quantity < OLD.minimum_order) <> (NEW.quantity < NEW.minimum_order)
    OR (OLD.quantity > 500) <> (NEW.quantity > 500))
  EXECUTE FUNCTION shop.product_stock_crossed();
