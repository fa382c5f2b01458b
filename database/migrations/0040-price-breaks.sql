-- Order multiples and price breaks: a product is sold in multiples, and costs less per piece from a quantity upward.

-- At most six, ascending from above the minimum order, each cheaper than the one before it and than the list price.
CREATE FUNCTION shop.are_price_breaks(breaks jsonb, minimum_order integer, price_cents bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(breaks) <> 'array' THEN false ELSE jsonb_array_length(breaks) <= 6 AND NOT EXISTS (
  SELECT FROM (
    SELECT quantity, cents,
      lag(quantity, 1, minimum_order) OVER ladder AS below, lag(cents, 1, price_cents) OVER ladder AS above
    FROM ROWS FROM (jsonb_to_recordset(breaks) AS (quantity integer, price_cents bigint))
      WITH ORDINALITY AS one (quantity, cents, position)
    WINDOW ladder AS (ORDER BY position)
  ) AS steps
  WHERE (quantity > below AND cents >= 1 AND cents < above) IS NOT TRUE
) END;

ALTER TABLE shop.product
  ADD COLUMN order_multiple integer NOT NULL DEFAULT 1 CHECK (order_multiple BETWEEN 1 AND 1000000),
  ADD COLUMN price_breaks jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT product_minimum_is_multiple CHECK (minimum_order % nullif(order_multiple, 0) = 0),
  ADD CONSTRAINT product_price_breaks_valid CHECK (shop.are_price_breaks(price_breaks, minimum_order, price_cents));

-- Cents per piece when so many are ordered at once. Prices fall from break to break, so the lowest one applies.
CREATE FUNCTION shop.unit_price_cents(price_cents bigint, price_breaks jsonb, pieces integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN price_breaks = '[]' THEN price_cents ELSE least(price_cents, (
  SELECT min(one.price_cents) FROM jsonb_to_recordset(price_breaks) AS one (quantity integer, price_cents bigint)
  WHERE one.quantity <= pieces)) END;

-- The audit log and the caches of other processes know the new columns.
DROP TRIGGER remember ON shop.product;
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF name, picture, price_cents, minimum_order, order_multiple,
    price_breaks, description, item_number, category, key_fact, power_source, technical_data, drawn_box, dimensions,
    version, archived_at
  ON shop.product FOR EACH ROW EXECUTE FUNCTION shop.remember_product();
DROP TRIGGER product_tell_changed ON shop.product;
CREATE TRIGGER product_tell_changed
  AFTER UPDATE OF name, picture, price_cents, minimum_order, order_multiple, price_breaks, description, item_number,
    category, key_fact, power_source, technical_data, drawn_box, dimensions, archived_at
  ON shop.product FOR EACH STATEMENT EXECUTE FUNCTION shop.tell_change();
