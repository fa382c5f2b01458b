-- Searches and sortings of admins by an index, with a hundred thousand products and a million changes in the audit log.

CREATE INDEX product_words_idx ON shop.product USING gin (shop.product_words(name, item_number, category) gin_trgm_ops);
CREATE INDEX product_price_idx ON shop.product (price_cents DESC, id DESC) WHERE archived_at IS NULL;

-- What a word of a search can mean in the audit log is looked up first; the log has an index for each meaning.
CREATE INDEX event_who_idx ON shop.event (who, id) WHERE who IS NOT NULL;
CREATE INDEX event_what_idx ON shop.event (what, id);
CREATE INDEX event_reason_idx ON shop.event USING gin ((after->>'reason') gin_trgm_ops) WHERE after ? 'reason';
