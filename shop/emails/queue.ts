import type { Queryable } from "../../database/client.ts";
import type { EmailJob } from "./compose.ts";

/** Statements that change data queue their own emails, with the same function (migration 0041). */
export async function queueEmail(
  db: Queryable,
  job: EmailJob & { trace?: string | undefined },
): Promise<void> {
  await db.query("SELECT shop.queue_email($1)", [JSON.stringify(job)]);
}
