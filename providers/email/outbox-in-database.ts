import { EMAIL_ID } from "../../api/fields.ts";
import type { Queryable } from "../../database/client.ts";
import { MAX_COUNTED } from "../../database/pagination.ts";
import type { Deliver } from "./deliver.ts";
import type { Outbox, OutboxEmail } from "./outbox.ts";

interface Row {
  id: string;
  sent_at: Date;
  mail: Pick<OutboxEmail, "to" | "subject" | "text" | "html">;
}

function toEmail({ id, sent_at, mail: { to, subject, text, html } }: Row): OutboxEmail {
  return { id, to, subject, sentAt: sent_at.toISOString(), text, html };
}

export function deliverToDatabase(db: Queryable): Deliver {
  return async (message, id) => {
    const [, queued, job] = EMAIL_ID.exec(id) ?? [];
    await db.query(
      `INSERT INTO shop.outbox (queued, job, mail) VALUES ($1::bigint, $2::bigint, $3::jsonb)
       ON CONFLICT (queued, job) DO UPDATE SET mail = excluded.mail, sent_at = now()`,
      [queued, job, JSON.stringify(message)],
    );
  };
}

export function openDatabaseOutbox(db: Queryable): Outbox {
  return {
    async find(id) {
      const [, queued, job] = EMAIL_ID.exec(id) ?? [];
      if (!queued) return null;
      const { rows } = await db.query<Row>(
        `SELECT queued || '-' || job AS id, sent_at, mail FROM shop.outbox
         WHERE queued = $1::bigint AND job = $2::bigint`,
        [queued, job],
      );
      return rows[0] ? toEmail(rows[0]) : null;
    },
    async list(limit, before = "") {
      const [, queued = null, job = null] = EMAIL_ID.exec(before) ?? [];
      const { rows } = await db.query<Row>(
        `SELECT queued || '-' || job AS id, sent_at, mail FROM shop.outbox
         WHERE $1::bigint IS NULL OR (queued, job) < ($1::bigint, $2::bigint)
         ORDER BY queued DESC, job DESC LIMIT $3::integer`,
        [queued, job, limit + 1],
      );
      const { rows: counted } = await db.query<{ all: number }>(
        `SELECT count(*)::integer AS all FROM (SELECT FROM shop.outbox LIMIT ${MAX_COUNTED}) AS counted`,
      );
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const nextPage = rows.length > limit && last && { next: last.id };
      return { mails: page.map(toEmail), all: counted[0]?.all ?? 0, countLimit: MAX_COUNTED, ...nextPage };
    },
  };
}

const BATCH = 1000;

export async function deleteOldEmails(db: Queryable): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM shop.outbox WHERE (queued, job) IN (
         SELECT queued, job FROM shop.outbox
         WHERE queued < (extract(epoch FROM now() - interval '90 days') * 1000)::bigint LIMIT ${BATCH})`,
    );
    if ((rowCount ?? 0) < BATCH) return;
  }
}
