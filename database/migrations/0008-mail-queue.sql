-- Queues a mail as graphile_worker.add_job does, but without its NOTIFY: PostgreSQL lets only one transaction with a
-- NOTIFY commit at a time, so every sale would wait for the disk behind all the others. The workers look for jobs
-- by themselves twice a second. Gives the job's id.
CREATE FUNCTION shop.queue_mail(mail json) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  job bigint;
BEGIN
  INSERT INTO graphile_worker._private_jobs (task_id, payload)
  SELECT id, mail FROM graphile_worker._private_tasks WHERE identifier = 'send-mail'
  RETURNING id INTO job;
  -- the very first job of this kind makes the kind known
  IF job IS NULL THEN
    job := (graphile_worker.add_job('send-mail', mail)).id;
  END IF;
  RETURN job;
END $$;
