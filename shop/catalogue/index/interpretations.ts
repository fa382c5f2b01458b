/** Words for the typed words `from` to `to`; a document needs all of them. */
export interface Interpretation {
  from: number;
  to: number;
  words: string[];
  /** the last word may be a prefix */
  mayBePrefix?: true;
  whole: boolean;
}

export interface Meaning {
  from: number;
  to: number;
  words: string[];
  whole: boolean;
}

const STOP_WORDS = new Set(["a", "an", "and", "for", "from", "of", "on", "or", "the", "to", "with"]);
const MIN_PART_LENGTH = 3;
const MIN_PLURAL_LENGTH = 4;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

export function interpretationsOf(typed: string[], meanings: Meaning[]): Interpretation[] {
  const last = typed.length - 1;
  const one = (at: number, words: string[]): Interpretation => ({ from: at, to: at, words, whole: true });
  return [
    ...meanings,
    ...typed.flatMap((word, at): Interpretation[] => [
      { ...one(at, [word]), ...(at === last && { mayBePrefix: true }) },
      ...otherForms(word).map((form) => one(at, [form])),
      ...partsOf(word).map((parts) => one(at, parts)),
      ...joined(typed, at),
    ]),
  ];
}

/** "screw driver" is also "screwdriver". */
function joined(typed: string[], at: number): Interpretation[] {
  const [left, right] = [typed[at], typed[at + 1]];
  if (!left || !right || !isLetters(left) || !isLetters(right)) return [];
  const mayBePrefix = at + 1 === typed.length - 1;
  return [{ from: at, to: at + 1, words: [left + right], whole: true, ...(mayBePrefix && { mayBePrefix }) }];
}

/** "hammerdrill" is also "hammer drill": every split of the word, none within a surrogate pair. */
function partsOf(word: string): [string, string][] {
  if (!isLetters(word)) return [];
  const letters = [...word];
  const splits = Math.max(0, letters.length - 2 * MIN_PART_LENGTH + 1);
  return Array.from({ length: splits }, (_, at) => [
    letters.slice(0, at + MIN_PART_LENGTH).join(""),
    letters.slice(at + MIN_PART_LENGTH).join(""),
  ]);
}

function otherForms(word: string): string[] {
  if (!isLetters(word) || word.length < MIN_PLURAL_LENGTH - 1) return [];
  if (word.length < MIN_PLURAL_LENGTH || !word.endsWith("s") || word.endsWith("ss")) return [`${word}s`];
  if (word.endsWith("ies")) return [`${word.slice(0, -3)}y`];
  return word.endsWith("es") ? [word.slice(0, -1), word.slice(0, -2)] : [word.slice(0, -1)];
}

function isLetters(word: string): boolean {
  return /^\p{L}+$/u.test(word);
}

const UNITS: [RegExp, string][] = [
  [/(\d)[\s-]*volts?\b/gi, "$1 V"],
  [/(\d)[\s-]*kilowatts?\b/gi, "$1 kW"],
  [/(\d)[\s-]*watts?\b/gi, "$1 W"],
  [/(\d)[\s-]*amp[\s-]*hours?\b/gi, "$1 Ah"],
  [/(\d)[\s-]*(?:newton[\s-]*met(?:er|re)s?)\b/gi, "$1 Nm"],
  [/(\d)[\s-]*joules?\b/gi, "$1 J"],
  [/(\d)[\s-]*(?:inch(?:es)?\b|["”″])/gi, "$1 in"],
  [/(\d)[\s-]*(?:millimet(?:er|re)s?)\b/gi, "$1 mm"],
  [/(\d)[\s-]*(?:lit(?:er|re)s?)\b/gi, "$1 l"],
  [/(\d)[\s-]*lumens?\b/gi, "$1 lm"],
  [/½/g, " 1/2"],
  [/¼/g, " 1/4"],
  [/¾/g, " 3/4"],
];

/** Units as in the technical data: "18 volt" is 18 V, `5"` is 5 in. */
export function withUnits(text: string): string {
  return UNITS.reduce((given, [unit, sign]) => given.replace(unit, sign), text);
}
