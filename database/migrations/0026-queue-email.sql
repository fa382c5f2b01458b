-- Every email is queued by one function, in the transaction that causes it. Unlike graphile_worker.add_job it sends no
-- NOTIFY: PostgreSQL lets one transaction with a NOTIFY commit at a time, so each would wait for the disk behind all the
-- others. The job runner polls (server/jobs/queue.ts). Returns the job's id.
DROP FUNCTION shop.queue_mail(json);
CREATE FUNCTION shop.queue_email(email json, job_key text DEFAULT NULL, send_at timestamptz DEFAULT now())
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  job bigint;
BEGIN
  INSERT INTO graphile_worker._private_jobs (task_id, payload, key, run_at)
  SELECT id, email, job_key, send_at FROM graphile_worker._private_tasks WHERE identifier = 'send-mail'
  RETURNING id INTO job;
  -- the first email of a database creates the task
  IF job IS NULL THEN
    job := (graphile_worker.add_job('send-mail', email, run_at := send_at, job_key := queue_email.job_key)).id;
  END IF;
  RETURN job;
END $$;

CREATE OR REPLACE FUNCTION shop.product_orderable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  alert uuid;
BEGIN
  FOR alert IN
    UPDATE shop.stock_alert SET notified_at = now()
    WHERE product_id = NEW.id AND confirmed_at IS NOT NULL AND notified_at IS NULL
    RETURNING id
  LOOP
    PERFORM shop.queue_email(json_build_object('mail', 'backInStock', 'alertId', alert));
  END LOOP;
  RETURN NULL;
END $$;
