-- Placing an order is one transaction. The batches of migrations 0011 and 0012 are gone, and with them the second form
-- in which a request kept its response: requests of the last 24 hours get theirs as JSON, like all others.
DROP FUNCTION shop.place_purchases(jsonb, boolean, bigint, bigint);

UPDATE shop.request SET answer = jsonb_strip_nulls(jsonb_build_object(
  '_id', placed -> 'id', 'name', placed -> 'name', 'email', placed -> 'email', 'address', placed -> 'address',
  'phone', placed -> 'phone', 'purchaseQuantity', placed -> 'quantity', 'productName', placed -> 'product_name',
  'picture', placed -> 'picture', 'price', (placed ->> 'price_cents')::bigint / 100.0,
  'total', (placed ->> 'total_cents')::bigint / 100.0, 'status', placed -> 'status',
  'productId', placed -> 'product_id', 'itemNumber', placed -> 'item_number',
  'placedAt', to_char((placed ->> 'placed_at')::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
))::text, placed = NULL
WHERE placed IS NOT NULL;
DROP FUNCTION shop.take_request(uuid, uuid, text, text, text);
ALTER TABLE shop.request DROP COLUMN placed;

-- Claims an idempotency key and returns the id of its request, or null if another request has it. A key older than
-- 24 hours is new again; one whose request was cut off is claimed again under the same id. Waits `patience` for a
-- request under the same key that is still running, then fails with lock_not_available.
CREATE FUNCTION shop.claim_key(request uuid, person uuid, claimed_key text, input_digest text, patience text)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  claimed uuid;
BEGIN
  PERFORM set_config('lock_timeout', patience, true);
  INSERT INTO shop.request AS known (id, person_id, key, digest, held_until)
  VALUES (request, person, claimed_key, input_digest, now() + interval '60 seconds')
  ON CONFLICT (person_id, key) DO UPDATE SET
    id = CASE WHEN known.started_at < now() - interval '24 hours' THEN excluded.id ELSE known.id END,
    started_at = CASE WHEN known.started_at < now() - interval '24 hours' THEN now() ELSE known.started_at END,
    digest = excluded.digest, held_until = excluded.held_until, answer = NULL
  WHERE known.started_at < now() - interval '24 hours'
    OR (known.answer IS NULL AND known.held_until < now() AND known.digest = excluded.digest)
  RETURNING known.id INTO claimed;
  PERFORM set_config('lock_timeout', '0', true);
  RETURN claimed;
END $$;

-- Places one order line: takes the stock, inserts the purchase with the product's own name, picture and price, records
-- the movement and queues the email. `price_cents` and `total_cents` are what the buyer saw, null if not stated; a total
-- lies between `smallest` and `largest` cents. If the line does not fit the product, nothing changes and `reason` says
-- why, with the product's current values. Locks one product only, so two calls cannot deadlock.
CREATE FUNCTION shop.place_order_line(line jsonb, smallest bigint, largest bigint)
RETURNS TABLE (
  reason text, current_price_cents bigint, current_stock integer, current_minimum integer, purchase shop.purchase
) LANGUAGE plpgsql AS $$
DECLARE
  wanted record;
  product record;
BEGIN
  SELECT * INTO wanted FROM jsonb_to_record(line) AS one (product uuid, quantity bigint, price_cents bigint,
    total_cents bigint, buyer uuid, name text, email text, address text, phone text, actor text);
  SELECT p.name, p.picture, p.item_number, p.price_cents, p.quantity, p.minimum_order INTO product
  FROM shop.product p WHERE p.id = wanted.product AND p.archived_at IS NULL FOR NO KEY UPDATE;
  current_price_cents := product.price_cents;
  current_stock := product.quantity;
  current_minimum := product.minimum_order;
  reason := CASE
    WHEN product.name IS NULL THEN 'product_gone'
    WHEN wanted.quantity < product.minimum_order THEN 'below_minimum'
    WHEN wanted.quantity > product.quantity THEN 'above_stock'
    WHEN wanted.price_cents <> product.price_cents THEN 'price_changed'
    WHEN wanted.total_cents <> product.price_cents * wanted.quantity THEN 'total_changed'
    WHEN product.price_cents * wanted.quantity > largest THEN 'total_too_high'
    WHEN product.price_cents * wanted.quantity < smallest THEN 'total_too_low'
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
    product.picture, product.item_number, wanted.quantity, product.price_cents)
  RETURNING placed.* INTO purchase;
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  VALUES (wanted.product, -wanted.quantity, 'sold', purchase.id);
  PERFORM shop.queue_email(json_build_object('mail', 'purchasePlaced', 'purchaseId', purchase.id));
  RETURN NEXT;
END $$;
