-- A claim lasts a minute. If the clock was set back meanwhile, it would last until the clock has caught up: one that seems
-- to end later than any claim can has ended. Other transactions have begun at most a minute later.
CREATE OR REPLACE FUNCTION shop.claim_key(request uuid, person uuid, claimed_key text, input_digest text, patience text)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  claimed uuid;
BEGIN
  PERFORM set_config('lock_timeout', patience, true);
  INSERT INTO shop.request AS known (id, person_id, key, digest, held_until)
  VALUES (request, person, claimed_key, input_digest, now() + interval '60 seconds')
  ON CONFLICT (person_id, key) DO UPDATE SET
    id = CASE WHEN known.started_at < now() - interval '24 hours' THEN excluded.id ELSE known.id END,
    started_at = CASE WHEN known.started_at < now() - interval '24 hours' THEN now() ELSE known.started_at END,
    digest = excluded.digest, held_until = excluded.held_until, answer = NULL
  WHERE known.started_at < now() - interval '24 hours'
    OR (known.answer IS NULL AND known.digest = excluded.digest
      AND (known.held_until < now() OR known.held_until > excluded.held_until + interval '1 minute'))
  RETURNING known.id INTO claimed;
  PERFORM set_config('lock_timeout', '0', true);
  RETURN claimed;
END $$;
