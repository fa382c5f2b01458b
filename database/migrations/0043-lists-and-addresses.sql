-- The address book and the saved lists of an account. The positions limit both to 100 for each account.

CREATE TABLE shop.address (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES shop.user ON DELETE CASCADE,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 100),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 500),
  contact text NOT NULL DEFAULT '' CHECK (length(contact) <= 120),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 40),
  CONSTRAINT address_position_key UNIQUE (user_id, position)
);

CREATE TABLE shop.saved_list (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES shop.user ON DELETE CASCADE,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 100),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  -- of the last change; a write that names an older one is refused
  version bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT saved_list_position_key UNIQUE (user_id, position)
);

-- The positions limit a list to 5,000 lines.
CREATE TABLE shop.saved_list_line (
  list_id uuid NOT NULL REFERENCES shop.saved_list ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES shop.product,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 5000),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000000),
  PRIMARY KEY (list_id, product_id),
  CONSTRAINT saved_list_line_position_key UNIQUE (list_id, position) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX saved_list_line_product_idx ON shop.saved_list_line (product_id);
