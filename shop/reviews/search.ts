import type { Output, Request } from "../../api/contract.ts";
import { likePatterns, MAX_COUNTED, MAX_MATCHES, readPage, type Select } from "../../database/pagination.ts";
import { isRefusal, type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

export interface ReviewRow {
  id: string;
  name: string;
  rating: number;
  description: string;
  written_at: Date;
  hidden_at: Date | null;
}

const SOURCE = `shop.review LEFT JOIN (SELECT id AS user_id, email FROM shop.user WHERE deleted_at IS NULL) author
  USING (user_id)`;

type Search = Request<"searchReviews">["query"];
type ReviewPage = Output<"searchReviews">;

export async function searchReviews(store: Store, search: Search): Promise<ReviewPage | Refusal> {
  const [page, counts] = await Promise.all([readReviews(store, search), countReviews(store, search)]);
  if (isRefusal(page)) return page;
  return { ...page, counts, ...(search.q && { countLimit: MAX_COUNTED }) };
}

function matchReviews({ q }: Search): Select {
  const values = likePatterns(q);
  const conditions = values.map(
    (_, index) => ` AND ((name || ' ' || description) ILIKE $${index + 1} OR user_id = ANY (ARRAY(
      SELECT u.id FROM shop.user u WHERE deleted_at IS NULL AND (u.name || ' ' || u.email) ILIKE $${index + 1}
        AND u.email ILIKE $${index + 1} ORDER BY u.id DESC LIMIT ${MAX_MATCHES})))`,
  );
  return { text: `${SOURCE} WHERE true${conditions.join("")}`, values };
}

/** Without the counts, which each page of an export would repeat. */
export async function readReviews(
  { pool }: Store,
  search: Search,
): Promise<Pick<ReviewPage, "reviews" | "next" | "previous"> | Refusal> {
  const { text, values } = matchReviews(search);
  const page = await readPage<ReviewRow & { email: string | null }>(
    pool,
    { text: `SELECT * FROM ${text}${search.hidden ? " AND hidden_at IS NOT NULL" : ""}`, values },
    { column: "id", descending: true, kind: "uuid" },
    search,
  );
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    reviews: rows.map((row) => ({ ...toReview(row), ...(row.email && { email: row.email }) })),
    ...cursors,
  };
}

/** As admins see it. */
export function toReview({ id, name, rating, description, written_at, hidden_at }: ReviewRow) {
  return {
    _id: id,
    name,
    rating: Number(rating),
    description,
    writtenAt: written_at.toISOString(),
    hidden: hidden_at !== null,
  };
}

async function countReviews({ pool }: Store, search: Search): Promise<ReviewPage["counts"]> {
  const { text, values } = matchReviews(search);
  const limit = search.q ? ` LIMIT ${MAX_COUNTED}` : "";
  const { rows } = await pool.query<ReviewPage["counts"]>(
    `SELECT (SELECT count(*) FROM (SELECT FROM ${text}${limit}) AS counted) AS all,
       (SELECT count(*) FROM (SELECT FROM ${text} AND hidden_at IS NOT NULL${limit}) AS counted) AS hidden`,
    values,
  );
  return rows[0] as ReviewPage["counts"];
}
