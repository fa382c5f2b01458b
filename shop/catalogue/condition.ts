/** What is asked of shop.catalogue_entry, as SQL. */
import { MINIMUM_STEPS, type Picks, stocks } from "./facets.ts";
import type { Match } from "./match.ts";

/** Takes a value of a statement and gives its place, "$1". */
export type Place = (value: unknown) => string;

/** The condition of a match. */
export function matches(match: Match, place: Place, where: "anywhere" | "named" = "anywhere"): string {
  if (match.kind === "words") return hasOneOfEach(match[where], place);
  if (match.kind === "items") return `item_key = ANY (${place(match.keys)})`;
  if (match.kind === "item") {
    const key = place(match.key);
    return `item_key >= ${key} AND item_key < ${key} || chr(1114111)`;
  }
  return "true";
}

/** One of the ids of every list is among the entry's words. */
export function hasOneOfEach(lists: number[][], place: Place): string {
  return lists.map((ids) => `words && ${place(ids)}::integer[]`).join(" AND ") || "true";
}

/** The picks as lists of ids: `ids` knows the id of every value of a facet, such as "category=Sawing". */
export function pickedIds(picks: Picks, ids: Map<string, number>): number[][] {
  const { minimum, stock } = picks;
  const lists = [
    picks.category.map((value) => `category=${value}`),
    picks.power.map((value) => `power=${value}`),
    picks.voltage.map((value) => `voltage=${value}`),
    picks.price.map((band) => `price=${band}`),
    minimum === undefined
      ? []
      : MINIMUM_STEPS.flatMap((step, band) => (step <= minimum ? `minimum=${band}` : [])),
    stock === undefined
      ? []
      : stocks.slice(stocks.indexOf(stock)).map((one) => `stock=${stocks.indexOf(one) + 1}`),
  ];
  return lists.filter((list) => list.length > 0).map((list) => list.flatMap((value) => ids.get(value) ?? []));
}
