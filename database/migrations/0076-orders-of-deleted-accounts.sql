-- An order that was on its way while its account was deleted is not placed: it would keep the email address for good.
-- Locks the buyer after the products, as the foreign key does.
CREATE FUNCTION shop.skip_order_of_deleted_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM shop.user WHERE id = NEW.user_id AND deleted_at IS NULL FOR KEY SHARE;
  RETURN CASE WHEN FOUND THEN NEW END;
END $$;
CREATE TRIGGER skip_order_of_deleted_account BEFORE INSERT ON shop.order
  FOR EACH ROW EXECUTE FUNCTION shop.skip_order_of_deleted_account();
