-- Running the store: finding one order among many, and the figures of the overview.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What an admin may type to find a purchase, a product or a user. The indexes below know these same words.
CREATE FUNCTION shop.purchase_words(
  name text, email text, product_name text, item_number text, transaction_id text, id uuid
) RETURNS text IMMUTABLE PARALLEL SAFE
RETURN name || ' ' || email || ' ' || product_name || ' ' || coalesce(item_number, '') || ' '
  || coalesce(transaction_id, '') || ' ' || id::text;

CREATE FUNCTION shop.product_words(name text, item_number text, category text) RETURNS text IMMUTABLE PARALLEL SAFE
RETURN name || ' ' || coalesce(item_number, '') || ' ' || coalesce(category, '');

CREATE INDEX purchase_words_idx ON shop.purchase USING gin
  (shop.purchase_words(name, email, product_name, item_number, transaction_id, id) gin_trgm_ops)
  WHERE cancelled_at IS NULL;
CREATE INDEX user_words_idx ON shop.user USING gin ((name || ' ' || email) gin_trgm_ops);

CREATE INDEX purchase_total_idx ON shop.purchase (total_cents DESC, id DESC) WHERE cancelled_at IS NULL;

-- revenue and pieces sold are read from this index alone
CREATE INDEX purchase_paid_idx ON shop.purchase (paid_at) INCLUDE (total_cents, refunded_cents, quantity, product_id)
  WHERE paid_at IS NOT NULL;
CREATE INDEX purchase_shipped_idx ON shop.purchase (shipped_at) INCLUDE (paid_at) WHERE shipped_at IS NOT NULL;
-- the shipping clock: who has waited longest
CREATE INDEX purchase_waiting_idx ON shop.purchase (paid_at) WHERE status = 'paid';
