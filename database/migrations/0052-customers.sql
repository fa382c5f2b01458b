-- What the owner's desk needs: figures of customers, notes of admins, saved views of lists.

-- The figures of a customer, kept by triggers: a list sorted by them must not add up all orders. Cancelled lines count
-- for nothing. The order is the newest by its id, which grows with time; of a customer without orders, the lowest id.
CREATE TABLE shop.customer (
  user_id uuid PRIMARY KEY REFERENCES shop.user,
  orders integer NOT NULL DEFAULT 0 CHECK (orders >= 0),
  -- paid, less what was refunded
  revenue_cents bigint NOT NULL DEFAULT 0 CHECK (revenue_cents >= 0),
  last_order_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
) WITH (fillfactor = 80);

INSERT INTO shop.customer (user_id, orders, revenue_cents, last_order_id)
SELECT u.id, count(DISTINCT order_id),
  coalesce(sum(total_cents - refunded_cents) FILTER (WHERE p.status <> 'unpaid'), 0),
  coalesce((array_agg(order_id ORDER BY order_id DESC))[1], '00000000-0000-0000-0000-000000000000')
FROM shop.user u LEFT JOIN shop.purchase p ON p.user_id = u.id AND p.cancelled_at IS NULL GROUP BY u.id;

CREATE FUNCTION shop.add_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shop.customer (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER add_customer AFTER INSERT ON shop.user FOR EACH ROW EXECUTE FUNCTION shop.add_customer();

-- All lines of an order are inserted by one statement.
CREATE FUNCTION shop.count_placed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop.customer SET orders = orders + placed.count, revenue_cents = revenue_cents + placed.cents,
    last_order_id = greatest(last_order_id, placed.last)
  FROM (
    SELECT user_id, count(DISTINCT order_id), (array_agg(order_id ORDER BY order_id DESC))[1] AS last,
      coalesce(sum(total_cents - refunded_cents) FILTER (WHERE status <> 'unpaid'), 0) AS cents
    FROM added WHERE cancelled_at IS NULL GROUP BY user_id
  ) AS placed
  WHERE customer.user_id = placed.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_placed AFTER INSERT ON shop.purchase
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shop.count_placed();

-- Customers are locked after purchases and products: every statement that changes these ends with this trigger.
CREATE FUNCTION shop.count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched uuid[];
BEGIN
  UPDATE shop.customer SET revenue_cents = revenue_cents + change.cents
  FROM (
    SELECT user_id, sum(cents) AS cents FROM (
      SELECT user_id, total_cents - refunded_cents AS cents FROM changed WHERE status <> 'unpaid'
      UNION ALL SELECT user_id, refunded_cents - total_cents FROM previous WHERE status <> 'unpaid'
    ) AS revenue GROUP BY user_id HAVING sum(cents) <> 0
  ) AS change
  WHERE customer.user_id = change.user_id;
  SELECT array_agg(DISTINCT changed.order_id) INTO touched FROM changed JOIN previous USING (id)
  WHERE changed.cancelled_at IS NOT NULL AND previous.cancelled_at IS NULL;
  IF touched IS NOT NULL THEN
    -- of two statements that cancel the last lines of an order at once, the second sees what the first has cancelled
    PERFORM FROM shop.customer WHERE user_id IN (SELECT user_id FROM changed) ORDER BY user_id FOR NO KEY UPDATE;
    UPDATE shop.customer SET orders = orders - gone.count, last_order_id = coalesce(
      (SELECT order_id FROM shop.purchase p WHERE p.user_id = gone.user_id AND cancelled_at IS NULL ORDER BY id DESC LIMIT 1),
      '00000000-0000-0000-0000-000000000000')
    FROM (
      SELECT user_id, count(*) FROM shop.order o
      WHERE id = ANY (touched) AND NOT EXISTS (
        SELECT FROM shop.purchase WHERE order_id = o.id AND cancelled_at IS NULL
      ) GROUP BY user_id
    ) AS gone
    WHERE customer.user_id = gone.user_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_changed AFTER UPDATE ON shop.purchase
  REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION shop.count_changed();

-- What admins write about an order or a customer for each other; buyers never see it.
CREATE TABLE shop.note (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  order_id uuid REFERENCES shop.order,
  customer_id uuid REFERENCES shop.user,
  author_id uuid NOT NULL REFERENCES shop.user,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  written_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(order_id, customer_id) = 1)
);
CREATE INDEX note_order_idx ON shop.note (order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX note_customer_idx ON shop.note (customer_id, id) WHERE customer_id IS NOT NULL;

-- The audit log records that there was a note, and not its text, which is deleted with the customer's account.
CREATE FUNCTION shop.remember_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  note shop.note := CASE WHEN TG_OP = 'INSERT' THEN NEW ELSE OLD END;
  about jsonb := jsonb_strip_nulls(jsonb_build_object('order_id', note.order_id, 'customer_id', note.customer_id));
BEGIN
  PERFORM shop.remember(CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'deleted' END, 'note', note.id::text, NULL,
    CASE TG_OP WHEN 'DELETE' THEN about END, CASE TG_OP WHEN 'INSERT' THEN about END);
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR DELETE ON shop.note
  FOR EACH ROW EXECUTE FUNCTION shop.remember_note();
DO $$ BEGIN
  EXECUTE format(
    'ALTER TABLE shop.event DROP CONSTRAINT event_subject_check, ADD CONSTRAINT event_subject_check CHECK (subject = %L OR %s)',
    'note', (SELECT substring(pg_get_constraintdef(oid) FROM '^CHECK (.*)$') FROM pg_constraint
      WHERE conrelid = 'shop.event'::regclass AND conname = 'event_subject_check'));
END $$;

CREATE INDEX review_user_idx ON shop.review (user_id, id);

-- The address of a list, with its filters, order and columns, that an admin keeps under a name.
CREATE TABLE shop.saved_view (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES shop.user,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  query text NOT NULL CHECK (length(query) <= 1000),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_view_name_idx ON shop.saved_view (user_id, shop.name_key(name));

CREATE FUNCTION shop.forget_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM shop.note WHERE customer_id = NEW.id OR order_id IN (SELECT id FROM shop.order WHERE user_id = NEW.id);
  DELETE FROM shop.saved_view WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_notes AFTER UPDATE OF deleted_at ON shop.user
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION shop.forget_notes();

-- Manage All Orders: by date, and the numbers by status, which are read from this index alone.
CREATE INDEX purchase_placed_idx ON shop.purchase (placed_at)
  INCLUDE (status, total_cents, refunded_cents, restock_at) WHERE cancelled_at IS NULL;
