-- The poll no longer waits for the page of a payment that it found succeeded.
ALTER TABLE shop.payment DROP COLUMN seen_at;
