import type pg from "pg";
import { type Bits, bitsOf, intersection, union } from "./bits.ts";
import type { Match } from "./match.ts";
import type { Places } from "./places.ts";

const BEGINNING = `
SELECT json_agg(place) AS places FROM shop.catalogue_entry WHERE item_key >= $1 AND item_key < $1 || chr(1114111)`;
const EXACTLY = "SELECT json_agg(place) AS places FROM shop.catalogue_entry WHERE item_key = ANY ($1)";

/** The places that match (undefined: all), and those of them that are named so. */
export async function matching(
  pool: pg.Pool,
  places: Places,
  match: Match,
): Promise<{ bits: Bits | undefined; named: Bits }> {
  if (match.kind === "all") return { bits: undefined, named: [] };
  if (match.kind === "words") {
    const words = await places.words([...new Set([...match.anywhere, ...match.named].flat())]);
    const oneOfEach = (lists: number[][]) =>
      intersection(lists.map((ids) => union(ids.map((id) => words.get(id) as Bits))));
    return { bits: oneOfEach(match.anywhere), named: oneOfEach(match.named) };
  }
  const { rows } = await pool.query<{ places: number[] | null }>(
    match.kind === "item"
      ? { name: "catalogue-item-places", text: BEGINNING, values: [match.key] }
      : { name: "catalogue-items-places", text: EXACTLY, values: [match.keys] },
  );
  return { bits: bitsOf(rows[0]?.places ?? []), named: [] };
}
