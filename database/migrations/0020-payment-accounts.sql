-- Which of the provider's accounts a payment belongs to. A store that goes from the sandbox to Stripe's test mode and
-- on to live keys asks each payment's own account only; and what was paid with a test card stays marked as such.

ALTER TABLE shop.payment
  -- empty for payments at Stripe from before this migration
  ADD COLUMN mode text CHECK (mode IN ('sandbox', 'test', 'live')),
  -- the provider's id of the account; empty where the keys may not ask for it, and in the sandbox
  ADD COLUMN account text;
UPDATE shop.payment SET mode = 'sandbox'
WHERE EXISTS (SELECT FROM sandbox.payment_intent WHERE payment_intent.id = payment.id);

-- The mode of the payment that paid the order.
ALTER TABLE shop.purchase
  ADD COLUMN paid_mode text CHECK (paid_mode IN ('sandbox', 'test', 'live')),
  ADD CONSTRAINT purchase_paid_mode_paid_check CHECK (paid_mode IS NULL OR status <> 'unpaid');
UPDATE shop.purchase SET paid_mode = payment.mode
FROM shop.payment WHERE payment.id = purchase.transaction_id AND payment.mode IS NOT NULL;

-- Only the settlement of the order sets it.
CREATE FUNCTION shop.keep_paid_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the payment mode of a paid order never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER keep_paid_mode BEFORE UPDATE OF paid_mode ON shop.purchase
  FOR EACH ROW WHEN (OLD.status <> 'unpaid' AND NEW.status <> 'unpaid' AND OLD.paid_mode IS DISTINCT FROM NEW.paid_mode)
  EXECUTE FUNCTION shop.keep_paid_mode();
