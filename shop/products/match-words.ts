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
  const key = (q ?? "").replace(/[^\p{L}\p{N}]/gu, "");
  const mayBeItemNumber = /\d/.test(key) && key.length >= MIN_KEY_LENGTH;
  const words = patterns.map((_, index) => ` AND ${WORDS} ILIKE $${parameters + index + 2}::text`);
  return {
    text: `((true${words.join("")}) OR ${WORDS} ILIKE $${parameters + 1}::text)`,
    values: [mayBeItemNumber ? likePattern(key) : null, ...patterns],
  };
}
