-- The overview asks for open disputes each time, and there are hardly any among a million purchases.
CREATE INDEX purchase_disputed_idx ON shop.purchase (disputed_at) WHERE disputed_at IS NOT NULL;
