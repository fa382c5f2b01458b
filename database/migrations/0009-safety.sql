-- Passkeys, codes that work once, sessions that end when they lie idle, and what happened to accounts.

-- A key on a person's device or stick; what is kept here opens nothing. Names as the identity library has them.
CREATE TABLE identity.passkey (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text CHECK (length(name) <= 60),
  "publicKey" text NOT NULL,
  "userId" uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  "credentialID" text NOT NULL UNIQUE,
  counter bigint NOT NULL,
  "deviceType" text NOT NULL,
  "backedUp" boolean NOT NULL,
  transports text,
  aaguid text,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "usedAt" timestamptz
);
CREATE INDEX passkey_user_idx ON identity.passkey ("userId");

-- A code of an app that was given already; within its half minute it would be right once more.
CREATE TABLE identity.used_code (
  user_id uuid NOT NULL REFERENCES identity."user" ON DELETE CASCADE,
  code text NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code)
);

-- How long sessions live: unused, unused with an admin's role, and at all. The store writes its settings here at
-- its start; whatever makes or prolongs a session, it gets no more than this.
CREATE TABLE identity.session_rule (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  idle interval NOT NULL,
  admin_idle interval NOT NULL,
  longest interval NOT NULL
);
INSERT INTO identity.session_rule (idle, admin_idle, longest) VALUES ('72 hours', '12 hours', '30 days');

CREATE FUNCTION identity.end_session_in_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT least(NEW."expiresAt", NEW."createdAt" + longest,
      now() + CASE WHEN EXISTS (SELECT FROM shop.user WHERE id = NEW."userId" AND role = 'admin')
        THEN least(admin_idle, idle) ELSE idle END)
    INTO NEW."expiresAt" FROM identity.session_rule;
  RETURN NEW;
END $$;
CREATE TRIGGER end_in_time BEFORE INSERT OR UPDATE OF "expiresAt" ON identity.session
  FOR EACH ROW EXECUTE FUNCTION identity.end_session_in_time();
UPDATE identity.session SET "expiresAt" = "expiresAt";

-- What happened to accounts: who came in, who was refused, what was changed. No password, code, token or e-mail
-- stands here. It only grows, but for what is older than half a year.
CREATE TABLE identity.account_event (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT now(),
  -- whose account; empty: nobody's that the store knows
  user_id uuid,
  -- who did it, when that was somebody else
  by_id uuid,
  what text NOT NULL CHECK (what <> ''),
  detail text CHECK (length(detail) <= 100),
  ip text,
  agent text CHECK (length(agent) <= 200)
);
CREATE INDEX account_event_user_idx ON identity.account_event (user_id, id);
CREATE INDEX account_event_at_idx ON identity.account_event (at);

CREATE FUNCTION identity.keep_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.at > now() - interval '180 days' THEN
    RAISE EXCEPTION 'identity.account_event keeps half a year; DELETE is refused'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keeps BEFORE DELETE ON identity.account_event
  FOR EACH ROW EXECUTE FUNCTION identity.keep_account_event();
CREATE TRIGGER only_grows BEFORE UPDATE OR TRUNCATE ON identity.account_event
  FOR EACH STATEMENT EXECUTE FUNCTION shop.refuse_change();

-- What an admin or an owner does to an account as a whole is written by its own table, like the history.
CREATE FUNCTION identity.remember_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  actor jsonb := coalesce(nullif(current_setting('stator.actor', true), ''), '{}')::jsonb;
BEGIN
  INSERT INTO identity.account_event (user_id, by_id, what, ip, agent)
  SELECT NEW.id, nullif((actor->>'who')::uuid, NEW.id), what, actor->>'ip', left(actor->>'agent', 200)
  FROM (VALUES
    ('Account deleted', NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL),
    ('Account closed', NEW.disabled_at IS NOT NULL AND OLD.disabled_at IS NULL),
    ('Account opened again', NEW.disabled_at IS NULL AND OLD.disabled_at IS NOT NULL),
    ('Made an admin', NEW.role = 'admin' AND OLD.role <> 'admin')
  ) AS changes (what, happened) WHERE happened;
  RETURN NULL;
END $$;
CREATE TRIGGER remember_account AFTER UPDATE OF role, disabled_at, deleted_at ON shop.user
  FOR EACH ROW EXECUTE FUNCTION identity.remember_account();
