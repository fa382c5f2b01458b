/** Kept for six months, without secrets and emails, so deleting an account does not change them (migration 0009). */
import type { CallName, Output, Request } from "../../api/contract.ts";
import { type PageRequest, readPage } from "../../database/pagination.ts";
import { currentActor } from "../audit-log/actor.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { ATTEMPT_REFUSED, findTexts, labelOf, matchActivity, REFUSED } from "./find-activity.ts";
import type { SecurityEvent } from "./security-event.ts";

type ActivitySearch = Request<"searchActivity">["query"];
type ActivityPage = Output<"searchActivity">;

export async function recordSecurityEvent(
  { pool }: Pick<Store, "pool">,
  { userId, email, credential, what, detail, ip, agent }: SecurityEvent,
): Promise<void> {
  await pool.query(
    `INSERT INTO identity.account_event (user_id, what, detail, ip, agent) VALUES (coalesce($1::uuid,
       (SELECT id FROM identity."user" WHERE email = $2),
       (SELECT "userId" FROM identity.passkey WHERE "credentialID" = $3)), $4, $5, $6, left($7, 200))`,
    [userId, email?.toLowerCase(), credential, what, detail, ip, agent],
  );
}

export function recordOwnEvent(store: Store, user: User, what: string, detail?: string): Promise<void> {
  const { ip, agent } = currentActor() ?? {};
  return recordSecurityEvent(store, {
    userId: user.id,
    what,
    ...(detail !== undefined && { detail }),
    ...(ip !== undefined && { ip }),
    ...(agent !== undefined && { agent }),
  });
}

/** Records a denied call by its name; the label is added when it is read. */
export function recordDeniedCall(
  store: Pick<Store, "pool">,
  call: CallName,
  by: Omit<SecurityEvent, "what" | "detail">,
) {
  return recordSecurityEvent(store, { ...by, what: REFUSED, detail: call });
}

const SELECT_EVENTS = `
SELECT * FROM (
  SELECT event.id, event.at, event.user_id, event.by_id, event.what, event.detail, event.ip, event.agent, owner.name,
    owner.email, admin.email AS by, identity.activity_words(event.what, event.detail) AS words
  FROM identity.account_event event
  LEFT JOIN shop.user owner ON owner.id = event.user_id AND owner.deleted_at IS NULL
  LEFT JOIN shop.user admin ON admin.id = event.by_id AND admin.deleted_at IS NULL
) AS entry WHERE`;

export function listActivity(store: Store, user: User, page: PageRequest): Promise<ActivityPage | Refusal> {
  return readEvents(store, `${SELECT_EVENTS} user_id = $1`, [user.id], page, false);
}

export async function searchActivity(store: Store, search: ActivitySearch): Promise<ActivityPage | Refusal> {
  const { text, values } = matchActivity(search, await findTexts(store.pool, search));
  return readEvents(store, `${SELECT_EVENTS} ${text}`, values, search, true);
}

interface Row {
  id: string;
  at: Date;
  name: string | null;
  email: string | null;
  by: string | null;
  by_id: string | null;
  what: string;
  detail: string | null;
  ip: string | null;
  agent: string | null;
}

async function readEvents(
  store: Store,
  text: string,
  values: unknown[],
  page: PageRequest,
  forAdmins: boolean,
): Promise<ActivityPage | Refusal> {
  const sorting = { column: "id", descending: true, kind: "uuid" } as const;
  const result = await readPage<Row>(store.pool, { text, values }, sorting, page);
  if (!result) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = result;
  return { events: rows.map((row) => toEvent(row, forAdmins)), ...cursors };
}

/** An owner sees that an admin acted, but neither which one nor from where. */
function toEvent(row: Row, forAdmins: boolean): ActivityPage["events"][number] {
  const isByAdmin = row.by_id !== null && !forAdmins;
  const call = row.what === REFUSED ? row.detail : null;
  const detail = call ? labelOf(call) : row.detail;
  return {
    _id: row.id,
    at: row.at.toISOString(),
    what: call ? ATTEMPT_REFUSED : row.what,
    ...(detail && { detail }),
    ...(forAdmins && call && { call }),
    ...(forAdmins && row.name && row.email && { who: { name: row.name, email: row.email } }),
    ...(row.by_id && { by: (forAdmins && row.by) || "An admin" }),
    ...(row.ip && !isByAdmin && { ip: row.ip }),
    ...(row.agent && !isByAdmin && { agent: row.agent }),
  };
}

const BATCH = 10_000;

/** In batches: deleting five million at once takes longer than a statement may. */
export async function deleteOldActivity({ pool }: Pick<Store, "pool">): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM identity.account_event WHERE id = ANY (ARRAY(
         SELECT id FROM identity.account_event WHERE at < now() - interval '181 days' ORDER BY at LIMIT ${BATCH}))`,
    );
    if ((rowCount ?? 0) < BATCH) return;
  }
}
