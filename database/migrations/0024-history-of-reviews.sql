-- 'review' beside the subjects that there are: migration 0023 listed them anew without it.
DO $$ BEGIN
  EXECUTE format(
    'ALTER TABLE shop.event DROP CONSTRAINT event_subject_check, ADD CONSTRAINT event_subject_check CHECK (subject = %L OR %s)',
    'review', (SELECT substring(pg_get_constraintdef(oid) FROM '^CHECK (.*)$') FROM pg_constraint
      WHERE conrelid = 'shop.event'::regclass AND conname = 'event_subject_check'));
END $$;
