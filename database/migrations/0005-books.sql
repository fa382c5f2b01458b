-- The books: what went back to whom, and who changed what when.

-- How much of a paid purchase was promised back, whether its goods came back, and whether its buyer was told
-- that its time runs out.
ALTER TABLE shop.purchase
  ADD COLUMN refunded_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN returned_at timestamptz,
  ADD COLUMN reminded_at timestamptz,
  -- counts the payments that were opened, so that a cancel notices one that was opened beside it
  ADD COLUMN payments_opened integer NOT NULL DEFAULT 0,
  -- never more than was paid, whoever asks in whatever order
  ADD CONSTRAINT purchase_refunded_check CHECK (refunded_cents BETWEEN 0 AND total_cents),
  ADD CONSTRAINT purchase_refunded_paid_check CHECK (refunded_cents = 0 OR status <> 'unpaid'),
  ADD CONSTRAINT purchase_returned_paid_check CHECK (returned_at IS NULL OR status <> 'unpaid');

-- goods come back at most once too
DROP INDEX shop.stock_movement_once_idx;
CREATE UNIQUE INDEX stock_movement_once_idx ON shop.stock_movement (purchase_id, reason)
  WHERE purchase_id IS NOT NULL;

-- when the payment's secret was last handed out: its page may be open
ALTER TABLE shop.payment ADD COLUMN asked_at timestamptz NOT NULL DEFAULT now();

-- Money that goes back. It is written down as due before the provider is asked, and the id is the key under
-- which the provider is asked, so that neither a kill nor a second press pays twice or not at all.
CREATE TABLE shop.refund (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id text NOT NULL REFERENCES shop.payment,
  purchase_id uuid NOT NULL REFERENCES shop.purchase,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (reason <> ''),
  -- late: the money came for a purchase that was gone or paid already; admin: an admin gave it back;
  -- provider: it was given back at the provider's own desk, and found there
  origin text NOT NULL CHECK (origin IN ('late', 'admin', 'provider')),
  return_to_stock boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'due' CHECK (status IN ('due', 'done', 'refused')),
  provider_id text UNIQUE,
  asked_by uuid REFERENCES shop.user,
  asked_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  -- what the provider said against it, if it did
  problem text,
  CHECK ((status = 'done') = (done_at IS NOT NULL)),
  CHECK (status <> 'done' OR provider_id IS NOT NULL),
  CHECK (status <> 'refused' OR problem IS NOT NULL),
  CHECK ((origin = 'admin') = (asked_by IS NOT NULL)),
  CHECK (origin = 'admin' OR NOT return_to_stock)
);
CREATE UNIQUE INDEX refund_late_idx ON shop.refund (payment_id) WHERE origin = 'late';
CREATE UNIQUE INDEX refund_return_idx ON shop.refund (purchase_id) WHERE return_to_stock AND status <> 'refused';
CREATE INDEX refund_due_idx ON shop.refund (checked_at) WHERE status = 'due';
CREATE INDEX refund_purchase_idx ON shop.refund (purchase_id);

-- A call that was made under an idempotency key. Its answer is written in the transaction of its effect, or,
-- where the card provider is asked in between, by the very statement that decides; without an answer the call
-- is running until `held_until`, and is taken up again after that.
CREATE TABLE shop.request (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  person_id uuid NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  -- of the call and its input
  digest text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  held_until timestamptz NOT NULL,
  -- what the operation gave, as JSON
  answer text,
  UNIQUE (person_id, key)
);
CREATE INDEX request_started_idx ON shop.request (started_at);

-- History: who did what to which purchase, product, payment, refund or role; before and after, as far as it
-- changed. It names people by their id only, so that an account can be forgotten.
CREATE TABLE shop.event (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT now(),
  -- empty: the store itself
  who uuid,
  role text NOT NULL CHECK (role IN ('user', 'admin', 'system')),
  what text NOT NULL,
  subject text NOT NULL CHECK (subject IN ('purchase', 'product', 'payment', 'refund', 'user')),
  subject_id text NOT NULL,
  -- the purchase whose story this is part of
  purchase_id uuid,
  before jsonb,
  after jsonb,
  ip text,
  agent text,
  CHECK ((role = 'system') = (who IS NULL))
);
CREATE INDEX event_purchase_idx ON shop.event (purchase_id, id) WHERE purchase_id IS NOT NULL;
CREATE INDEX event_subject_idx ON shop.event (subject, subject_id, id);

-- The history is written by the tables themselves, in the statement of the change, so that no statement can
-- forget it. Who acts is told by that same statement, with set_config('stator.actor', …, true).
CREATE FUNCTION shop.remember(what text, subject text, subject_id text, purchase_id uuid, before jsonb, after jsonb)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO shop.event (who, role, what, subject, subject_id, purchase_id, before, after, ip, agent)
  SELECT (actor->>'who')::uuid, coalesce(actor->>'role', 'system'), $1, $2, $3, $4, $5, $6,
    actor->>'ip', actor->>'agent'
  FROM (SELECT nullif(current_setting('stator.actor', true), '')::jsonb AS actor) AS now_acting
$$;

-- The members of a row that another version of it has differently.
CREATE FUNCTION shop.differing(mine jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, value) FROM jsonb_each(mine) WHERE other->key IS DISTINCT FROM value
$$;

