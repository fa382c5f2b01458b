-- The price at the minimum order when a line was placed: an order says what its price breaks saved. Earlier lines have
-- none, since the price of today may not be the one of their day. The product is locked by place_order.
ALTER TABLE shop.purchase
  ADD COLUMN list_price_cents bigint,
  ADD CONSTRAINT purchase_list_price_check CHECK (list_price_cents >= price_cents);

CREATE FUNCTION shop.set_list_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.list_price_cents := (SELECT price_cents FROM shop.product WHERE id = NEW.product_id);
  RETURN NEW;
END $$;
CREATE TRIGGER set_list_price BEFORE INSERT ON shop.purchase FOR EACH ROW EXECUTE FUNCTION shop.set_list_price();
