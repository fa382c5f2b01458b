-- Payments with an open dispute are looked up every quarter of an hour, and there are hardly any among a million. Writes
-- wait for moments while the index is built.
CREATE INDEX payment_disputed_idx ON shop.payment (disputed_at) WHERE disputed_at IS NOT NULL;
