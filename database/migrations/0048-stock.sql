-- Stock by hand: deliveries, counts and corrections are movements of the ledger, with who made them and why; a product
-- has a reorder point; admins get an email when the list of products below theirs changes.

ALTER TABLE shop.product
  ADD COLUMN reorder_point integer NOT NULL DEFAULT 0 CHECK (reorder_point BETWEEN 0 AND 1000000);

ALTER TABLE shop.stock_movement
  -- the admin who made it; null for orders, and for movements before this migration
  ADD COLUMN user_id uuid REFERENCES shop.user,
  ADD COLUMN note text CHECK (length(note) BETWEEN 1 AND 200),
  DROP CONSTRAINT stock_movement_pieces_check,
  DROP CONSTRAINT stock_movement_reason_check,
  ADD CONSTRAINT stock_movement_reason_check
    CHECK (reason IN ('received', 'sold', 'cancelled', 'counted', 'corrected', 'returned')),
  -- a count that finds what the ledger has is recorded too
  ADD CONSTRAINT stock_movement_pieces_check CHECK (pieces <> 0 OR reason = 'counted'),
  ADD CONSTRAINT stock_movement_counted_check CHECK (reason <> 'counted' OR user_id IS NOT NULL),
  ADD CONSTRAINT stock_movement_order_check CHECK (purchase_id IS NULL OR (user_id IS NULL AND note IS NULL));

-- The ledger of one product, newest first. Movements of a product are numbered in the order of its stock, because each
-- is inserted while the product's row is locked.
CREATE INDEX stock_movement_ledger_idx ON shop.stock_movement (product_id, id);
DROP INDEX shop.stock_movement_product_idx;

-- The stock is not part of the index: a sale would have to update it.
CREATE INDEX product_reorder_point_idx ON shop.product (id) WHERE reorder_point > 0 AND archived_at IS NULL;

-- The audit log and the caches of other processes know the new column.
DROP TRIGGER remember ON shop.product;
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF name, picture, price_cents, minimum_order, order_multiple,
    price_breaks, reorder_point, description, item_number, category, key_fact, power_source, technical_data, drawn_box,
    dimensions, version, archived_at
  ON shop.product FOR EACH ROW EXECUTE FUNCTION shop.remember_product();

CREATE FUNCTION shop.remember_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stock integer := (SELECT quantity FROM shop.product WHERE id = NEW.product_id);
BEGIN
  PERFORM shop.remember('stock ' || NEW.reason, 'product', NEW.product_id::text, NULL,
    jsonb_build_object('quantity', stock - NEW.pieces),
    jsonb_strip_nulls(jsonb_build_object('quantity', stock, 'reason', NEW.note)));
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT ON shop.stock_movement FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION shop.remember_stock_movement();

-- One row: the products that the last email to admins listed.
CREATE TABLE shop.low_stock_report (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  product_ids uuid[] NOT NULL DEFAULT '{}',
  sent_at timestamptz
);
INSERT INTO shop.low_stock_report DEFAULT VALUES;
