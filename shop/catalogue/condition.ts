import type { Match } from "./match.ts";

/** The SQL condition of a match on shop.catalogue_entry; its values are added to `values`. */
export function conditionOf(
  match: Match,
  values: unknown[],
  where: "anywhere" | "named" = "anywhere",
): string {
  const place = (value: unknown) => `$${values.push(value)}`;
  if (match.kind === "words") return `words @@ ${place(match[where])}::tsquery`;
  if (match.kind === "items") return `item_key = ANY (${place(match.keys)})`;
  if (match.kind === "item") {
    const key = place(match.key);
    return `item_key >= ${key} AND item_key < ${key} || chr(1114111)`;
  }
  return "true";
}
