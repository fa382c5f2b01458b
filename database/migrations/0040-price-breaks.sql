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

-- As in migration 0025; the unit price is the one at this quantity, and a quantity between two multiples is refused.
DROP FUNCTION shop.place_order_line(jsonb, bigint, bigint);
CREATE FUNCTION shop.place_order_line(line jsonb, smallest bigint, largest bigint)
RETURNS TABLE (
  reason text, current_price_cents bigint, current_stock integer, current_minimum integer,
  current_multiple integer, purchase shop.purchase
) LANGUAGE plpgsql AS $$
DECLARE
  wanted record;
  product record;
  unit_cents bigint;
BEGIN
  SELECT * INTO wanted FROM jsonb_to_record(line) AS one (product uuid, quantity bigint, price_cents bigint,
    total_cents bigint, buyer uuid, name text, email text, address text, phone text, actor text);
  SELECT p.name, p.picture, p.item_number, p.price_cents, p.quantity, p.minimum_order, p.order_multiple,
    p.price_breaks INTO product
  FROM shop.product p WHERE p.id = wanted.product AND p.archived_at IS NULL FOR NO KEY UPDATE;
  -- a quantity that no product can have is refused below
  unit_cents := shop.unit_price_cents(product.price_cents, product.price_breaks,
    greatest(0, least(wanted.quantity, 2147483647))::integer);
  current_price_cents := unit_cents;
  current_stock := product.quantity;
  current_minimum := product.minimum_order;
  current_multiple := product.order_multiple;
  reason := CASE
    WHEN product.name IS NULL THEN 'product_gone'
    WHEN wanted.quantity < product.minimum_order THEN 'below_minimum'
    WHEN wanted.quantity > product.quantity THEN 'above_stock'
    WHEN wanted.quantity % product.order_multiple <> 0 THEN 'not_a_multiple'
    WHEN wanted.price_cents <> unit_cents THEN 'price_changed'
    WHEN wanted.total_cents <> unit_cents * wanted.quantity THEN 'total_changed'
    WHEN unit_cents * wanted.quantity > largest THEN 'total_too_high'
    WHEN unit_cents * wanted.quantity < smallest THEN 'total_too_low'
  END;
  IF reason IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  -- for the audit log, which triggers write
  PERFORM set_config('stator.actor', wanted.actor, true);
  UPDATE shop.product AS p SET quantity = p.quantity - wanted.quantity WHERE p.id = wanted.product;
  INSERT INTO shop.purchase AS placed (user_id, product_id, name, email, address, phone, product_name, picture,
    item_number, quantity, price_cents)
  VALUES (wanted.buyer, wanted.product, wanted.name, wanted.email, wanted.address, wanted.phone, product.name,
    product.picture, product.item_number, wanted.quantity, unit_cents)
  RETURNING placed.* INTO purchase;
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  VALUES (wanted.product, -wanted.quantity, 'sold', purchase.id);
  PERFORM shop.queue_email(json_build_object('mail', 'purchasePlaced', 'purchaseId', purchase.id));
  RETURN NEXT;
END $$;
