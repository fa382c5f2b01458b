import type { Output, Request } from "../../api/contract.ts";
import { likePatterns, MAX_COUNTED, readPage } from "../../database/pagination.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toUser, USERS, type UserRow } from "./queries.ts";

type UserPage = Output<"searchUsers">;

const roleConditions = { admin: " AND role = 'admin'", user: " AND role = 'user'" };

export async function searchUsers(
  store: Store,
  search: Request<"searchUsers">["query"],
): Promise<UserPage | Refusal> {
  const patterns = likePatterns(search.q);
  const conditions = patterns.map((_, index) => ` AND (name || ' ' || email) ILIKE $${index + 1}`);
  const limit = search.q ? ` LIMIT ${MAX_COUNTED}` : "";
  const roleCondition = search.role ? roleConditions[search.role] : "";
  const [page, counted] = await Promise.all([
    readPage<UserRow>(
      store.pool,
      { text: `${USERS}${conditions.join("")}${roleCondition}`, values: patterns },
      { column: "email", descending: false, kind: "text" },
      search,
    ),
    store.pool.query<UserPage["counts"]>(
      `SELECT (SELECT count(*) FROM (
           SELECT FROM shop.user WHERE deleted_at IS NULL${conditions.join("")}${limit}) AS counted) AS all,
         (SELECT count(*) FROM (
           SELECT FROM shop.user WHERE deleted_at IS NULL AND role = 'admin'${conditions.join("")}${limit}) AS counted) AS admin`,
      patterns,
    ),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    users: rows.map((row) => ({ ...toUser(row), ...(row.disabled_at && { closed: true as const }) })),
    counts: counted.rows[0] as UserPage["counts"],
    ...(search.q && { countLimit: MAX_COUNTED }),
    ...cursors,
  };
}
