import type { Output, Request } from "../../api/contract.ts";
import { likePatterns, MAX_COUNTED, readPage } from "../../database/pagination.ts";
import { isRefusal, type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toUser, USERS, type UserRow } from "./queries.ts";

type UserPage = Output<"searchUsers">;

const roleConditions = { admin: " AND role = 'admin'", user: " AND role = 'user'" };

type Search = Request<"searchUsers">["query"];

export async function searchUsers(store: Store, search: Search): Promise<UserPage | Refusal> {
  const [page, counts] = await Promise.all([readUsers(store, search), countUsers(store, search)]);
  if (isRefusal(page)) return page;
  return { ...page, counts, ...(search.q && { countLimit: MAX_COUNTED }) };
}

const conditionsOf = (patterns: string[]) =>
  patterns.map((_, index) => ` AND (name || ' ' || email) ILIKE $${index + 1}`).join("");

/** Without the counts, which each page of an export would repeat. */
export async function readUsers(
  { pool }: Store,
  search: Search,
): Promise<Pick<UserPage, "users" | "next" | "previous"> | Refusal> {
  const patterns = likePatterns(search.q);
  const roleCondition = search.role ? roleConditions[search.role] : "";
  const page = await readPage<UserRow>(
    pool,
    { text: `${USERS}${conditionsOf(patterns)}${roleCondition}`, values: patterns },
    { column: "email", descending: false, kind: "text" },
    search,
  );
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    users: rows.map((row) => ({ ...toUser(row), ...(row.disabled_at && { closed: true as const }) })),
    ...cursors,
  };
}

async function countUsers({ pool }: Store, { q }: Search): Promise<UserPage["counts"]> {
  const patterns = likePatterns(q);
  const conditions = conditionsOf(patterns);
  const limit = q ? ` LIMIT ${MAX_COUNTED}` : "";
  const { rows } = await pool.query<UserPage["counts"]>(
    `SELECT (SELECT count(*) FROM (
         SELECT FROM shop.user WHERE deleted_at IS NULL${conditions}${limit}) AS counted) AS all,
       (SELECT count(*) FROM (
         SELECT FROM shop.user WHERE deleted_at IS NULL AND role = 'admin'${conditions}${limit}) AS counted) AS admin`,
    patterns,
  );
  return rows[0] as UserPage["counts"];
}
