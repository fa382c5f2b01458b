-- The tracking number of a shipment can be corrected; the audit log has what it was before, for each of its lines.
CREATE FUNCTION shop.remember_tracking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.remember('tracking corrected', 'purchase', purchase_id::text, purchase_id,
    shop.differing(to_jsonb(OLD), to_jsonb(NEW)),
    shop.differing(to_jsonb(NEW), to_jsonb(OLD)) || jsonb_build_object('shipment_id', shipment_id))
  FROM shop.shipment_line WHERE shipment_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER UPDATE ON shop.shipment
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION shop.remember_tracking();
