-- The stock page is sorted by how far a tool is below its reorder point, read from an index instead of a sort of all.
-- Generated, so that a sale of a tool that is not below it leaves the index alone. Nodes of the previous release read
-- `is_below_reorder_point`; a later one drops it with its index.
ALTER TABLE shop.product
  ADD COLUMN shortage integer NOT NULL GENERATED ALWAYS AS (greatest(reorder_point - quantity, 0)) STORED;
CREATE INDEX product_shortage_idx ON shop.product (shortage, id) WHERE archived_at IS NULL;
DROP INDEX shop.product_reorder_point_idx;

-- The audit log has no derived columns.
CREATE OR REPLACE FUNCTION shop.remember_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  derived text[] := ARRAY['is_low', 'is_below_reorder_point', 'shortage'];
  old_row jsonb := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) - derived END;
  new_row jsonb := to_jsonb(NEW) - derived;
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember('added', 'product', NEW.id::text, NULL, NULL, jsonb_strip_nulls(new_row - 'id'));
  ELSIF (old_row - 'quantity') <> (new_row - 'quantity') THEN
    PERFORM shop.remember(
      CASE WHEN NEW.archived_at IS NOT NULL AND OLD.archived_at IS NULL THEN 'deleted'
           WHEN NEW.archived_at IS NULL AND OLD.archived_at IS NOT NULL THEN 'restored' ELSE 'edited' END,
      'product', NEW.id::text, NULL, shop.differing(old_row, new_row), shop.differing(new_row, old_row));
  END IF;
  RETURN NULL;
END $$;

ANALYZE shop.product;
