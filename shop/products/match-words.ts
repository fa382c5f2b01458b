import { likePattern, likePatterns, type Select } from "../../database/pagination.ts";

const WORDS = "shop.product_words(name, item_number, category)";

/** Of a text without its separators that may be an item number. */
const MIN_KEY_LENGTH = 4;

/**
 * A condition on shop.product; its parameters follow the first `parameters`. All words of the search, or an item number
 * with spaces or dashes in any place.
 */
export function matchWords(q: string | undefined, parameters: number): Select {
  const patterns = likePatterns(q);
  if (patterns.length === 0) return { text: "true", values: [] };
  const key = (q ?? "").replace(/[^\p{L}\p{N}]/gu, "");
  const mayBeItemNumber = /\d/.test(key) && key.length >= MIN_KEY_LENGTH;
  const values = mayBeItemNumber ? [...patterns, likePattern(key)] : patterns;
  const matches = values.map((_, index) => `${WORDS} ILIKE $${parameters + index + 1}::text`);
  const words = matches.slice(0, patterns.length).join(" AND ");
  return { text: mayBeItemNumber ? `(${words} OR ${matches.at(-1)})` : words, values };
}
