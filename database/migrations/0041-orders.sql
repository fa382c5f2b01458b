-- An order is what was placed together; its lines are purchases. A payment covers one or more purchases of one buyer,
-- and a shipment carries pieces of some lines of one order. Every purchase so far is an order of one line.

-- Its status is derived from its lines. Address and phone are on the lines, which a deleted account's data leaves with.
CREATE TABLE shop.order (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  number bigint NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY (START WITH 10001),
  user_id uuid NOT NULL REFERENCES shop.user,
  po_number text NOT NULL DEFAULT '' CHECK (length(po_number) <= 40),
  contact text NOT NULL DEFAULT '' CHECK (length(contact) <= 120),
  -- for the warehouse
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  placed_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE shop.purchase
  ADD COLUMN order_id uuid REFERENCES shop.order,
  ADD COLUMN line_number integer NOT NULL DEFAULT 1 CHECK (line_number BETWEEN 1 AND 5000),
  ADD COLUMN shipped_pieces integer NOT NULL DEFAULT 0;
INSERT INTO shop.order (id, user_id, placed_at) SELECT id, user_id, placed_at FROM shop.purchase ORDER BY placed_at, id;
UPDATE shop.purchase SET order_id = id, shipped_pieces = CASE WHEN status = 'shipped' THEN quantity ELSE 0 END;
ALTER TABLE shop.purchase
  ALTER COLUMN order_id SET NOT NULL,
  ALTER COLUMN line_number DROP DEFAULT,
  ADD CONSTRAINT purchase_line_key UNIQUE (order_id, line_number),
  -- a payment may cover several purchases
  DROP CONSTRAINT purchase_transaction_id_key,
  ADD CONSTRAINT purchase_shipped_pieces_check CHECK (shipped_pieces BETWEEN 0 AND quantity),
  ADD CONSTRAINT purchase_shipped_whole_check CHECK ((status = 'shipped') = (shipped_pieces = quantity)),
  ADD CONSTRAINT purchase_shipped_paid_check CHECK (shipped_pieces = 0 OR status <> 'unpaid');
CREATE INDEX purchase_transaction_idx ON shop.purchase (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX order_user_idx ON shop.order (user_id, id DESC);
CREATE INDEX order_words_idx ON shop.order USING gin ((number::text || ' ' || po_number) gin_trgm_ops);

-- Contact and note are deleted with the address of the last line.
CREATE FUNCTION shop.forget_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop.order o SET contact = '', note = ''
  WHERE o.id = NEW.order_id AND (o.contact, o.note) <> ('', '')
    AND NOT EXISTS (SELECT FROM shop.purchase WHERE order_id = o.id AND address <> 'Deleted');
  RETURN NULL;
END $$;
CREATE TRIGGER forget_order AFTER UPDATE ON shop.purchase
  FOR EACH ROW WHEN (NEW.address = 'Deleted' AND OLD.address <> 'Deleted') EXECUTE FUNCTION shop.forget_order();

-- What a payment covers. payment.purchase_id is the first of its purchases, under which its events are recorded.
CREATE TABLE shop.payment_purchase (
  payment_id text NOT NULL REFERENCES shop.payment,
  purchase_id uuid NOT NULL REFERENCES shop.purchase,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- as the payment's status; a column for the index
  is_open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (payment_id, purchase_id)
);
INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents, is_open)
SELECT id, purchase_id, amount_cents, status = 'open' FROM shop.payment;
CREATE UNIQUE INDEX payment_purchase_open_idx ON shop.payment_purchase (purchase_id) WHERE is_open;
CREATE INDEX payment_purchase_purchase_idx ON shop.payment_purchase (purchase_id);
DROP INDEX shop.payment_open_idx;
DROP INDEX shop.payment_succeeded_idx;
CREATE INDEX payment_purchase_idx ON shop.payment (purchase_id);

CREATE FUNCTION shop.close_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop.payment_purchase SET is_open = false WHERE payment_id = NEW.id AND is_open;
  RETURN NULL;
END $$;
CREATE TRIGGER close_payment AFTER UPDATE OF status ON shop.payment
  FOR EACH ROW WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION shop.close_payment();

-- A payment that arrives after one of its lines was cancelled gives that line's share back.
DROP INDEX shop.refund_late_idx;
CREATE UNIQUE INDEX refund_late_idx ON shop.refund (payment_id, purchase_id) WHERE origin = 'late';
-- A refund made in the provider's dashboard may be more than one line cost.
ALTER TABLE shop.refund DROP CONSTRAINT refund_provider_id_key;
ALTER TABLE shop.refund ADD CONSTRAINT refund_provider_id_key UNIQUE (provider_id, purchase_id);

CREATE TABLE shop.shipment (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  number bigint NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY (START WITH 5001),
  order_id uuid NOT NULL REFERENCES shop.order,
  shipped_at timestamptz NOT NULL DEFAULT now(),
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 80),
  tracking_number text NOT NULL DEFAULT '' CHECK (length(tracking_number) <= 80),
  tracking_url text NOT NULL DEFAULT '' CHECK (tracking_url = '' OR tracking_url ~ '^https?://')
);
CREATE INDEX shipment_order_idx ON shop.shipment (order_id);
CREATE TABLE shop.shipment_line (
  shipment_id uuid NOT NULL REFERENCES shop.shipment ON DELETE CASCADE,
  purchase_id uuid NOT NULL REFERENCES shop.purchase,
  pieces integer NOT NULL CHECK (pieces > 0),
  PRIMARY KEY (shipment_id, purchase_id)
);
CREATE INDEX shipment_line_purchase_idx ON shop.shipment_line (purchase_id);
INSERT INTO shop.shipment (order_id, shipped_at)
SELECT id, shipped_at FROM shop.purchase WHERE status = 'shipped' ORDER BY shipped_at, id;
INSERT INTO shop.shipment_line (shipment_id, purchase_id, pieces)
SELECT shipment.id, purchase.id, purchase.quantity
FROM shop.shipment JOIN shop.purchase ON purchase.id = shipment.order_id;

