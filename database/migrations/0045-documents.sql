-- Invoices and credit notes: numbered without gaps, and unchanged once issued.

-- The seller's details as configured, one row for each change; documents are issued with the latest.
CREATE TABLE shop.seller (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  details jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);

-- The row stays locked until the transaction that takes a number ends, so a rollback leaves no gap.
CREATE TABLE shop.document_number (
  kind text PRIMARY KEY CHECK (kind IN ('invoice', 'credit note')),
  last bigint NOT NULL
);
INSERT INTO shop.document_number (kind, last) VALUES ('invoice', 10000), ('credit note', 10000);

CREATE FUNCTION shop.next_document_number(of_kind text) RETURNS bigint LANGUAGE sql AS $$
  UPDATE shop.document_number SET last = last + 1 WHERE kind = of_kind RETURNING last
$$;

-- The lines of one order that one payment paid. `content` is what is printed, with the buyer's name and address at that
-- time, which the law requires to be kept also after the account is deleted.
CREATE TABLE shop.invoice (
  number bigint PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES shop.order,
  payment_id text NOT NULL,
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  issued_at timestamptz NOT NULL,
  content jsonb NOT NULL,
  UNIQUE (order_id, payment_id)
);
CREATE TABLE shop.invoice_line (
  purchase_id uuid PRIMARY KEY REFERENCES shop.purchase,
  invoice_number bigint NOT NULL REFERENCES shop.invoice,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0)
);
CREATE INDEX invoice_line_invoice_idx ON shop.invoice_line (invoice_number);

CREATE TABLE shop.credit_note (
  number bigint PRIMARY KEY,
  refund_id uuid NOT NULL UNIQUE REFERENCES shop.refund,
  invoice_number bigint NOT NULL REFERENCES shop.invoice,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  issued_at timestamptz NOT NULL,
  content jsonb NOT NULL
);
CREATE INDEX credit_note_invoice_idx ON shop.credit_note (invoice_number);

CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.invoice
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.invoice_line
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.credit_note
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();
CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON shop.seller
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();

-- Issues the invoices of purchases that were just paid: one for each order and payment.
CREATE FUNCTION shop.issue_invoices(paid uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due record;
  issued bigint;
BEGIN
  FOR due IN
    SELECT o.id, o.number, o.po_number, o.contact, o.placed_at, p.transaction_id, min(p.paid_at) AS paid_at,
      min(p.paid_mode) AS mode, sum(p.total_cents)::bigint AS total_cents,
      (array_agg(jsonb_build_object('name', p.name, 'email', p.email, 'address', p.address, 'phone', p.phone)
        ORDER BY p.line_number))[1] AS buyer,
      jsonb_agg(jsonb_build_object('lineNumber', p.line_number, 'productName', p.product_name,
        'itemNumber', p.item_number, 'quantity', p.quantity, 'priceCents', p.price_cents, 'totalCents', p.total_cents)
        ORDER BY p.line_number) AS lines
    FROM shop.purchase p JOIN shop.order o ON o.id = p.order_id
    WHERE p.id = ANY (paid)
    GROUP BY o.id, p.transaction_id ORDER BY min(p.paid_at), o.number
  LOOP
    issued := shop.next_document_number('invoice');
    INSERT INTO shop.invoice (number, order_id, payment_id, total_cents, issued_at, content)
    VALUES (issued, due.id, due.transaction_id, due.total_cents, due.paid_at, jsonb_build_object(
      'seller', (SELECT details FROM shop.seller ORDER BY id DESC LIMIT 1),
      'buyer', due.buyer, 'lines', due.lines, 'mode', due.mode,
      'order', jsonb_build_object('number', due.number, 'poNumber', due.po_number, 'contact', due.contact,
        'placedAt', due.placed_at)));
    INSERT INTO shop.invoice_line (purchase_id, invoice_number, amount_cents)
    SELECT id, issued, total_cents FROM shop.purchase
    WHERE id = ANY (paid) AND order_id = due.id AND transaction_id = due.transaction_id;
  END LOOP;
END $$;

CREATE FUNCTION shop.invoice_paid_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid uuid[] := (SELECT array_agg(new_row.id) FROM new_row JOIN old_row ON old_row.id = new_row.id
    WHERE old_row.status = 'unpaid' AND new_row.status <> 'unpaid');
BEGIN
  IF paid IS NOT NULL THEN
    PERFORM shop.issue_invoices(paid);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER issue_invoices AFTER UPDATE ON shop.purchase REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row
  FOR EACH STATEMENT EXECUTE FUNCTION shop.invoice_paid_purchases();

-- A completed refund of an invoiced purchase has one credit note, also when it fails afterwards and is made again.
-- Money for a purchase that was cancelled or already paid was never invoiced.
CREATE FUNCTION shop.issue_credit_note(completed uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due record;
BEGIN
  -- what was credited before includes every earlier number
  PERFORM FROM shop.document_number WHERE kind = 'credit note' FOR NO KEY UPDATE;
  SELECT r.*, i.number AS invoice_number, i.total_cents AS invoice_cents, i.content AS invoice, p.line_number,
    p.product_name, p.item_number,
    coalesce((SELECT sum(amount_cents) FROM shop.credit_note WHERE invoice_number = i.number), 0) AS credited_cents
  INTO due
  FROM shop.refund r JOIN shop.purchase p ON p.id = r.purchase_id
  JOIN shop.invoice_line line ON line.purchase_id = r.purchase_id
  JOIN shop.invoice i ON i.number = line.invoice_number AND i.payment_id = r.payment_id
  WHERE r.id = completed AND NOT EXISTS (SELECT FROM shop.credit_note WHERE refund_id = r.id);
  IF FOUND THEN
    INSERT INTO shop.credit_note (number, refund_id, invoice_number, amount_cents, issued_at, content)
    VALUES (shop.next_document_number('credit note'), due.id, due.invoice_number, due.amount_cents,
      coalesce(due.done_at, now()), jsonb_build_object(
        'seller', coalesce((SELECT details FROM shop.seller ORDER BY id DESC LIMIT 1), due.invoice->'seller'),
        'buyer', due.invoice->'buyer', 'order', due.invoice->'order', 'mode', due.invoice->'mode',
        'reason', due.reason, 'lineNumber', due.line_number, 'productName', due.product_name,
        'itemNumber', due.item_number, 'invoiceCents', due.invoice_cents, 'creditedCents', due.credited_cents));
  END IF;
END $$;

CREATE FUNCTION shop.credit_completed_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.issue_credit_note(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER issue_credit_note AFTER INSERT OR UPDATE OF status ON shop.refund
  FOR EACH ROW WHEN (NEW.status IN ('done', 'settled')) EXECUTE FUNCTION shop.credit_completed_refund();

SELECT shop.issue_invoices(array_agg(id)) FROM shop.purchase WHERE status <> 'unpaid' HAVING count(*) > 0;
SELECT shop.issue_credit_note(id) FROM (
  SELECT id FROM shop.refund WHERE status IN ('done', 'settled') ORDER BY done_at, id
) AS completed;
