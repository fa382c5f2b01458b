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
      /** a text search query: all words, anywhere */
      anywhere: string;
      /** all words in name, category or item number: these tools come first */
      named: string;
      /** the text as it was understood, where that is not what was typed */
      understood?: string;
    };

/** How a half-typed last word may go on, and how many words it may stand for. */
const MOST_ENDINGS = 40;
const MOST_WORDS = 12;

interface Word {
  typed: string;
  /** known words that it is, begins or is mistyped for; with how many tools have them */
  known: { word: string; tools: number }[];
}

const KNOWN = `
WITH typed AS (SELECT word, place FROM unnest(shop.words_of($1)) WITH ORDINALITY AS word (word, place) LIMIT ${MOST_WORDS})
SELECT typed.word, coalesce((
  SELECT json_agg(json_build_object('word', known.word, 'tools', known.tools)) FROM (
    SELECT word, tools FROM shop.catalogue_word known
    WHERE known.word >= typed.word AND known.word <= typed.word || CASE WHEN place = (SELECT max(place) FROM typed) THEN chr(1114111) ELSE '' END
    ORDER BY known.word = typed.word DESC, tools DESC LIMIT ${MOST_ENDINGS}
  ) AS known
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
  const hasNumber = /\d/.test(key) && key.length <= 60;
  if (hasNumber && (await hasItem(store, key))) return { kind: "item", key };
  if (words.some(isStrange)) {
    if (hasNumber && key.length >= 4) {
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

/** A word without numbers that no tool has; numbers may be part of an item number, and are never guessed. */
function isStrange({ typed, known }: Word): boolean {
  return known.length === 0 && typed.length > 2;
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
      if (!isStrange(word) || /\d/.test(word.typed)) return word;
      return { typed: word.typed, known: await nearWords(store, word.typed, index === words.length - 1) };
    }),
  );
  const match = toMatch(mended);
  const understood = mended.map(({ typed, known }) => (known[0] ? known[0].word : typed)).join(" ");
  const different = mended.some((word, index) => word !== words[index] && word.known.length > 0);
  return match.kind === "words" && different ? { ...match, understood } : match;
}

/** The known words that this one is a slip away from; the nearest and most frequent first. */
async function nearWords(store: Store, typed: string, isLast: boolean): Promise<Word["known"]> {
  const { rows } = await store.pool.query<{ word: string; tools: number }>({
    name: "catalogue-similar",
    text: "SELECT word, tools FROM shop.similar_words($1)",
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
  const query = (prefixes: string[]) =>
    words
      .map(({ typed, known }) => {
        const forms = known.some(({ word }) => word === typed) ? known : [{ word: typed }, ...known];
        const each = forms.flatMap(({ word }) => prefixes.map((prefix) => quote(prefix + word)));
        return `(${[...each, quote(`i/${typed}`)].join(" | ")})`;
      })
      .join(" & ");
  return { kind: "words", anywhere: query([""]), named: query(["n/"]) };
}

function quote(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
