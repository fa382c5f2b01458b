-- The audit log is the only page of a cancelled purchase, which is found there by its buyer and its tool (decision 67).
CREATE INDEX purchase_cancelled_words_idx ON shop.purchase USING gin
  (shop.purchase_words(name, email, product_name, item_number, transaction_id, id) gin_trgm_ops)
  WHERE cancelled_at IS NOT NULL;
