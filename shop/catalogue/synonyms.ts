import type { Output, Request } from "../../api/contract.ts";
import { likePatterns, readPage } from "../../database/pagination.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

type Synonym = Output<"addSynonym">;
type Row = { id: string; term: string; same_as: string };
type Search = Request<"listSynonyms">["query"];

export async function listSynonyms(store: Store, search: Search): Promise<Output<"listSynonyms"> | Refusal> {
  const values = likePatterns(search.q);
  const found = values.map((_, index) => ` AND concat_ws(' ', term, same_as) ILIKE $${index + 1}`);
  const text = `SELECT id, term, same_as FROM shop.synonym WHERE true${found.join("")}`;
  const sorting = { column: "term", descending: false, kind: "text" } as const;
  const page = await readPage<Row>(store.pool, { text, values }, sorting, search);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return { synonyms: rows.map(toSynonym), ...cursors };
}

/** Refuses a term without words, two equal terms and an existing pair. */
export async function addSynonym(
  store: Store,
  { term, sameAs }: Request<"addSynonym">["body"],
): Promise<Synonym | Refusal> {
  const { rows: read } = await store.pool.query<{ term: string; same: string }>(
    "SELECT shop.joined_words($1) AS term, shop.joined_words($2) AS same",
    [term, sameAs],
  );
  const keys = read[0] as (typeof read)[number];
  if (keys.term === "") return refuseField("term", refusals.noWords);
  if (keys.same === "") return refuseField("sameAs", refusals.noWords);
  if (keys.term === keys.same) return refuseField("sameAs", refusals.sameWords);
  try {
    const { rows } = await store.pool.query<Row>(
      `INSERT INTO shop.synonym (term, same_as) VALUES ($1, $2) RETURNING *, ${actorSql("$3")}`,
      [term, sameAs, actorText()],
    );
    return toSynonym(rows[0] as Row);
  } catch (error) {
    if (isUniqueViolation(error, "synonym_pair_key")) return refuse("conflict", refusals.synonymKnown);
    throw error;
  }
}

export async function deleteSynonym(store: Store, id: string): Promise<{ deletedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(
    `DELETE FROM shop.synonym WHERE id = $1 RETURNING ${actorSql("$2")}`,
    [id, actorText()],
  );
  return rowCount === 1 ? { deletedCount: 1 } : refuse("missing", refusals.synonymNotFound);
}

function toSynonym({ id, term, same_as }: Row): Synonym {
  return { _id: id, term, sameAs: same_as };
}
