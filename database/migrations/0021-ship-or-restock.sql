-- An order is shipped or its items are restocked instead, never both; a shipment can be undone for a moment; and the
-- audit log records where an order was to be sent.

-- When a refund that restocks the items was written down, whether or not it has been made yet. It is a column of the
-- order, so that shipping and refunding meet on one row: the second of two waits for the first and sees what it did.
ALTER TABLE shop.purchase ADD COLUMN restock_at timestamptz;
UPDATE shop.purchase SET restock_at = refund.asked_at
FROM shop.refund
WHERE refund.purchase_id = purchase.id AND refund.return_to_stock AND refund.status <> 'refused'
  -- the reconciliation reports those that were shipped all the same
  AND (purchase.shipped_at IS NULL OR purchase.shipped_at < refund.asked_at);
ALTER TABLE shop.purchase
  ADD CONSTRAINT purchase_restock_paid_check CHECK (restock_at IS NULL OR status <> 'unpaid'),
  ADD CONSTRAINT purchase_shipped_or_restocked_check CHECK (shipped_at < restock_at);

-- The audit log keeps a digest of name, address and phone instead of personal data. The salt is deleted together with
-- them, after which the digest of a deleted account can no longer be checked against guesses.
ALTER TABLE shop.purchase ADD COLUMN ship_to_salt uuid;
ALTER TABLE shop.purchase ALTER COLUMN ship_to_salt SET DEFAULT gen_random_uuid();

CREATE FUNCTION shop.ship_to_digest(purchase shop.purchase) RETURNS text LANGUAGE sql STABLE
RETURN encode(sha256(convert_to(
  jsonb_build_array(purchase.ship_to_salt, purchase.name, purchase.address, purchase.phone)::text, 'UTF8')), 'hex');

CREATE FUNCTION shop.forget_ship_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ship_to_salt := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_ship_to BEFORE UPDATE ON shop.purchase
  FOR EACH ROW WHEN (NEW.address = 'Deleted' AND OLD.address <> 'Deleted')
  EXECUTE FUNCTION shop.forget_ship_to();

CREATE OR REPLACE FUNCTION shop.remember_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember('placed', 'purchase', NEW.id::text, NEW.id, NULL, jsonb_build_object(
      'product_id', NEW.product_id, 'product_name', NEW.product_name, 'quantity', NEW.quantity,
      'price_cents', NEW.price_cents, 'total_cents', NEW.total_cents, 'status', NEW.status,
      'user_id', NEW.user_id, 'ship_to_digest', shop.ship_to_digest(NEW)));
  ELSIF NEW.cancelled_at IS NOT NULL AND OLD.cancelled_at IS NULL THEN
    PERFORM shop.remember(CASE NEW.cancelled_because WHEN 'expired' THEN 'expired' ELSE 'cancelled' END,
      'purchase', NEW.id::text, NEW.id, jsonb_build_object('status', OLD.status),
      jsonb_build_object('status', 'cancelled', 'cancelled_because', NEW.cancelled_because));
  ELSIF OLD.status = 'shipped' AND NEW.status = 'paid' THEN
    PERFORM shop.remember('shipment undone', 'purchase', NEW.id::text, NEW.id,
      jsonb_build_object('status', OLD.status), jsonb_build_object('status', NEW.status));
  ELSIF NEW.status <> OLD.status THEN
    PERFORM shop.remember(NEW.status, 'purchase', NEW.id::text, NEW.id, jsonb_build_object('status', OLD.status),
      jsonb_build_object('status', NEW.status, 'transaction_id', NEW.transaction_id));
  ELSIF NEW.returned_at IS NOT NULL AND OLD.returned_at IS NULL THEN
    PERFORM shop.remember('returned', 'purchase', NEW.id::text, NEW.id, NULL,
      jsonb_build_object('quantity', NEW.quantity));
  END IF;
  RETURN NULL;
END $$;
