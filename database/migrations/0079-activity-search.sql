-- Searches of admins by a rare word, in a million reviews and five million security events.

CREATE INDEX review_words_idx ON shop.review USING gin ((name || ' ' || description) gin_trgm_ops);
CREATE INDEX review_hidden_idx ON shop.review (id) WHERE hidden_at IS NOT NULL;

-- Few texts differ among the security events: what a word can mean is looked up among these first (decision 67).
CREATE FUNCTION identity.activity_words(what text, detail text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN what || ' ' || coalesce(detail, '');
CREATE INDEX account_event_words_idx ON identity.account_event (identity.activity_words(what, detail));
CREATE INDEX account_event_ip_idx ON identity.account_event (ip text_pattern_ops) WHERE ip IS NOT NULL;

ANALYZE shop.review, identity.account_event;
