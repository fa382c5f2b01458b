-- Tables of admins with a hundred thousand products, customers and orders: each count and sorting from a narrow index.

-- Derived when a row is written. An index on the stock itself would be written by each sale; these change only when a
-- sale crosses the line.
ALTER TABLE shop.product
  ADD COLUMN is_low boolean NOT NULL GENERATED ALWAYS AS (quantity < 4::bigint * minimum_order) STORED,
  ADD COLUMN is_below_reorder_point boolean NOT NULL GENERATED ALWAYS AS (quantity < reorder_point) STORED;
CREATE INDEX product_low_idx ON shop.product (id) WHERE is_low AND archived_at IS NULL;
CREATE INDEX product_below_reorder_point_idx ON shop.product (id) WHERE is_below_reorder_point AND archived_at IS NULL;
CREATE INDEX product_category_idx ON shop.product (category, id) WHERE archived_at IS NULL;

-- Facets of a power source such as "Battery 18 V", for the catalogue and for admins.
CREATE FUNCTION shop.power_kind(power_source text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(trim(regexp_replace(power_source, '\s*[\d.]+\s*V\M.*$', '')), '');
CREATE FUNCTION shop.power_voltage(power_source text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(power_source, '([\d.]+)\s*V\M')::numeric;
CREATE INDEX product_power_idx ON shop.product (shop.power_kind(power_source), id) WHERE archived_at IS NULL;
CREATE INDEX product_voltage_idx ON shop.product (shop.power_voltage(power_source), id) WHERE archived_at IS NULL;

-- The audit log has no derived columns.
CREATE OR REPLACE FUNCTION shop.remember_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  derived text[] := ARRAY['is_low', 'is_below_reorder_point'];
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

-- Lines by status; those not shipped have indexes of their own.
CREATE INDEX purchase_shipped_count_idx ON shop.purchase (status) WHERE status = 'shipped' AND cancelled_at IS NULL;
-- revenue with the number of its orders
DROP INDEX shop.purchase_paid_idx;
CREATE INDEX purchase_paid_idx ON shop.purchase (paid_at)
  INCLUDE (total_cents, refunded_cents, quantity, product_id, order_id) WHERE paid_at IS NOT NULL;

CREATE INDEX customer_last_order_idx ON shop.customer (last_order_id, user_id);
CREATE INDEX customer_orders_idx ON shop.customer (orders, user_id);
CREATE INDEX customer_revenue_idx ON shop.customer (revenue_cents, user_id);
CREATE INDEX user_name_idx ON shop.user (lower(name), id) WHERE deleted_at IS NULL;
CREATE INDEX user_list_idx ON shop.user (email, id) WHERE deleted_at IS NULL;
CREATE INDEX user_role_idx ON shop.user (role) WHERE deleted_at IS NULL;
CREATE INDEX user_disabled_idx ON shop.user (id) WHERE disabled_at IS NOT NULL;
CREATE INDEX user_deleted_idx ON shop.user (id) WHERE deleted_at IS NOT NULL;

ANALYZE shop.product, shop.purchase, shop.customer, shop.user;
