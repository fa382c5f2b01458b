-- The payments of the sandbox. A store's own migrations created these tables before the sandbox was a package, so this
-- creates only what is missing. No card number is stored: only the test card's name, brand, last digits and expiry.

CREATE TABLE IF NOT EXISTS sandbox.payment_method (
  id              text PRIMARY KEY,
  token           text NOT NULL,
  brand           text NOT NULL,
  last4           text NOT NULL CHECK (last4 ~ '^[0-9]{4}$'),
  exp_month       integer NOT NULL CHECK (exp_month BETWEEN 1 AND 12),
  exp_year        integer NOT NULL CHECK (exp_year BETWEEN 2000 AND 9999),
  cvc_given       boolean NOT NULL,
  billing_details jsonb NOT NULL,
  metadata        jsonb NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS sandbox.payment_intent (
  id                    text PRIMARY KEY,
  client_secret         text NOT NULL UNIQUE,
  amount_cents          integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 99999999),
  amount_received_cents integer NOT NULL DEFAULT 0 CHECK (amount_received_cents IN (0, amount_cents)),
  currency              text NOT NULL CHECK (currency = 'usd'),
  status                text NOT NULL CHECK (status IN ('requires_payment_method', 'requires_confirmation',
    'requires_action', 'processing', 'canceled', 'succeeded')),
  payment_method_id     text REFERENCES sandbox.payment_method (id),
  latest_charge_id      text,
  last_payment_error    jsonb,
  description           text,
  receipt_email         text,
  metadata              jsonb NOT NULL,
  cancellation_reason   text,
  canceled_at           timestamptz,
  created_at            timestamptz NOT NULL DEFAULT now(),
  processing_at         timestamptz,
  CHECK ((status = 'succeeded') = (amount_received_cents > 0)),
  CHECK ((status = 'canceled') = (canceled_at IS NOT NULL)),
  CHECK (status NOT IN ('requires_confirmation', 'requires_action', 'succeeded') OR payment_method_id IS NOT NULL),
  CONSTRAINT payment_intent_processing_check CHECK ((status = 'processing') = (processing_at IS NOT NULL)),
  CONSTRAINT payment_intent_processing_method_check CHECK (status <> 'processing' OR payment_method_id IS NOT NULL)
);
CREATE INDEX IF NOT EXISTS payment_intent_newest ON sandbox.payment_intent (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS payment_intent_method ON sandbox.payment_intent (payment_method_id);
CREATE INDEX IF NOT EXISTS payment_intent_processing ON sandbox.payment_intent (processing_at) WHERE status = 'processing';

CREATE TABLE IF NOT EXISTS sandbox.charge (
  id                    text PRIMARY KEY,
  payment_intent_id     text NOT NULL REFERENCES sandbox.payment_intent (id),
  payment_method_id     text NOT NULL REFERENCES sandbox.payment_method (id),
  amount_cents          integer NOT NULL CHECK (amount_cents > 0),
  amount_refunded_cents integer NOT NULL DEFAULT 0 CHECK (amount_refunded_cents BETWEEN 0 AND amount_cents),
  currency              text NOT NULL,
  status                text NOT NULL CHECK (status IN ('succeeded', 'failed')),
  failure_code          text,
  failure_message       text,
  decline_code          text,
  card                  jsonb NOT NULL,
  billing_details       jsonb NOT NULL,
  created_at            timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
  CHECK (status = 'succeeded' OR amount_refunded_cents = 0)
);
-- An intent is charged once, however many confirmations race.
CREATE UNIQUE INDEX IF NOT EXISTS charge_once ON sandbox.charge (payment_intent_id) WHERE status = 'succeeded';
CREATE INDEX IF NOT EXISTS charge_intent ON sandbox.charge (payment_intent_id);
CREATE INDEX IF NOT EXISTS charge_method ON sandbox.charge (payment_method_id);

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
    WHERE conrelid = 'sandbox.payment_intent'::regclass AND conname = 'payment_intent_latest_charge_id_fkey') THEN
    ALTER TABLE sandbox.payment_intent
      ADD FOREIGN KEY (latest_charge_id) REFERENCES sandbox.charge (id) DEFERRABLE INITIALLY DEFERRED;
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS sandbox.refund (
  id                text PRIMARY KEY,
  charge_id         text NOT NULL REFERENCES sandbox.charge (id),
  payment_intent_id text NOT NULL REFERENCES sandbox.payment_intent (id),
  amount_cents      integer NOT NULL CHECK (amount_cents > 0),
  currency          text NOT NULL,
  reason            text,
  metadata          jsonb NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  -- the bank rejects it some time after it was created
  comes_back        boolean NOT NULL DEFAULT false,
  failed_at         timestamptz,
  CONSTRAINT refund_failed_check CHECK (failed_at IS NULL OR comes_back)
);
CREATE INDEX IF NOT EXISTS refund_newest ON sandbox.refund (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS refund_intent ON sandbox.refund (payment_intent_id);
CREATE INDEX IF NOT EXISTS refund_charge ON sandbox.refund (charge_id);
CREATE INDEX IF NOT EXISTS refund_coming_back ON sandbox.refund (created_at) WHERE comes_back AND failed_at IS NULL;

CREATE TABLE IF NOT EXISTS sandbox.dispute (
  id                text PRIMARY KEY,
  charge_id         text NOT NULL UNIQUE REFERENCES sandbox.charge (id),
  payment_intent_id text NOT NULL REFERENCES sandbox.payment_intent (id),
  amount_cents      integer NOT NULL CHECK (amount_cents > 0),
  currency          text NOT NULL,
  reason            text NOT NULL,
  status            text NOT NULL CHECK (status IN ('needs_response', 'won', 'lost')),
  created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS dispute_intent ON sandbox.dispute (payment_intent_id);
CREATE INDEX IF NOT EXISTS dispute_newest ON sandbox.dispute (created_at DESC, id DESC);

-- Events for the webhook. The snapshot is the row after the change; next_attempt_at is null once the event is
-- delivered or its retries are exhausted.
CREATE TABLE IF NOT EXISTS sandbox.event (
  id              text PRIMARY KEY,
  type            text NOT NULL,
  snapshot        jsonb NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  delivered_at    timestamptz,
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  CHECK (delivered_at IS NULL OR next_attempt_at IS NULL)
);
CREATE INDEX IF NOT EXISTS event_due ON sandbox.event (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Responses by idempotency key, kept for 24 hours.
CREATE TABLE IF NOT EXISTS sandbox.idempotency (
  caller      text NOT NULL,
  key         text NOT NULL,
  fingerprint text NOT NULL,
  status      integer,
  body        text,
  request_id  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, key)
);
CREATE INDEX IF NOT EXISTS idempotency_created ON sandbox.idempotency (created_at);
