import type { Output, Request } from "../../api/contract.ts";
import { likePatterns, MAX_COUNTED, MAX_MATCHES, readPage } from "../../database/pagination.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

interface Row {
  id: string;
  name: string;
  rating: number;
  description: string;
  written_at: Date;
  hidden_at: Date | null;
  email: string | null;
}

const SOURCE = `shop.review LEFT JOIN (SELECT id AS user_id, email FROM shop.user WHERE deleted_at IS NULL) author
  USING (user_id)`;

export async function searchReviews(
  store: Store,
  search: Request<"searchReviews">["query"],
): Promise<Output<"searchReviews"> | Refusal> {
  const values = likePatterns(search.q);
  const conditions = values.map(
    (_, index) => ` AND ((name || ' ' || description) ILIKE $${index + 1} OR user_id = ANY (ARRAY(
      SELECT u.id FROM shop.user u WHERE deleted_at IS NULL AND (u.name || ' ' || u.email) ILIKE $${index + 1}
        AND u.email ILIKE $${index + 1} ORDER BY u.id DESC LIMIT ${MAX_MATCHES})))`,
  );
  const limit = search.q ? ` LIMIT ${MAX_COUNTED}` : "";
  const matching = `${SOURCE} WHERE true${conditions.join("")}`;
  const [page, counted] = await Promise.all([
    readPage<Row>(
      store.pool,
      { text: `SELECT * FROM ${matching}${search.hidden ? " AND hidden_at IS NOT NULL" : ""}`, values },
      { column: "id", descending: true, kind: "uuid" },
      search,
    ),
    store.pool.query<Output<"searchReviews">["counts"]>(
      `SELECT (SELECT count(*) FROM (SELECT FROM ${matching}${limit}) AS counted) AS all,
         (SELECT count(*) FROM (SELECT FROM ${matching} AND hidden_at IS NOT NULL${limit}) AS counted) AS hidden`,
      values,
    ),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    reviews: rows.map((row) => ({
      _id: row.id,
      name: row.name,
      rating: Number(row.rating),
      description: row.description,
      writtenAt: row.written_at.toISOString(),
      hidden: row.hidden_at !== null,
      ...(row.email && { email: row.email }),
    })),
    counts: counted.rows[0] as Output<"searchReviews">["counts"],
    ...(search.q && { countLimit: MAX_COUNTED }),
    ...cursors,
  };
}
