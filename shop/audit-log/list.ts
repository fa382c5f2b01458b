import type { Output, Request } from "../../api/contract.ts";
import { readPage } from "../../database/pagination.ts";
import type { EventRow } from "../../database/schema.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { findMatches, matchEvents } from "./find-by-words.ts";

type AuditLogPage = Output<"listHistory">;

interface Labels {
  id: string;
  name: string | null;
  email: string | null;
  about: string | null;
}

// ids are compared as UUIDs, to use an index; those of payments are text
const LABELS = `
SELECT event.id, actor.name, actor.email,
  coalesce(product.name, purchase.product_name, subject_user.email, review.name, event.after->>'term', event.before->>'term',
    'Order ' || noted_order.number) AS about
FROM shop.event
LEFT JOIN shop.user actor ON actor.id = event.who
LEFT JOIN shop.product ON product.id = CASE WHEN event.subject = 'product' THEN event.subject_id::uuid END
LEFT JOIN shop.purchase ON purchase.id = event.purchase_id
LEFT JOIN shop.user subject_user
  ON subject_user.id = CASE event.subject WHEN 'user' THEN event.subject_id::uuid
    WHEN 'note' THEN (coalesce(event.after, event.before)->>'customer_id')::uuid END
LEFT JOIN shop.order noted_order
  ON noted_order.id = CASE WHEN event.subject = 'note' THEN (coalesce(event.after, event.before)->>'order_id')::uuid END
LEFT JOIN shop.review ON review.id = CASE WHEN event.subject = 'review' THEN event.subject_id::uuid END
WHERE event.id = ANY ($1)`;

export async function listAuditLog(
  store: Store,
  search: Request<"listHistory">["query"],
): Promise<AuditLogPage | Refusal> {
  const matching = matchEvents(search, await findMatches(store.pool, search.q));
  const sorting = { column: "id", descending: true, kind: "uuid" } as const;
  const page = await readPage<EventRow>(
    store.pool,
    { text: `SELECT * FROM shop.event WHERE ${matching.text}`, values: matching.values },
    sorting,
    search,
  );
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  const found = await store.pool.query<Labels>(LABELS, [rows.map(({ id }) => id)]);
  const labels = new Map(found.rows.map((row) => [row.id, row]));
  return { events: rows.map((row) => toEvent(row, labels.get(row.id) as Labels)), ...cursors };
}

function toEvent(row: EventRow, { name, email, about }: Labels): AuditLogPage["events"][number] {
  return {
    _id: row.id,
    at: row.at.toISOString(),
    ...(name && email && { who: { name, email } }),
    role: row.role,
    what: row.what,
    subject: row.subject,
    subjectId: row.subject_id,
    ...(about && { about }),
    ...(row.purchase_id && { purchaseId: row.purchase_id }),
    ...(row.before && { before: row.before }),
    ...(row.after && { after: row.after }),
    ...(row.ip && { ip: row.ip }),
    ...(row.agent && { agent: row.agent }),
  };
}
