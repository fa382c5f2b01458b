-- The embedded payment processor's own books (operator's contract: sandbox).
-- They are apart from the store's: the store knows a payment only through the
-- provider's calls and webhooks. No card number is ever stored, only the name
-- of the test card, its brand, last four digits and expiry.

CREATE SCHEMA sandbox;

CREATE TABLE sandbox.payment_method (
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

CREATE TABLE sandbox.payment_intent (
  id                    text PRIMARY KEY,
  client_secret         text NOT NULL UNIQUE,
  amount_cents          integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 99999999),
  amount_received_cents integer NOT NULL DEFAULT 0 CHECK (amount_received_cents IN (0, amount_cents)),
  currency              text NOT NULL CHECK (currency = 'usd'),
  status                text NOT NULL CHECK (status IN
    ('requires_payment_method', 'requires_confirmation', 'requires_action', 'canceled', 'succeeded')),
  payment_method_id     text REFERENCES sandbox.payment_method (id),
  latest_charge_id      text,
  last_payment_error    jsonb,
  description           text,
  receipt_email         text,
  metadata              jsonb NOT NULL,
  cancellation_reason   text,
  canceled_at           timestamptz,
  created_at            timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'succeeded') = (amount_received_cents > 0)),
  CHECK ((status = 'canceled') = (canceled_at IS NOT NULL)),
  CHECK (status NOT IN ('requires_confirmation', 'requires_action', 'succeeded') OR payment_method_id IS NOT NULL)
);
CREATE INDEX payment_intent_newest ON sandbox.payment_intent (created_at DESC, id DESC);
CREATE INDEX payment_intent_method ON sandbox.payment_intent (payment_method_id);

CREATE TABLE sandbox.charge (
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
-- Money is taken once for an intent, whatever is pressed how often.
CREATE UNIQUE INDEX charge_once ON sandbox.charge (payment_intent_id) WHERE status = 'succeeded';
CREATE INDEX charge_intent ON sandbox.charge (payment_intent_id);
CREATE INDEX charge_method ON sandbox.charge (payment_method_id);

ALTER TABLE sandbox.payment_intent
  ADD FOREIGN KEY (latest_charge_id) REFERENCES sandbox.charge (id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE sandbox.refund (
  id                text PRIMARY KEY,
  charge_id         text NOT NULL REFERENCES sandbox.charge (id),
  payment_intent_id text NOT NULL REFERENCES sandbox.payment_intent (id),
  amount_cents      integer NOT NULL CHECK (amount_cents > 0),
  currency          text NOT NULL,
  reason            text,
  metadata          jsonb NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_newest ON sandbox.refund (created_at DESC, id DESC);
CREATE INDEX refund_intent ON sandbox.refund (payment_intent_id);
CREATE INDEX refund_charge ON sandbox.refund (charge_id);

-- What happened, for the webhook. The snapshot is the changed row as it was
-- then; next_attempt_at is empty once the event is delivered or given up.
CREATE TABLE sandbox.event (
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
CREATE INDEX event_due ON sandbox.event (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Answers to keyed calls, kept for 24 hours.
CREATE TABLE sandbox.idempotency (
  caller      text NOT NULL,
  key         text NOT NULL,
  fingerprint text NOT NULL,
  status      integer,
  body        text,
  request_id  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_created ON sandbox.idempotency (created_at);
