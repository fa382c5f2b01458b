-- Placing purchases, one or many in one transaction: buyers who order in the same moment share one round trip and one
-- wait for the disk. `orders` is an array of what each wants; a total lies between `smallest` and `largest` cents.
--
-- Of each: takes the stock if the product is on sale, the minimum is met, the stock is enough and the price is the one
-- that was seen; writes the purchase with the product's own name, picture and price; writes the movement; queues the
-- mail. Gives the purchases with the `number` of their order; an order that does not fit is left out.
--
-- Alone (`patient`), an order waits for its product. Many never wait: a product that somebody else holds at this
-- moment is given as `busy`, since all the others would wait with it, and two such would wait for each other.
CREATE FUNCTION shop.place_purchases(orders jsonb, patient boolean, smallest bigint, largest bigint)
RETURNS TABLE (number integer, busy boolean, purchase shop.purchase) LANGUAGE plpgsql AS $$
DECLARE
  wanted record;
  tool record;
  held uuid[];
BEGIN
  IF NOT patient THEN
    held := ARRAY(
      SELECT id FROM shop.product
      WHERE id = ANY (ARRAY(SELECT (one ->> 'product')::uuid FROM jsonb_array_elements(orders) AS one))
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  FOR wanted IN SELECT * FROM jsonb_to_recordset(orders) AS one (number integer, product uuid, pieces integer,
    price_cents bigint, buyer uuid, name text, email text, address text, phone text, actor text)
  LOOP
    number := wanted.number;
    busy := NOT patient AND NOT wanted.product = ANY (held);
    purchase := NULL;
    IF busy THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    UPDATE shop.product AS p SET quantity = p.quantity - wanted.pieces
    WHERE p.id = wanted.product AND p.archived_at IS NULL
      AND p.minimum_order <= wanted.pieces AND p.quantity >= wanted.pieces
      AND p.price_cents = wanted.price_cents AND p.price_cents * wanted.pieces BETWEEN smallest AND largest
    RETURNING p.name, p.picture, p.item_number INTO tool;
    CONTINUE WHEN NOT FOUND;
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
    RETURN NEXT;
  END LOOP;
END $$;
