import type { Store } from "../../store.ts";
import { editDistance, maxEdits, prefixEditDistance, withinOneEdit } from "./edit-distance.ts";
import {
  type Interpretation,
  interpretationsOf,
  isStopWord,
  type Meaning,
  withUnits,
} from "./interpretations.ts";

export type ParsedQuery =
  | { kind: "all" }
  | { kind: "item"; key: string }
  | { kind: "items"; keys: string[] }
  | {
      kind: "words";
      /** the senses of each word; a document matches if it has one sense of every word */
      words: Sense[][];
      understood?: string;
    };

export interface Sense {
  /** ids of shop.catalogue_word: a document has one of each list, anywhere in its texts */
  anywhere: number[][];
  named: number[][];
  whole: boolean;
}

const MAX_COMPLETIONS = 24;
const MAX_WORDS = 12;
const MAX_SYNONYM_WORDS = 4;
const MIN_PREFIX_LENGTH = 4;
/** As in shop.index_words (migration 0004). */
const MAX_WORD_LENGTH = 60;

interface KnownWord {
  id: number;
  word: string;
  tools: number;
  named: number | null;
}

interface Word {
  typed: string;
  senses: Sense[];
  corrected?: string;
}

// Estimates that do not depend on the parameters let PostgreSQL keep one plan: planning takes longer than running.
const TYPED = `
WITH typed AS MATERIALIZED (
  SELECT ARRAY(SELECT left(word, ${MAX_WORD_LENGTH}) FROM unnest((shop.words_of($1))[1:${MAX_WORDS}]) AS word) AS words
), run AS (
  SELECT first.place AS first, last.place AS last, array_to_string(words[first.place:last.place], '') AS key,
    last.place = cardinality(words) AS may_go_on
  FROM typed, unnest(words) WITH ORDINALITY AS first (word, place),
    unnest(words) WITH ORDINALITY AS last (word, place)
  WHERE last.place BETWEEN first.place AND first.place + ${MAX_SYNONYM_WORDS - 1}
)
SELECT words, shop.item_key(normalize($2, NFKC)) AS key, shop.item_key(normalize($2, NFKD)) AS decomposed, (
  SELECT json_agg(json_build_object(
    'from', first - 1, 'to', last - 1, 'words', shop.words_of(known.meaning), 'whole', known.key = run.key))
  FROM run JOIN shop.synonym_meaning known ON known.key >= run.key AND known.key <= run.key || CASE
    WHEN may_go_on AND length(run.key) >= ${MIN_PREFIX_LENGTH} THEN chr(1114111) ELSE '' END
) AS meanings
FROM typed`;

const KNOWN = `
SELECT known.*, (
  SELECT id FROM shop.catalogue_word name WHERE name.kind = 'name' AND name.word = known.word) AS named
FROM (
  SELECT id, known.word, tools, NULL AS prefix
  FROM json_array_elements_text($1) AS form (word) JOIN shop.catalogue_word known
    ON known.kind = 'word' AND known.word = form.word
  UNION ALL
  SELECT more.*, prefix FROM json_array_elements_text($2) AS prefix, LATERAL (
    SELECT id, word, tools FROM shop.catalogue_word
    WHERE kind = 'word' AND word > prefix AND word <= prefix || chr(1114111)
    ORDER BY tools DESC LIMIT ${MAX_COMPLETIONS}
  ) AS more
) AS known`;

/** Parses a search text. A word that no product has is replaced by the most similar one that some product has. */
export async function parseQuery(store: Store, text: string): Promise<ParsedQuery> {
  const { words, key, decomposed } = await knownWords(store, text, withUnits(text));
  if (words.length === 0) return { kind: "all" };
  const hasUnknown = words.some(isUnknown);
  // item numbers are stored as they were typed or imported
  for (const one of new Set([key, decomposed])) {
    const isItemNumber = one !== "" && one.length <= 60 && (hasUnknown || /\d/.test(one));
    if (isItemNumber && (await hasItem(store, one))) return { kind: "item", key: one };
  }
  if (hasUnknown) {
    if (/\d/.test(key) && key.length >= 4 && key.length <= 40) {
      const keys = await itemsAmong(store, withinOneEdit(key));
      if (keys.length > 0) return { kind: "items", keys };
    }
    // a name may have a unit as it is typed: 7" or 96 volts
    const typed = withUnits(text) === text ? { words } : await knownWords(store, text, text);
    if (typed.words.length > 0 && !typed.words.some(isUnknown)) return toParsedQuery(typed.words);
    return correctSpelling(store, words);
  }
  return toParsedQuery(words);
}

