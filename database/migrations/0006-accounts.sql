-- Accounts: the second factor, how fresh a session's proof is, attempts that are counted, people who left.

ALTER TABLE identity."user" ADD COLUMN "twoFactorEnabled" boolean NOT NULL DEFAULT false;

CREATE TABLE identity."twoFactor" (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  "userId" uuid NOT NULL UNIQUE REFERENCES identity."user" ON DELETE CASCADE,
  -- both encrypted by the identity library
  secret text NOT NULL,
  "backupCodes" text NOT NULL,
  verified boolean NOT NULL DEFAULT false,
  "failedVerificationCount" integer NOT NULL DEFAULT 0,
  "lockedUntil" timestamptz
);

-- when whoever holds the session last proved who they are, and whether with a second factor
ALTER TABLE identity.session
  ADD COLUMN "confirmedAt" timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN "secondFactorAt" timestamptz;

-- A link of a mail that has done its work; a digest of it, so that the table is worth nothing to a thief.
CREATE TABLE identity.used_link (
  digest text PRIMARY KEY,
  used_at timestamptz NOT NULL DEFAULT now()
);

-- Attempts that are counted for all processes together, under digests of addresses and accounts. Losing the
-- counts in a crash is no harm, so they are not written to the log of the database.
CREATE UNLOGGED TABLE shop.attempt (
  key text PRIMARY KEY,
  count integer NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX attempt_until_idx ON shop.attempt (until);

-- `disabled_at`: an admin has shut the account. `deleted_at`: its owner has left; what remains is the number.
ALTER TABLE shop.user
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN deleted_at timestamptz;

-- Who left while tools were on their way: the delivery needs name and address until it has been shipped.
CREATE FUNCTION shop.forget_buyer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM shop.user WHERE id = NEW.user_id AND deleted_at IS NOT NULL) THEN
    NEW.name := 'Deleted account';
    NEW.address := 'Deleted';
    NEW.phone := '';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_buyer BEFORE UPDATE OF status ON shop.purchase
  FOR EACH ROW WHEN (NEW.status = 'shipped' AND OLD.status <> 'shipped') EXECUTE FUNCTION shop.forget_buyer();
