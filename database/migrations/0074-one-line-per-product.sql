-- place_order compares each line with the whole stock, so several lines of one product could take more than there is.
-- The store adds them up before.
CREATE FUNCTION shop.refuse_repeated_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added GROUP BY order_id, product_id HAVING count(*) > 1) THEN
    RAISE EXCEPTION 'an order has one line per product' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_repeated_products AFTER INSERT ON shop.purchase
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_repeated_products();
