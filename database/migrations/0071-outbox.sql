-- The emails of a store without an SMTP server, where nodes share a database.
CREATE TABLE shop.outbox (
  -- when it was queued, in milliseconds, and its job
  queued bigint,
  job bigint,
  sent_at timestamptz NOT NULL DEFAULT now(),
  mail jsonb NOT NULL,
  PRIMARY KEY (queued, job)
);
