-- The shipping clock, and the list that it leads to, page by page: two orders may be paid at one instant.
CREATE INDEX purchase_waiting_longest_idx ON shop.purchase (paid_at, id) WHERE status = 'paid';
DROP INDEX shop.purchase_waiting_idx;