const isUnknown = ({ senses }: Word) => senses.length === 0;

/** The words, and the key of an item number in both normal forms. */
async function knownWords(
  store: Store,
  text: string,
  read: string,
): Promise<{ words: Word[]; key: string; decomposed: string }> {
  const { rows } = await store.pool.query<{
    words: string[];
    key: string;
    decomposed: string;
    meanings: Meaning[] | null;
  }>({
    name: "catalogue-typed",
    text: TYPED,
    values: [read, text],
  });
  const { words: typed, meanings, ...keys } = rows[0] as (typeof rows)[number];
  if (typed.length === 0) return { words: [], ...keys };
  const interpretations = interpretationsOf(typed, meanings ?? []);
  const senses = await sensesOf(store, interpretations);
  const words = typed.map((word, at) => ({
    typed: word,
    senses: interpretations.flatMap(({ from, to }, index) =>
      from <= at && at <= to ? (senses[index] ?? []) : [],
    ),
  }));
  const significant = words.filter((word) => !isStopWord(word.typed));
  return { words: significant.length > 0 ? significant : words, ...keys };
}

async function sensesOf(store: Store, interpretations: Interpretation[]): Promise<Sense[][]> {
  const prefixes = interpretations.flatMap(({ mayBePrefix, words }) =>
    mayBePrefix ? (words.at(-1) as string) : [],
  );
  const { rows } = await store.pool.query<KnownWord & { prefix: string | null }>({
    name: "catalogue-known",
    text: KNOWN,
    values: [[...new Set(interpretations.flatMap(({ words }) => words))], prefixes].map((list) =>
      JSON.stringify(list),
    ),
  });
  const known = Map.groupBy(rows, ({ word, prefix }) => (prefix ? `${prefix}…` : word));
  const sense = (words: string[], whole: boolean): Sense[] => {
    const found = words.map((word) => known.get(word));
    return found.every((one) => one !== undefined) ? [senseOf(found, whole)] : [];
  };
  return interpretations.map(({ words, mayBePrefix, whole }) => [
    ...sense(words, whole),
    ...(mayBePrefix ? sense([...words.slice(0, -1), `${words.at(-1)}…`], false) : []),
  ]);
}

function senseOf(words: KnownWord[][], whole: boolean): Sense {
  return {
    anywhere: words.map((known) => known.map(({ id }) => id)),
    named: words.map((known) => known.flatMap(({ named }) => named ?? [])),
    whole,
  };
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

async function correctSpelling(store: Store, words: Word[]): Promise<ParsedQuery> {
  const corrected = await Promise.all(
    words.map(async (word, index): Promise<Word> => {
      // numbers are never corrected
      if (word.senses.length > 0 || /\d/.test(word.typed)) return word;
      const near = await similarWords(store, word.typed, index === words.length - 1);
      if (!near[0]) return word;
      return { typed: word.typed, senses: [senseOf([near], false)], corrected: near[0].word };
    }),
  );
  const understood = corrected.map(({ typed, corrected: word }) => word ?? typed).join(" ");
  return { ...toParsedQuery(corrected), ...(corrected.some((word) => word.corrected) && { understood }) };
}

/** Known words within the allowed edit distance, nearest and most frequent first. */
async function similarWords(store: Store, typed: string, isLast: boolean): Promise<KnownWord[]> {
  const { rows } = await store.pool.query<KnownWord>({
    name: "catalogue-similar",
    text: `SELECT known.id, known.word, known.tools, name.id AS named FROM shop.similar_words($1) AS known
           LEFT JOIN shop.catalogue_word name ON name.kind = 'name' AND name.word = known.word`,
    values: [typed],
  });
  const distance = (word: string) => (isLast ? prefixEditDistance(typed, word) : editDistance(typed, word));
  const near = rows
    .map((row) => ({ ...row, edits: distance(row.word), whole: editDistance(typed, row.word) }))
    .filter((row) => row.edits <= maxEdits(typed.length))
    .sort((a, b) => a.edits - b.edits || a.whole - b.whole || b.tools - a.tools);
  return near.filter((row) => row.edits === near[0]?.edits).slice(0, 3);
}

function toParsedQuery(words: Word[]) {
  return { kind: "words" as const, words: words.map(({ senses }) => senses) };
}
