import type { Queryable } from "../../database/client.ts";
import type { EmailJob } from "./compose.ts";

/** Queues an email. Statements that change something queue theirs themselves, with the same function (migration 0041). */
export async function queueEmail(db: Queryable, job: EmailJob): Promise<void> {
  await db.query("SELECT shop.queue_email($1)", [JSON.stringify(job)]);
}
