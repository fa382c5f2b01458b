-- The cart of an account, and finding products by what a buyer types.

CREATE TABLE shop.cart (
  user_id uuid PRIMARY KEY REFERENCES shop.user ON DELETE CASCADE,
  -- of the last change; a write that names an older one is refused
  version bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- The positions limit a cart to 5,000 lines.
CREATE TABLE shop.cart_line (
  user_id uuid NOT NULL REFERENCES shop.cart ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES shop.product,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 5000),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000000),
  -- per piece, as shown when the line was added
  price_cents bigint CHECK (price_cents BETWEEN 1 AND 99999999),
  PRIMARY KEY (user_id, product_id),
  CONSTRAINT cart_line_position_key UNIQUE (user_id, position) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX cart_line_product_idx ON shop.cart_line (product_id);

-- An item number with O and 0, and I and 1, taken for each other.
CREATE FUNCTION shop.item_lookalike(item_number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(shop.item_key(item_number), 'OI', '01') COLLATE "C";

CREATE FUNCTION shop.name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(regexp_replace(btrim(name), '\s+', ' ', 'g') COLLATE "pg_c_utf8") COLLATE "C";

CREATE INDEX product_lookalike_idx ON shop.product (shop.item_lookalike(item_number)) WHERE item_number IS NOT NULL;
CREATE INDEX product_name_key_idx ON shop.product (shop.name_key(name)) WHERE archived_at IS NULL;
ANALYZE shop.product;
