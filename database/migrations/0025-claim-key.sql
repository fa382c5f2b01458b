-- Placing an order is one transaction (migration 0041). The batches of migrations 0011 and 0012 are gone, and with them
-- the second form in which a request kept its response: requests of the last 24 hours get theirs as JSON, like all others.
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
