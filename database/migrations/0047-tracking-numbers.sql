-- Purchases are searched by tracking number.
CREATE INDEX shipment_tracking_idx ON shop.shipment USING gin (tracking_number gin_trgm_ops);
