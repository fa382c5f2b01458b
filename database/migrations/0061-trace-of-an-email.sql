-- An email continues the trace of the request that queued it: its traceparent is a member of the actor, which the statement
-- of the change sets.
CREATE OR REPLACE FUNCTION shop.queue_email(email json, job_key text DEFAULT NULL, send_at timestamptz DEFAULT now())
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  trace text := substring(current_setting('stator.actor', true) FROM '"trace":"([0-9a-f-]{55})"');
  job bigint;
BEGIN
  IF trace IS NOT NULL THEN
    email := (email::jsonb || jsonb_build_object('trace', trace))::json;
  END IF;
  INSERT INTO graphile_worker._private_jobs (task_id, payload, key, run_at)
  SELECT id, email, job_key, send_at FROM graphile_worker._private_tasks WHERE identifier = 'send-mail'
  RETURNING id INTO job;
  -- the first email of a database creates the task
  IF job IS NULL THEN
    job := (graphile_worker.add_job('send-mail', email, run_at := send_at, job_key := queue_email.job_key)).id;
  END IF;
  RETURN job;
END $$;
