-- Who left: name and address of a delivery go as soon as it will not be sent, and not only when it was.

-- Whether a parcel may still be sent: it waits for its money or its turn (TO_SHIP in shop/purchases/stands.ts), or all
-- of the money was promised back and the card provider may yet refuse that.
CREATE FUNCTION shop.may_be_sent(purchase shop.purchase) RETURNS boolean LANGUAGE sql STABLE
RETURN purchase.cancelled_at IS NULL AND purchase.status <> 'shipped' AND purchase.returned_at IS NULL
  AND (purchase.refunded_cents < purchase.total_cents
    OR EXISTS (SELECT FROM shop.refund WHERE refund.purchase_id = purchase.id AND refund.status = 'due'));

DROP TRIGGER forget_buyer ON shop.purchase;
CREATE TRIGGER forget_buyer BEFORE UPDATE OF status, cancelled_at, returned_at ON shop.purchase
  FOR EACH ROW WHEN ((NEW.status = 'shipped' AND OLD.status <> 'shipped')
    OR (NEW.cancelled_at IS NOT NULL AND OLD.cancelled_at IS NULL)
    OR (NEW.returned_at IS NOT NULL AND OLD.returned_at IS NULL))
  EXECUTE FUNCTION shop.forget_buyer();

-- The purchase is locked first: an account that is deleted in this moment has seen the refund made, or is seen here.
CREATE FUNCTION shop.forget_refunded_buyer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM id FROM shop.purchase WHERE id = NEW.purchase_id FOR NO KEY UPDATE;
  UPDATE shop.purchase SET name = 'Deleted account', address = 'Deleted', phone = ''
  FROM shop.user buyer
  WHERE purchase.id = NEW.purchase_id AND buyer.id = purchase.user_id AND buyer.deleted_at IS NOT NULL
    AND NOT shop.may_be_sent(purchase);
  RETURN NULL;
END $$;
CREATE TRIGGER forget_buyer AFTER INSERT OR UPDATE OF status ON shop.refund
  FOR EACH ROW WHEN (NEW.status <> 'due') EXECUTE FUNCTION shop.forget_refunded_buyer();

-- those that were kept until now
UPDATE shop.purchase SET name = 'Deleted account', address = 'Deleted', phone = ''
FROM shop.user buyer
WHERE buyer.id = purchase.user_id AND buyer.deleted_at IS NOT NULL AND purchase.address <> 'Deleted'
  AND NOT shop.may_be_sent(purchase);