-- A shipment of some pieces is an event of its own; the purchase records when all are shipped.
CREATE FUNCTION shop.remember_shipment_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  line shop.shipment_line := CASE WHEN TG_OP = 'INSERT' THEN NEW ELSE OLD END;
BEGIN
  PERFORM shop.remember(CASE WHEN TG_OP = 'INSERT' THEN 'partly shipped' ELSE 'partial shipment undone' END,
    'purchase', line.purchase_id::text, line.purchase_id, NULL,
    jsonb_build_object('pieces', line.pieces, 'shipment_id', line.shipment_id))
  FROM shop.purchase WHERE id = line.purchase_id AND line.pieces < quantity;
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER INSERT OR DELETE ON shop.shipment_line
  FOR EACH ROW EXECUTE FUNCTION shop.remember_shipment_line();

-- Ships pieces of lines of one order: `lines` are {purchase, pieces}, null pieces are all that are left. Ships all of
-- them or none; `unfit` is the first purchase that cannot be shipped so, with what is left of it. The email is sent at
-- `email_at`, until when the shipment can be undone.
CREATE FUNCTION shop.ship(
  shipped_order uuid, lines jsonb, carrier text, tracking_number text, tracking_url text, actor text,
  email_at timestamptz
)
RETURNS TABLE (shipment_id uuid, unfit uuid, pieces_left integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  shipment uuid := uuidv7();
  single uuid;
BEGIN
  PERFORM set_config('stator.actor', actor, true);
  PERFORM FROM shop.purchase WHERE id IN (SELECT (line->>'purchase')::uuid FROM jsonb_array_elements(lines) line)
  ORDER BY id FOR NO KEY UPDATE;
  SELECT line.purchase, p.quantity - p.shipped_pieces INTO unfit, pieces_left
  FROM jsonb_to_recordset(lines) AS line (purchase uuid, pieces integer)
  LEFT JOIN shop.purchase p ON p.id = line.purchase AND p.order_id = shipped_order
  WHERE (p.cancelled_at IS NULL AND p.status = 'paid' AND p.refunded_cents < p.total_cents AND p.restock_at IS NULL
    AND coalesce(line.pieces, 1) BETWEEN 1 AND p.quantity - p.shipped_pieces) IS NOT TRUE
  LIMIT 1;
  IF unfit IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  INSERT INTO shop.shipment (id, order_id, carrier, tracking_number, tracking_url)
  VALUES (shipment, shipped_order, carrier, tracking_number, tracking_url);
  INSERT INTO shop.shipment_line (shipment_id, purchase_id, pieces)
  SELECT shipment, p.id, coalesce(line.pieces, p.quantity - p.shipped_pieces)
  FROM jsonb_to_recordset(lines) AS line (purchase uuid, pieces integer) JOIN shop.purchase p ON p.id = line.purchase;
  UPDATE shop.purchase p SET shipped_pieces = p.shipped_pieces + line.pieces,
    status = CASE WHEN p.shipped_pieces + line.pieces = p.quantity THEN 'shipped' ELSE p.status END,
    shipped_at = CASE WHEN p.shipped_pieces + line.pieces = p.quantity THEN now() END
  FROM shop.shipment_line line WHERE line.shipment_id = shipment AND p.id = line.purchase_id;
  -- an order of one line that is shipped at once has the email of a single purchase
  SELECT line.purchase_id INTO single FROM shop.shipment_line line JOIN shop.purchase p ON p.id = line.purchase_id
  WHERE line.shipment_id = shipment AND line.pieces = p.quantity
    AND NOT EXISTS (SELECT FROM shop.purchase other WHERE other.order_id = shipped_order AND other.id <> p.id);
  PERFORM shop.queue_email(
    CASE WHEN single IS NULL THEN json_build_object('mail', 'orderShipped', 'orderId', shipped_order, 'shipmentId', shipment)
      ELSE json_build_object('mail', 'purchaseShipped', 'purchaseId', single) END,
    'shipped-' || shipment, email_at);
  shipment_id := shipment;
  RETURN NEXT;
END $$;

-- Every email is queued by one function, in the transaction that causes it. Unlike graphile_worker.add_job it sends no
-- NOTIFY: PostgreSQL lets one transaction with a NOTIFY commit at a time, so each would wait for the disk behind all the
-- others. The job runner polls (server/jobs/queue.ts). Returns the job's id.
DROP FUNCTION shop.queue_mail(json);
CREATE FUNCTION shop.queue_email(email json, job_key text DEFAULT NULL, send_at timestamptz DEFAULT now())
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  job bigint;
BEGIN
  INSERT INTO graphile_worker._private_jobs (task_id, payload, key, run_at)
  SELECT id, email, job_key, send_at FROM graphile_worker._private_tasks WHERE identifier = 'send-mail'
  RETURNING id INTO job;
  -- the first email of a database creates the task
  IF job IS NULL THEN
    job := (graphile_worker.add_job('send-mail', email, run_at := send_at, job_key := queue_email.job_key)).id;
  END IF;
  RETURN job;
END $$;

CREATE OR REPLACE FUNCTION shop.product_orderable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  alert uuid;
BEGIN
  FOR alert IN
    UPDATE shop.stock_alert SET notified_at = now()
    WHERE product_id = NEW.id AND confirmed_at IS NOT NULL AND notified_at IS NULL
    RETURNING id
  LOOP
    PERFORM shop.queue_email(json_build_object('mail', 'backInStock', 'alertId', alert));
  END LOOP;
  RETURN NULL;
END $$;

-- Queues one email about some lines of an order: of one line as the single purchase that it is, of several as the order.
CREATE FUNCTION shop.queue_order_email(event text, about uuid, lines uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  others integer := (SELECT count(*) FROM shop.purchase WHERE order_id = about) - cardinality(lines);
BEGIN
  RETURN shop.queue_email(
    CASE WHEN cardinality(lines) = 1 AND (others = 0 OR event = 'Cancelled')
      THEN json_build_object('mail', 'purchase' || event, 'purchaseId', lines[1])
      WHEN others = 0 THEN json_build_object('mail', 'order' || event, 'orderId', about)
      ELSE json_build_object('mail', 'order' || event, 'orderId', about, 'purchaseIds', lines) END);
END $$;

-- Places an order: takes the stock of every line, inserts the order and its purchases with the products' own names,
-- pictures and prices, records the movements and queues the email; or changes nothing and returns a row with `problem`
-- for each line that does not fit its product, with the product's current values. Lines are {index, product, quantity,
-- price_cents, total_cents}, of different products; the cents are what the buyer saw, null if not stated. A price that
-- fell since is no problem, unless `exact`. A total lies between `smallest` and `largest` cents, the order's too.
-- Products are locked in the order of their ids, so that two calls cannot deadlock.
CREATE FUNCTION shop.place_order(request jsonb, smallest bigint, largest bigint)
RETURNS TABLE (
  problem text, line_index integer, current_price_cents bigint, current_stock integer, current_minimum integer,
  current_multiple integer, order_number bigint, purchase shop.purchase
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  placed record;
  new_order uuid := uuidv7();
BEGIN
  SELECT * INTO placed FROM jsonb_to_record(request) AS one (buyer uuid, name text, email text, address text,
    phone text, contact text, po_number text, note text, actor text, exact boolean, lines jsonb);
  PERFORM FROM shop.product
  WHERE id IN (SELECT (line->>'product')::uuid FROM jsonb_array_elements(placed.lines) line)
  ORDER BY id FOR NO KEY UPDATE;
  -- for the audit log, which triggers write
  PERFORM set_config('stator.actor', placed.actor, true);
  RETURN QUERY
  WITH priced AS MATERIALIZED (
    SELECT line.*, p.id AS found, p.archived_at, p.name, p.picture, p.item_number, p.quantity AS stock,
      p.minimum_order, p.order_multiple,
      shop.unit_price_cents(p.price_cents, p.price_breaks, line.quantity) AS unit_cents
    FROM (
      -- a quantity that no product can have is refused below, and must not overflow here
      SELECT index, product, greatest(0, least(quantity, 2147483647))::integer AS quantity, price_cents, total_cents
      FROM jsonb_to_recordset(placed.lines)
        AS asked (index integer, product uuid, quantity bigint, price_cents bigint, total_cents bigint)
    ) AS line
    LEFT JOIN shop.product p ON p.id = line.product
  ), judged AS MATERIALIZED (
    SELECT *, CASE
      WHEN found IS NULL THEN 'unknown'
      WHEN archived_at IS NOT NULL THEN 'archived'
      WHEN quantity < minimum_order THEN 'below_minimum'
      WHEN quantity > stock THEN 'above_stock'
      WHEN quantity % order_multiple <> 0 THEN 'not_a_multiple'
      WHEN price_cents < unit_cents OR (placed.exact AND price_cents <> unit_cents) THEN 'price_changed'
      WHEN total_cents <> unit_cents * quantity THEN 'total_changed'
      WHEN unit_cents * quantity > largest THEN 'total_too_high'
      WHEN unit_cents * quantity < smallest THEN 'total_too_low'
      WHEN sum(unit_cents * quantity) OVER () > largest THEN 'order_too_high'
    END AS code
    FROM priced
  ), header AS (
    INSERT INTO shop.order (id, user_id, po_number, contact, note)
    SELECT new_order, placed.buyer, coalesce(placed.po_number, ''), coalesce(placed.contact, ''),
      coalesce(placed.note, '')
    WHERE NOT EXISTS (SELECT FROM judged WHERE code IS NOT NULL)
    RETURNING number
  ), stock AS (
    UPDATE shop.product SET quantity = product.quantity - judged.quantity
    FROM judged, header WHERE product.id = judged.product
  ), bought AS (
    INSERT INTO shop.purchase AS line (order_id, line_number, user_id, product_id, name, email, address, phone,
      product_name, picture, item_number, quantity, price_cents)
    SELECT new_order, row_number() OVER (ORDER BY index), placed.buyer, product, placed.name, placed.email,
      placed.address, placed.phone, judged.name, picture, item_number, quantity, unit_cents
    FROM judged, header ORDER BY index
    RETURNING line.*
  ), movement AS (
    INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
    SELECT product_id, -quantity, 'sold', id FROM bought
  )
  SELECT code, index, unit_cents, stock, minimum_order, order_multiple, NULL::bigint, NULL::shop.purchase
  FROM judged WHERE code IS NOT NULL
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, number, bought::shop.purchase FROM bought, header;
  PERFORM shop.queue_order_email('Placed', new_order, array_agg(id)) FROM shop.purchase
  WHERE order_id = new_order HAVING count(*) > 0;
END $$;
