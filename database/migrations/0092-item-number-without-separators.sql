-- Admins find "AG 125-14" also as "AG12514", like the catalogue and the cart.
CREATE OR REPLACE FUNCTION shop.product_words(name text, item_number text, category text) RETURNS text
IMMUTABLE PARALLEL SAFE
RETURN name || ' ' || coalesce(item_number, '') || ' ' || coalesce(shop.item_key(item_number), '') || ' '
  || coalesce(category, '');

REINDEX INDEX shop.product_words_idx;
