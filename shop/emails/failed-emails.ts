import type { Output } from "../../api/contract.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

interface Row {
  id: string;
  kind: string | null;
  to: string | null;
  tries: number;
  problem: string;
  nextTry: Date | null;
}

/** Jobs of emails that were rejected at least once and are still queued. */
export const FAILED_EMAILS = `
SELECT job.* FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = job.task_id
WHERE task.identifier = 'send-mail' AND job.last_error IS NOT NULL`;

/** Nobody needs them by then, such as one to an address that was mistyped, and they would be listed for ever. */
export async function deleteGivenUpEmails({ pool }: Store): Promise<void> {
  await pool.query(
    `DELETE FROM graphile_worker._private_jobs WHERE id IN (SELECT id FROM (${FAILED_EMAILS}) AS failed
       WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - interval '30 days')`,
  );
}

/** At most 100; those without a further attempt last. */
export async function listFailedEmails(store: Store): Promise<Output<"listFailedEmails">> {
  const { rows } = await store.pool.query<Row>(
    `SELECT j.id::text, j.payload->>'mail' AS kind, coalesce(j.payload->>'email', buyer.email) AS to,
       j.attempts AS tries, split_part(j.last_error, E'\\n', 1) AS problem,
       CASE WHEN j.attempts < j.max_attempts THEN j.run_at END AS "nextTry"
     FROM (${FAILED_EMAILS}) j LEFT JOIN shop.purchase p ON p.id = coalesce((j.payload->>'purchaseId')::uuid,
       (SELECT id FROM shop.purchase WHERE order_id = (j.payload->>'orderId')::uuid LIMIT 1))
     LEFT JOIN shop.user buyer ON buyer.id = p.user_id
     ORDER BY (j.attempts >= j.max_attempts), j.run_at LIMIT 100`,
  );
  return {
    mails: rows.map(({ id, kind, to, tries, problem, nextTry }) => ({
      id,
      kind: kind ?? "mail",
      tries,
      problem: problem.slice(0, 300),
      ...(to !== null && { to }),
      ...(nextTry && { nextTry: nextTry.toISOString() }),
    })),
  };
}

/** Retries an email at once, also without a further attempt, unless it is being sent. Refuses one that is not queued. */
export async function retryEmail(store: Store, jobId: string): Promise<{ modifiedCount: number } | Refusal> {
  const { rows } = await store.pool.query<{ retried: number }>(
    `SELECT (SELECT count(*) FROM graphile_worker.reschedule_jobs(ARRAY[j.id], run_at := now(), attempts := 0)) AS retried
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE j.id = $1 AND t.identifier = 'send-mail'`,
    [jobId],
  );
  return rows[0] ? { modifiedCount: rows[0].retried } : refuse("missing", refusals.emailNotFound);
}
