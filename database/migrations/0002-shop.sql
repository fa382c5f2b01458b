-- The business: what the store sells, to whom, and what became of it.
-- Money is whole cents, quantities are whole pieces, and what must never be is refused here as well.
CREATE SCHEMA shop;

-- A user is made the first time someone signed in asks for an access token; the id is the identity's own.
CREATE TABLE shop.user (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email) AND email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  name text NOT NULL CHECK (name <> ''),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  education text,
  location text,
  phone text,
  linkedin text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX user_email_key ON shop.user (email);

CREATE TABLE shop.product (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL CHECK (name <> ''),
  picture text NOT NULL CHECK (picture ~ '^(https?://|/[^/\\])'),
  price_cents bigint NOT NULL CHECK (price_cents BETWEEN 1 AND 99999999),
  quantity integer NOT NULL CHECK (quantity >= 0),
  minimum_order integer NOT NULL CHECK (minimum_order >= 1),
  description text NOT NULL CHECK (description <> ''),
  item_number text UNIQUE,
  category text,
  key_fact text,
  power_source text,
  technical_data jsonb,
  drawn_box jsonb,
  dimensions jsonb,
  -- counts the edits, so that of two admins who edit at once the second one is told
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz
);
-- identities grow with time, so a list in order of arrival is a list by id
CREATE INDEX product_on_sale_idx ON shop.product (id) WHERE archived_at IS NULL;
CREATE INDEX product_name_idx ON shop.product (name) WHERE archived_at IS NULL;

-- A purchase keeps its own copy of what was bought. A cancelled one is kept, and hidden.
-- A card payment is from 50 cents to 999,999.99 dollars, so a purchase is too.
CREATE TABLE shop.purchase (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES shop.user,
  product_id uuid NOT NULL REFERENCES shop.product,
  name text NOT NULL,
  email text NOT NULL,
  address text NOT NULL CHECK (address <> ''),
  phone text NOT NULL DEFAULT '',
  product_name text NOT NULL,
  picture text NOT NULL,
  item_number text,
  quantity integer NOT NULL CHECK (quantity > 0),
  price_cents bigint NOT NULL CHECK (price_cents > 0),
  total_cents bigint NOT NULL GENERATED ALWAYS AS (price_cents * quantity) STORED
    CHECK (total_cents BETWEEN 50 AND 99999999),
  status text NOT NULL DEFAULT 'unpaid' CHECK (status IN ('unpaid', 'paid', 'shipped')),
  transaction_id text UNIQUE,
  placed_at timestamptz NOT NULL DEFAULT now(),
  paid_at timestamptz,
  shipped_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by uuid REFERENCES shop.user,
  cancelled_because text CHECK (cancelled_because IN ('buyer', 'admin', 'expired')),
  CHECK ((status <> 'unpaid') = (transaction_id IS NOT NULL AND paid_at IS NOT NULL)),
  CHECK ((status = 'shipped') = (shipped_at IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (cancelled_because IS NULL)),
  CHECK (cancelled_at IS NULL OR status = 'unpaid')
);
CREATE INDEX purchase_newest_idx ON shop.purchase (id DESC) WHERE cancelled_at IS NULL;
CREATE INDEX purchase_user_idx ON shop.purchase (user_id, id DESC) WHERE cancelled_at IS NULL;
CREATE INDEX purchase_status_idx ON shop.purchase (status, id DESC) WHERE cancelled_at IS NULL;
CREATE INDEX purchase_unpaid_idx ON shop.purchase (placed_at) WHERE status = 'unpaid' AND cancelled_at IS NULL;
CREATE INDEX purchase_product_idx ON shop.purchase (product_id);

-- Every change of a product's stock. The movements of a product add up to its quantity, always.
CREATE TABLE shop.stock_movement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES shop.product,
  pieces integer NOT NULL CHECK (pieces <> 0),
  reason text NOT NULL CHECK (reason IN ('received', 'sold', 'cancelled', 'corrected', 'returned')),
  purchase_id uuid REFERENCES shop.purchase,
  moved_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((reason IN ('sold', 'cancelled', 'returned')) = (purchase_id IS NOT NULL)),
  CHECK (reason <> 'sold' OR pieces < 0),
  CHECK (reason NOT IN ('received', 'cancelled', 'returned') OR pieces > 0)
);
CREATE INDEX stock_movement_product_idx ON shop.stock_movement (product_id);
-- a purchase takes its stock once and gives it back at most once
CREATE UNIQUE INDEX stock_movement_once_idx ON shop.stock_movement (purchase_id, reason)
  WHERE reason IN ('sold', 'cancelled');

-- A card payment at the provider; the id is the provider's.
CREATE TABLE shop.payment (
  id text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES shop.user,
  purchase_id uuid NOT NULL REFERENCES shop.purchase,
  -- opened by its total alone: until it is settled, the page may still say which purchase of that total it pays
  loose boolean NOT NULL DEFAULT false,
  -- when a loose one was first found succeeded; the page then has a moment to speak
  seen_at timestamptz,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'succeeded', 'cancelled', 'refund_due', 'refunded')),
  opened_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  refund_id text,
  CHECK ((status IN ('open', 'cancelled')) = (settled_at IS NULL)),
  CHECK ((status = 'refunded') = (refund_id IS NOT NULL))
);
CREATE UNIQUE INDEX payment_open_idx ON shop.payment (purchase_id) WHERE status = 'open';
CREATE UNIQUE INDEX payment_succeeded_idx ON shop.payment (purchase_id) WHERE status = 'succeeded';
CREATE INDEX payment_unfinished_idx ON shop.payment (checked_at) WHERE status IN ('open', 'refund_due');

CREATE TABLE shop.review (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid REFERENCES shop.user,
  name text NOT NULL CHECK (name <> ''),
  rating numeric(3, 2) NOT NULL CHECK (rating BETWEEN 1 AND 5),
  description text NOT NULL CHECK (description <> ''),
  written_at timestamptz NOT NULL DEFAULT now()
);
