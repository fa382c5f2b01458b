-- Lines of the same product are added up before an order is placed. If some are not, they are compared with the stock
-- together and take all their pieces; before, each was compared alone and one of them was taken. Otherwise unchanged.
CREATE OR REPLACE FUNCTION shop.place_order(request jsonb, smallest bigint, largest bigint)
RETURNS TABLE (
  problem text, line_index integer, current_price_cents bigint, current_stock integer, current_minimum integer,
  current_multiple integer, order_number bigint, purchase shop.purchase
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  placed record;
  new_order uuid := uuidv7();
BEGIN
  SELECT * INTO placed FROM jsonb_to_record(request) AS one (buyer uuid, name text, email text, address text,
    phone text, contact text, po_number text, note text, actor text, exact boolean, lines jsonb);
  PERFORM FROM shop.product
  WHERE id IN (SELECT (line->>'product')::uuid FROM jsonb_array_elements(placed.lines) line)
  ORDER BY id FOR NO KEY UPDATE;
  -- for the audit log, which triggers write
  PERFORM set_config('stator.actor', placed.actor, true);
  RETURN QUERY
  WITH priced AS MATERIALIZED (
    SELECT line.*, p.id AS found, p.archived_at, p.name, p.picture, p.item_number, p.quantity AS stock,
      p.minimum_order, p.order_multiple,
      shop.unit_price_cents(p.price_cents, p.price_breaks, line.quantity) AS unit_cents
    FROM (
      -- a quantity that no product can have is refused below, and must not overflow here
      SELECT index, product, greatest(0, least(quantity, 2147483647))::integer AS quantity, price_cents, total_cents
      FROM jsonb_to_recordset(placed.lines)
        AS asked (index integer, product uuid, quantity bigint, price_cents bigint, total_cents bigint)
    ) AS line
    LEFT JOIN shop.product p ON p.id = line.product
  ), judged AS MATERIALIZED (
    SELECT *, CASE
      WHEN found IS NULL THEN 'unknown'
      WHEN archived_at IS NOT NULL THEN 'archived'
      WHEN quantity < minimum_order THEN 'below_minimum'
      WHEN sum(quantity) OVER (PARTITION BY product) > stock THEN 'above_stock'
      WHEN quantity % order_multiple <> 0 THEN 'not_a_multiple'
      WHEN price_cents < unit_cents OR (placed.exact AND price_cents <> unit_cents) THEN 'price_changed'
      WHEN total_cents <> unit_cents * quantity THEN 'total_changed'
      WHEN unit_cents * quantity > largest THEN 'total_too_high'
      WHEN unit_cents * quantity < smallest THEN 'total_too_low'
      WHEN sum(unit_cents * quantity) OVER () > largest THEN 'order_too_high'
    END AS code
    FROM priced
  ), header AS (
    INSERT INTO shop.order (id, user_id, po_number, contact, note)
    SELECT new_order, placed.buyer, coalesce(placed.po_number, ''), coalesce(placed.contact, ''),
      coalesce(placed.note, '')
    WHERE NOT EXISTS (SELECT FROM judged WHERE code IS NOT NULL)
    RETURNING number
  ), stock AS (
    UPDATE shop.product SET quantity = product.quantity - taken.pieces
    FROM (SELECT product, sum(quantity)::integer AS pieces FROM judged, header GROUP BY product) AS taken
    WHERE product.id = taken.product
  ), bought AS (
    INSERT INTO shop.purchase AS line (order_id, line_number, user_id, product_id, name, email, address, phone,
      product_name, picture, item_number, quantity, price_cents)
    SELECT new_order, row_number() OVER (ORDER BY index), placed.buyer, product, placed.name, placed.email,
      placed.address, placed.phone, judged.name, picture, item_number, quantity, unit_cents
    FROM judged, header ORDER BY index
    RETURNING line.*
  ), movement AS (
    INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
    SELECT product_id, -quantity, 'sold', id FROM bought
  )
  SELECT code, index, unit_cents, stock, minimum_order, order_multiple, NULL::bigint, NULL::shop.purchase
  FROM judged WHERE code IS NOT NULL
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, number, bought::shop.purchase FROM bought, header;
  PERFORM shop.queue_order_email('Placed', new_order, array_agg(id)) FROM shop.purchase
  WHERE order_id = new_order HAVING count(*) > 0;
END $$;
