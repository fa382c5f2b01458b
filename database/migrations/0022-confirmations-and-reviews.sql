-- An address can be registered by somebody who does not own it. What was added to the account before its owner
-- confirmed the address must not outlive that confirmation, whichever way the confirmation is made.
ALTER TABLE identity."user"
  ADD COLUMN "emailConfirmedAt" timestamptz,
  -- the session that is about to confirm the address; it survives
  ADD COLUMN "emailConfirmedBy" uuid;

-- An account is joined with Google only by its signed-in owner and only where Google has confirmed the same address.
UPDATE identity."user" SET "emailVerified" = true
WHERE NOT "emailVerified" AND EXISTS (SELECT FROM identity.account WHERE "userId" = "user".id AND "providerId" = 'google');
UPDATE identity."user" SET "emailConfirmedAt" = "createdAt" WHERE "emailVerified";

CREATE FUNCTION identity.clear_at_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sessions integer;
  passkeys integer;
  others integer;
BEGIN
  DELETE FROM identity.session WHERE "userId" = NEW.id AND id IS DISTINCT FROM NEW."emailConfirmedBy";
  GET DIAGNOSTICS sessions = ROW_COUNT;
  DELETE FROM identity.passkey WHERE "userId" = NEW.id;
  GET DIAGNOSTICS passkeys = ROW_COUNT;
  DELETE FROM identity.account WHERE "userId" = NEW.id AND "providerId" <> 'credential';
  GET DIAGNOSTICS others = ROW_COUNT;
  DELETE FROM identity."twoFactor" WHERE "userId" = NEW.id;
  -- password links, sign-ins that wait for a code, passkeys and Google links that were begun
  DELETE FROM identity.verification WHERE position(NEW.id::text IN value) > 0;
  INSERT INTO identity.account_event (user_id, what, detail) VALUES (NEW.id, 'Email confirmed',
    nullif(concat_ws(', ',
      CASE WHEN sessions > 0 THEN format('sessions ended: %s', sessions) END,
      CASE WHEN passkeys > 0 THEN format('passkeys removed: %s', passkeys) END,
      CASE WHEN others > 0 THEN 'Google disconnected' END,
      CASE WHEN OLD."twoFactorEnabled" THEN 'second factor removed' END), ''));
  NEW."twoFactorEnabled" := false;
  NEW."emailConfirmedAt" := now();
  RETURN NEW;
END $$;
CREATE TRIGGER clear_at_confirmation BEFORE UPDATE OF "emailVerified" ON identity."user"
  FOR EACH ROW WHEN (NEW."emailVerified" AND NOT OLD."emailVerified" AND OLD."emailConfirmedAt" IS NULL)
  EXECUTE FUNCTION identity.clear_at_confirmation();

-- A hidden review is shown to nobody but admins; who hid it or showed it again is in the history.
ALTER TABLE shop.review ADD COLUMN hidden_at timestamptz;

-- 'review' beside the subjects that there are
DO $$ BEGIN
  EXECUTE format(
    'ALTER TABLE shop.event DROP CONSTRAINT event_subject_check, ADD CONSTRAINT event_subject_check CHECK (subject = %L OR %s)',
    'review', (SELECT substring(pg_get_constraintdef(oid) FROM '^CHECK (.*)$') FROM pg_constraint
      WHERE conrelid = 'shop.event'::regclass AND conname = 'event_subject_check'));
END $$;

CREATE FUNCTION shop.remember_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shop.remember(CASE WHEN NEW.hidden_at IS NULL THEN 'shown again' ELSE 'hidden' END,
    'review', NEW.id::text, NULL, NULL, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER remember AFTER UPDATE OF hidden_at ON shop.review
  FOR EACH ROW WHEN ((OLD.hidden_at IS NULL) <> (NEW.hidden_at IS NULL)) EXECUTE FUNCTION shop.remember_review();