CREATE FUNCTION shop.remember_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember('placed', 'purchase', NEW.id::text, NEW.id, NULL, jsonb_build_object(
      'product_id', NEW.product_id, 'product_name', NEW.product_name, 'quantity', NEW.quantity,
      'price_cents', NEW.price_cents, 'total_cents', NEW.total_cents, 'status', NEW.status));
  ELSIF NEW.cancelled_at IS NOT NULL AND OLD.cancelled_at IS NULL THEN
    PERFORM shop.remember(CASE NEW.cancelled_because WHEN 'expired' THEN 'expired' ELSE 'cancelled' END,
      'purchase', NEW.id::text, NEW.id, jsonb_build_object('status', OLD.status),
      jsonb_build_object('status', 'cancelled', 'cancelled_because', NEW.cancelled_because));
  ELSIF NEW.status <> OLD.status THEN
    PERFORM shop.remember(NEW.status, 'purchase', NEW.id::text, NEW.id, jsonb_build_object('status', OLD.status),
      jsonb_build_object('status', NEW.status, 'transaction_id', NEW.transaction_id));
  ELSIF NEW.returned_at IS NOT NULL AND OLD.returned_at IS NULL THEN
    PERFORM shop.remember('returned', 'purchase', NEW.id::text, NEW.id, NULL,
      jsonb_build_object('quantity', NEW.quantity));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF status, cancelled_at, returned_at ON shop.purchase
  FOR EACH ROW EXECUTE FUNCTION shop.remember_purchase();

CREATE FUNCTION shop.remember_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) END;
  new_row jsonb := to_jsonb(NEW);
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember('added', 'product', NEW.id::text, NULL, NULL, jsonb_strip_nulls(new_row - 'id'));
  ELSIF (old_row - 'quantity') <> (new_row - 'quantity') THEN
    PERFORM shop.remember(
      CASE WHEN NEW.archived_at IS NOT NULL AND OLD.archived_at IS NULL THEN 'deleted'
           WHEN NEW.archived_at IS NULL AND OLD.archived_at IS NOT NULL THEN 'restored' ELSE 'edited' END,
      'product', NEW.id::text, NULL, shop.differing(old_row, new_row), shop.differing(new_row, old_row));
  END IF;
  RETURN NULL;
END $$;
-- a sale changes the quantity alone; that is in the ledger
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF name, picture, price_cents, minimum_order, description,
    item_number, category, key_fact, power_source, technical_data, drawn_box, dimensions, version, archived_at
  ON shop.product FOR EACH ROW EXECUTE FUNCTION shop.remember_product();

CREATE FUNCTION shop.remember_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.remember('role changed', 'user', NEW.id::text, NULL,
    jsonb_build_object('role', OLD.role), jsonb_build_object('role', NEW.role));
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER UPDATE OF role ON shop.user
  FOR EACH ROW WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION shop.remember_role();

CREATE FUNCTION shop.remember_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember('opened', 'payment', NEW.id, NEW.purchase_id, NULL,
      jsonb_build_object('amount_cents', NEW.amount_cents, 'status', NEW.status));
  ELSIF NEW.status <> OLD.status OR NEW.purchase_id <> OLD.purchase_id THEN
    PERFORM shop.remember(CASE WHEN NEW.status = OLD.status THEN 'assigned' ELSE NEW.status END,
      'payment', NEW.id, NEW.purchase_id,
      jsonb_build_object('status', OLD.status, 'purchase_id', OLD.purchase_id),
      jsonb_build_object('status', NEW.status, 'purchase_id', NEW.purchase_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF status, purchase_id ON shop.payment
  FOR EACH ROW EXECUTE FUNCTION shop.remember_payment();

CREATE FUNCTION shop.remember_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember(CASE NEW.status WHEN 'due' THEN 'asked' ELSE NEW.status END, 'refund', NEW.id::text,
      NEW.purchase_id, NULL, jsonb_build_object('amount_cents', NEW.amount_cents, 'reason', NEW.reason,
        'payment_id', NEW.payment_id, 'origin', NEW.origin, 'return_to_stock', NEW.return_to_stock));
  ELSIF NEW.status <> OLD.status THEN
    PERFORM shop.remember(NEW.status, 'refund', NEW.id::text, NEW.purchase_id,
      jsonb_build_object('status', OLD.status),
      jsonb_strip_nulls(jsonb_build_object('status', NEW.status, 'amount_cents', NEW.amount_cents,
        'provider_id', NEW.provider_id, 'problem', NEW.problem)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR UPDATE OF status ON shop.refund
  FOR EACH ROW EXECUTE FUNCTION shop.remember_refund();

-- History and ledger only grow. The trigger holds for every role, also for the owner of the tables.
CREATE FUNCTION shop.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows; % is refused', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.event
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.stock_movement
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();
REVOKE UPDATE, DELETE, TRUNCATE ON shop.event, shop.stock_movement FROM PUBLIC, CURRENT_USER;

-- Cents as people read them, for the words of the doctor.
CREATE FUNCTION shop.dollars(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE
RETURN '$' || to_char(coalesce(cents, 0) / 100.0, 'FM999,999,999,990.00');
