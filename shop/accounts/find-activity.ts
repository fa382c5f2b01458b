/** Search of security events: each word is resolved through indexes before the events are read (decision 67). */
import type { Request } from "../../api/contract.ts";
import { deniedCallLabels } from "../../api/denied-call-labels.ts";
import type { Queryable } from "../../database/client.ts";
import { likePattern, MAX_MATCHES, type Select, searchWords } from "../../database/pagination.ts";

// a loose index scan
const TEXTS = `
WITH RECURSIVE texts AS (
  (SELECT identity.activity_words(what, detail) AS words FROM identity.account_event ORDER BY words LIMIT 1)
  UNION ALL
  SELECT (SELECT identity.activity_words(what, detail) AS words FROM identity.account_event
    WHERE identity.activity_words(what, detail) > texts.words ORDER BY words LIMIT 1) FROM texts WHERE words IS NOT NULL
)
SELECT words FROM texts WHERE words IS NOT NULL`;

type ActivityFilter = Pick<Request<"searchActivity">["query"], "q" | "kind">;

/** The distinct texts of the entries. */
export async function findTexts(pool: Queryable, { q, kind }: ActivityFilter): Promise<string[]> {
  if (!q && !kind) return [];
  const { rows } = await pool.query<{ words: string }>(TEXTS);
  return rows.map(({ words }) => words);
}

/** Conditions on `words`, `user_id` and `ip` of an entry. */
export function matchActivity({ q, kind }: ActivityFilter, texts: string[]): Select {
  const textsWith = (word: string) => texts.filter((text) => shownText(text).includes(word.toLowerCase()));
  const words = searchWords(q);
  const conditions = words.map(
    (_, index) => ` AND (words = ANY ($${index * 3 + 2}::text[])
      OR user_id = ANY (ARRAY(SELECT account.id FROM shop.user account
        WHERE deleted_at IS NULL AND (account.name || ' ' || account.email) ILIKE $${index * 3 + 3}::text
        ORDER BY account.id DESC LIMIT ${MAX_MATCHES}))
      OR ip LIKE $${index * 3 + 4}::text)`,
  );
  return {
    text: `($1::text[] IS NULL OR words = ANY ($1))${conditions.join("")}`,
    values: [
      kind ? textsWith(kind) : null,
      ...words.flatMap((word) => [textsWith(word), likePattern(word), ipPattern(word)]),
    ],
  };
}

/** No IP address is empty. */
function ipPattern(word: string): string {
  return /^[\da-f.:]+$/i.test(word) ? `${word.toLowerCase()}%` : "";
}

/** The searched text of an entry, in lower case. */
function shownText(text: string): string {
  const [, call] = /^Call refused (\w+)$/.exec(text) ?? [];
  return (call ? `${ATTEMPT_REFUSED} ${labelOf(call)} ${call}` : text).toLowerCase();
}

/** A denied call is recorded by its name, and shown with the label. */
export const REFUSED = "Call refused";
export const ATTEMPT_REFUSED = "Attempt refused";

export function labelOf(call: string): string {
  return deniedCallLabels[call as keyof typeof deniedCallLabels] ?? call;
}
