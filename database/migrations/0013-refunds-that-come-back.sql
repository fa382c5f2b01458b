-- A refund that the card provider had made and that came back, since the bank did not take it. The money is still
-- promised: it is asked for again (`attempt`), or given back another way (`settled`, and how).
ALTER TABLE shop.refund
  ADD COLUMN attempt integer NOT NULL DEFAULT 1 CHECK (attempt > 0),
  ADD COLUMN settled_how text CHECK (settled_how <> ''),
  DROP CONSTRAINT refund_status_check,
  DROP CONSTRAINT refund_check,
  DROP CONSTRAINT refund_check2,
  ADD CONSTRAINT refund_status_check CHECK (status IN ('due', 'done', 'refused', 'failed', 'settled')),
  ADD CONSTRAINT refund_done_check CHECK ((status IN ('done', 'settled')) = (done_at IS NOT NULL)),
  ADD CONSTRAINT refund_problem_check CHECK (status NOT IN ('refused', 'failed') OR problem IS NOT NULL),
  ADD CONSTRAINT refund_settled_check CHECK ((status = 'settled') = (settled_how IS NOT NULL));

CREATE OR REPLACE FUNCTION shop.remember_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE NEW.status WHEN 'due' THEN 'asked' ELSE NEW.status END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM shop.remember(what, 'refund', NEW.id::text, NEW.purchase_id, NULL,
      jsonb_build_object('amount_cents', NEW.amount_cents, 'reason', NEW.reason,
        'payment_id', NEW.payment_id, 'origin', NEW.origin, 'return_to_stock', NEW.return_to_stock));
  ELSIF NEW.status <> OLD.status THEN
    PERFORM shop.remember(what, 'refund', NEW.id::text, NEW.purchase_id,
      jsonb_build_object('status', OLD.status),
      jsonb_strip_nulls(jsonb_build_object('status', NEW.status, 'amount_cents', NEW.amount_cents,
        'provider_id', NEW.provider_id, 'problem', NEW.problem, 'settled_how', NEW.settled_how)));
  END IF;
  RETURN NULL;
END $$;

-- The sandbox's card whose bank takes no refund: it fails some time after it was made.
ALTER TABLE sandbox.refund
  ADD COLUMN comes_back boolean NOT NULL DEFAULT false,
  ADD COLUMN failed_at timestamptz,
  ADD CONSTRAINT refund_failed_check CHECK (failed_at IS NULL OR comes_back);
CREATE INDEX refund_coming_back ON sandbox.refund (created_at) WHERE comes_back AND failed_at IS NULL;
