-- A refund made in the provider's dashboard may include refunds that failed before, also of a line of which it refunds
-- the rest: then several refunds of the line have its id. Those that it repeats are further attempts.
ALTER TABLE shop.refund DROP CONSTRAINT refund_provider_id_key;
CREATE UNIQUE INDEX refund_provider_id_key ON shop.refund (provider_id, purchase_id)
WHERE origin = 'provider' AND attempt = 1;
CREATE INDEX refund_provider_id_idx ON shop.refund (provider_id);
