-- What banks may do beside yes and no: think it over, and take money back. And the report on the books.

-- A bank that has not said yes or no yet; what it says in the end is told to the buyer.
ALTER TABLE shop.payment ADD COLUMN processing_at timestamptz;

-- An open dispute: the cardholder's bank has taken the money back until it is decided. What was disputed, why,
-- and how it ended stands in the history. The payment has it too, for it may be told before its order is paid.
ALTER TABLE shop.payment ADD COLUMN disputed_at timestamptz;
ALTER TABLE shop.purchase
  ADD COLUMN disputed_at timestamptz,
  ADD CONSTRAINT purchase_disputed_paid_check CHECK (disputed_at IS NULL OR status <> 'unpaid');

-- The sandbox: payments that take their time, and disputes.
ALTER TABLE sandbox.payment_intent
  ADD COLUMN processing_at timestamptz,
  DROP CONSTRAINT payment_intent_status_check,
  ADD CONSTRAINT payment_intent_status_check CHECK (status IN ('requires_payment_method', 'requires_confirmation',
    'requires_action', 'processing', 'canceled', 'succeeded')),
  ADD CONSTRAINT payment_intent_processing_check CHECK ((status = 'processing') = (processing_at IS NOT NULL)),
  ADD CONSTRAINT payment_intent_processing_method_check CHECK (status <> 'processing' OR payment_method_id IS NOT NULL);
CREATE INDEX payment_intent_processing ON sandbox.payment_intent (processing_at) WHERE status = 'processing';

CREATE TABLE sandbox.dispute (
  id                text PRIMARY KEY,
  charge_id         text NOT NULL UNIQUE REFERENCES sandbox.charge (id),
  payment_intent_id text NOT NULL REFERENCES sandbox.payment_intent (id),
  amount_cents      integer NOT NULL CHECK (amount_cents > 0),
  currency          text NOT NULL,
  reason            text NOT NULL,
  status            text NOT NULL CHECK (status IN ('needs_response', 'won', 'lost')),
  created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX dispute_intent ON sandbox.dispute (payment_intent_id);
CREATE INDEX dispute_newest ON sandbox.dispute (created_at DESC, id DESC);

-- The last report on the books, for all processes: making one may take longer than a request.
CREATE TABLE shop.books_report (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  report jsonb NOT NULL
);
