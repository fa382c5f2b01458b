-- An archived tool keeps its item number, with which it can be put back on sale. Meanwhile another tool may have it.
ALTER TABLE shop.product DROP CONSTRAINT product_item_number_key;
CREATE UNIQUE INDEX product_item_number_key ON shop.product (item_number) WHERE archived_at IS NULL;
CREATE INDEX product_archived_idx ON shop.product (id) WHERE archived_at IS NOT NULL;
CREATE INDEX product_archived_number_idx ON shop.product (item_number)
  WHERE archived_at IS NOT NULL AND item_number IS NOT NULL;

-- Alerts are due when a tool can be ordered again, also because it is sold again.
DROP TRIGGER product_orderable ON shop.product;
CREATE TRIGGER product_orderable AFTER UPDATE OF quantity, minimum_order, archived_at ON shop.product FOR EACH ROW
  WHEN (NEW.quantity >= NEW.minimum_order AND NEW.archived_at IS NULL
    AND (OLD.quantity < OLD.minimum_order OR OLD.archived_at IS NOT NULL))
  EXECUTE FUNCTION shop.product_orderable();
