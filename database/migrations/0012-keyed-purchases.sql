-- Purchases under an idempotency key share a transaction too: the statement that places them takes their keys.

-- The answer of a call that placed a purchase is the purchase as it was placed.
ALTER TABLE shop.request ADD COLUMN placed jsonb;
ALTER TABLE shop.request ADD CHECK (answer IS NULL OR placed IS NULL);

-- Takes an idempotency key for a call and gives the id of its request; null where another call has it. A key of more
-- than 24 hours counts as new; one whose call was cut off is taken up again, as the request that it was. A call under
-- the same key that has not ended is waited for `patience` long (lock_not_available).
CREATE FUNCTION shop.take_request(request uuid, person uuid, asked text, input text, patience text) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  taken uuid;
BEGIN
  PERFORM set_config('lock_timeout', patience, true);
  INSERT INTO shop.request AS known (id, person_id, key, digest, held_until)
  VALUES (request, person, asked, input, now() + interval '60 seconds')
  ON CONFLICT (person_id, key) DO UPDATE SET
    id = CASE WHEN known.started_at < now() - interval '24 hours' THEN excluded.id ELSE known.id END,
    started_at = CASE WHEN known.started_at < now() - interval '24 hours' THEN now() ELSE known.started_at END,
    digest = excluded.digest, held_until = excluded.held_until, answer = NULL, placed = NULL
  WHERE known.started_at < now() - interval '24 hours'
    OR (known.answer IS NULL AND known.placed IS NULL AND known.held_until < now()
      AND known.digest = excluded.digest)
  RETURNING known.id INTO taken;
  PERFORM set_config('lock_timeout', '0', true);
  RETURN taken;
END $$;

-- As in migration 0011; an order may come under a key (`request`, `key`, `digest`). If the key has been taken before,
-- nothing is placed and the order is given as `known`.
DROP FUNCTION shop.place_purchases(jsonb, boolean, bigint, bigint);
CREATE FUNCTION shop.place_purchases(orders jsonb, patient boolean, smallest bigint, largest bigint)
RETURNS TABLE (number integer, busy boolean, known boolean, purchase shop.purchase) LANGUAGE plpgsql AS $$
DECLARE
  wanted record;
  tool record;
  held uuid[];
  taken uuid;
BEGIN
  IF NOT patient THEN
    held := ARRAY(
      SELECT id FROM shop.product
      WHERE id = ANY (ARRAY(SELECT (one ->> 'product')::uuid FROM jsonb_array_elements(orders) AS one))
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  FOR wanted IN SELECT * FROM jsonb_to_recordset(orders) AS one (number integer, product uuid, pieces integer,
    price_cents bigint, buyer uuid, name text, email text, address text, phone text, actor text,
    request uuid, key text, digest text)
  LOOP
    number := wanted.number;
    busy := NOT patient AND NOT wanted.product = ANY (held);
    known := false;
    purchase := NULL;
    IF busy THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF wanted.request IS NOT NULL THEN
      taken := shop.take_request(wanted.request, wanted.buyer, wanted.key, wanted.digest,
        CASE WHEN patient THEN '250ms' ELSE '1ms' END);
      known := taken IS NULL;
      IF known THEN
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    UPDATE shop.product AS p SET quantity = p.quantity - wanted.pieces
    WHERE p.id = wanted.product AND p.archived_at IS NULL
      AND p.minimum_order <= wanted.pieces AND p.quantity >= wanted.pieces
      AND p.price_cents = wanted.price_cents AND p.price_cents * wanted.pieces BETWEEN smallest AND largest
    RETURNING p.name, p.picture, p.item_number INTO tool;
    IF NOT FOUND THEN
      -- the key goes with its effect
      IF wanted.request IS NOT NULL THEN
        DELETE FROM shop.request WHERE id = taken;
      END IF;
      CONTINUE;
    END IF;
    -- for the history, which the tables write themselves
    PERFORM set_config('stator.actor', wanted.actor, true);
    INSERT INTO shop.purchase AS made (user_id, product_id, name, email, address, phone, product_name, picture,
      item_number, quantity, price_cents)
    VALUES (wanted.buyer, wanted.product, wanted.name, wanted.email, wanted.address, wanted.phone, tool.name,
      tool.picture, tool.item_number, wanted.pieces, wanted.price_cents)
    RETURNING made.* INTO purchase;
    INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
    VALUES (wanted.product, -wanted.pieces, 'sold', purchase.id);
    PERFORM shop.queue_mail(json_build_object('mail', 'purchasePlaced', 'purchaseId', purchase.id));
    IF wanted.request IS NOT NULL THEN
      UPDATE shop.request SET placed = to_jsonb(purchase) WHERE id = taken;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
