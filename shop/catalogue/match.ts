/** What a typed text may mean: tools of an item number, or tools that have its words. */
import type { Store } from "../store.ts";
import { oneSlipFrom, slips, slipsAllowed, slipsOfBeginning } from "./nearness.ts";

/** Everything; tools whose item number begins so; tools of exactly these item numbers; or tools with these words. */
export type Match =
  | { kind: "all" }
  | { kind: "item"; key: string }
  | { kind: "items"; keys: string[] }
  | {
      kind: "words";
      /** ids of shop.catalogue_word: a tool has one of each list, anywhere in its texts */
      anywhere: number[][];
      /** the same in its name or category: these tools come first */
      named: number[][];
      /** the text as it was understood, where that is not what was typed */
      understood?: string;
    };

/** How a half-typed last word may go on, and how many words it may stand for. */
const MOST_ENDINGS = 24;
const MOST_WORDS = 12;

interface Word {
  typed: string;
  /** known words that it is, begins or is mistyped for; with how many tools have them */
  known: Known[];
}

interface Known {
  id: number;
  word: string;
  tools: number;
  /** the id of the same word in names */
  named: number | null;
}

const KNOWN = `
WITH typed AS (
  SELECT word, place, place = count(*) OVER () AS is_last
  FROM unnest((shop.words_of($1))[1:${MOST_WORDS}]) WITH ORDINALITY AS word (word, place)
)
SELECT typed.word, coalesce((
  SELECT json_agg(json_build_object('id', known.id, 'word', known.word, 'tools', known.tools, 'named', name.id)) FROM (
    SELECT id, word, tools FROM shop.catalogue_word
    WHERE kind = 'word' AND catalogue_word.word >= typed.word
      AND catalogue_word.word <= typed.word || CASE WHEN is_last THEN chr(1114111) ELSE '' END
    ORDER BY catalogue_word.word = typed.word DESC, tools DESC LIMIT ${MOST_ENDINGS}
  ) AS known LEFT JOIN shop.catalogue_word name ON name.kind = 'name' AND name.word = known.word
), '[]') AS known
FROM typed ORDER BY place`;

/** Understands what a buyer typed. A word that nothing has is taken for the nearest one that something has. */
export async function understand(store: Store, text: string): Promise<Match> {
  const words = await knownWords(store, text);
  if (words.length === 0) return { kind: "all" };
  const key = text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  const strange = words.some(({ known }) => known.length === 0);
  const itemLike = key !== "" && key.length <= 60 && (strange || /\d/.test(key));
  if (itemLike && (await hasItem(store, key))) return { kind: "item", key };
  if (strange) {
    if (/\d/.test(key) && key.length >= 4 && key.length <= 40) {
      const keys = await itemsAmong(store, oneSlipFrom(key));
      if (keys.length > 0) return { kind: "items", keys };
    }
    return mend(store, words);
  }
  return toMatch(words);
}

async function knownWords(store: Store, text: string): Promise<Word[]> {
  const { rows } = await store.pool.query<{ word: string; known: Word["known"] }>({
    name: "catalogue-words",
    text: KNOWN,
    values: [text],
  });
  return rows.map(({ word, known }) => ({ typed: word, known }));
}

async function hasItem(store: Store, key: string): Promise<boolean> {
  const { rowCount } = await store.pool.query({
    name: "catalogue-has-item",
    text: "SELECT 1 FROM shop.catalogue_entry WHERE item_key >= $1 AND item_key < $1 || chr(1114111) LIMIT 1",
    values: [key],
  });
  return rowCount === 1;
}

async function itemsAmong(store: Store, keys: string[]): Promise<string[]> {
  const { rows } = await store.pool.query<{ item_key: string }>(
    "SELECT item_key FROM shop.catalogue_entry WHERE item_key = ANY ($1) ORDER BY item_key LIMIT 50",
    [keys],
  );
  return rows.map((row) => row.item_key);
}

async function mend(store: Store, words: Word[]): Promise<Match> {
  const mended = await Promise.all(
    words.map(async (word, index) => {
      // numbers are never guessed
      if (word.known.length > 0 || /\d/.test(word.typed)) return word;
      return { typed: word.typed, known: await nearWords(store, word.typed, index === words.length - 1) };
    }),
  );
  const match = toMatch(mended);
  const understood = mended.map(({ typed, known }) => (known[0] ? known[0].word : typed)).join(" ");
  const different = mended.some((word, index) => word !== words[index] && word.known.length > 0);
  return match.kind === "words" && different ? { ...match, understood } : match;
}

/** The known words that this one is a slip away from; the nearest and most frequent first. */
async function nearWords(store: Store, typed: string, isLast: boolean): Promise<Known[]> {
  const { rows } = await store.pool.query<Known>({
    name: "catalogue-similar",
    text: `SELECT known.id, known.word, known.tools, name.id AS named FROM shop.similar_words($1) AS known
           LEFT JOIN shop.catalogue_word name ON name.kind = 'name' AND name.word = known.word`,
    values: [typed],
  });
  const far = (word: string) => (isLast ? slipsOfBeginning(typed, word) : slips(typed, word));
  const near = rows
    .map((row) => ({ ...row, slips: far(row.word), whole: slips(typed, row.word) }))
    .filter((row) => row.slips <= slipsAllowed(typed.length))
    .sort((a, b) => a.slips - b.slips || a.whole - b.whole || b.tools - a.tools);
  return near.filter((row) => row.slips === near[0]?.slips).slice(0, 3);
}

function toMatch(words: Word[]): Match {
  return {
    kind: "words",
    anywhere: words.map(({ known }) => known.map(({ id }) => id)),
    named: words.map(({ known }) => known.flatMap(({ named }) => named ?? [])),
  };
}
