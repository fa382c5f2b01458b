-- As in migration 0041; a line whose `seen` pieces are not those shipped so far is refused: two admins who ship the same
-- part of a line would record it twice.
CREATE OR REPLACE FUNCTION shop.ship(
  shipped_order uuid, lines jsonb, carrier text, tracking_number text, tracking_url text, actor text,
  email_at timestamptz
)
RETURNS TABLE (shipment_id uuid, unfit uuid, pieces_left integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  shipment uuid := uuidv7();
  single uuid;
BEGIN
  PERFORM set_config('stator.actor', actor, true);
  PERFORM FROM shop.purchase WHERE id IN (SELECT (line->>'purchase')::uuid FROM jsonb_array_elements(lines) line)
  ORDER BY id FOR NO KEY UPDATE;
  SELECT line.purchase, p.quantity - p.shipped_pieces INTO unfit, pieces_left
  FROM jsonb_to_recordset(lines) AS line (purchase uuid, pieces integer, seen integer)
  LEFT JOIN shop.purchase p ON p.id = line.purchase AND p.order_id = shipped_order
  WHERE (p.cancelled_at IS NULL AND p.status = 'paid' AND p.refunded_cents < p.total_cents AND p.restock_at IS NULL
    AND coalesce(line.pieces, 1) BETWEEN 1 AND p.quantity - p.shipped_pieces
    AND coalesce(line.seen, p.shipped_pieces) = p.shipped_pieces) IS NOT TRUE
  LIMIT 1;
  IF unfit IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  INSERT INTO shop.shipment (id, order_id, carrier, tracking_number, tracking_url)
  VALUES (shipment, shipped_order, carrier, tracking_number, tracking_url);
  INSERT INTO shop.shipment_line (shipment_id, purchase_id, pieces)
  SELECT shipment, p.id, coalesce(line.pieces, p.quantity - p.shipped_pieces)
  FROM jsonb_to_recordset(lines) AS line (purchase uuid, pieces integer) JOIN shop.purchase p ON p.id = line.purchase;
  UPDATE shop.purchase p SET shipped_pieces = p.shipped_pieces + line.pieces,
    status = CASE WHEN p.shipped_pieces + line.pieces = p.quantity THEN 'shipped' ELSE p.status END,
    shipped_at = CASE WHEN p.shipped_pieces + line.pieces = p.quantity THEN now() END
  FROM shop.shipment_line line WHERE line.shipment_id = shipment AND p.id = line.purchase_id;
  -- an order of one line that is shipped at once has the email of a single purchase
  SELECT line.purchase_id INTO single FROM shop.shipment_line line JOIN shop.purchase p ON p.id = line.purchase_id
  WHERE line.shipment_id = shipment AND line.pieces = p.quantity
    AND NOT EXISTS (SELECT FROM shop.purchase other WHERE other.order_id = shipped_order AND other.id <> p.id);
  PERFORM shop.queue_email(
    CASE WHEN single IS NULL THEN json_build_object('mail', 'orderShipped', 'orderId', shipped_order, 'shipmentId', shipment)
      ELSE json_build_object('mail', 'purchaseShipped', 'purchaseId', single) END,
    'shipped-' || shipment, email_at);
  shipment_id := shipment;
  RETURN NEXT;
END $$;
