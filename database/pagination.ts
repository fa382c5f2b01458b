/** Keyset pagination in both directions: a page deep in the list costs no more than the first. */
import type { Queryable } from "./client.ts";

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  next?: string;
  previous?: string;
}

/** A column of the selected row; ties are broken by `id` in the same direction. */
export interface Sorting {
  column: string;
  descending: boolean;
  kind: "text" | "number" | "uuid" | "instant";
  /** for timestamps, which the driver rounds: the column with the microseconds since 1970 */
  micros?: string;
}

export interface Select {
  /** name of the prepared statement of a frequent list; the text is the same for each name */
  name?: string;
  text: string;
  values: unknown[];
}

/** The matches of a search are counted up to here. */
export const MAX_COUNTED = 1000;

/** Where a word of a search is first resolved to ids, only this many, the newest, are used. */
export const MAX_MATCHES = 1000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const castParameter: Record<Sorting["kind"], (parameter: string) => string> = {
  text: (parameter) => `${parameter}::text`,
  number: (parameter) => `${parameter}::bigint`,
  uuid: (parameter) => `${parameter}::uuid`,
  instant: (parameter) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`,
};

interface Position {
  backward: boolean;
  value: string;
  id: string;
}

export async function readPage<Row extends { id: string }>(
  pool: Queryable,
  select: Select,
  sorting: Sorting,
  { limit, cursor }: PageRequest,
): Promise<Page<Row> | null> {
  const position = cursor === undefined ? undefined : readCursor(cursor, sorting);
  if (position === null) return null;
  const values = [...select.values];
  const isDescending = sorting.descending !== Boolean(position?.backward);
  let text = select.text;
  if (position) {
    values.push(position.value, position.id);
    const [value, id] = [castParameter[sorting.kind](`$${values.length - 1}`), `$${values.length}::uuid`];
    text += ` AND (${sorting.column}, id) ${isDescending ? "<" : ">"} (${value}, ${id})`;
  }
  const order = orderBy({ ...sorting, descending: isDescending });
  values.push(limit + 1);
  const name = select.name && [select.name, position ? "from" : "first", order].join(" ");
  const { rows } = await pool.query<Row>({
    ...(name && { name }),
    text: `${text} ORDER BY ${order} LIMIT $${values.length}`,
    values,
  });
  return toPage(rows, limit, position, sorting);
}

export const ROWS_PER_READ = 1000;

/** All pages, for an export. One statement per page: a slow download holds neither a connection nor a snapshot. */
export async function* readPages<Row extends { id: string }>(
  pool: Queryable,
  select: Select,
  sorting: Sorting,
): AsyncGenerator<Row[]> {
  // the place of a row in another order may change meanwhile: it would be left out or repeated
  if (sorting.column !== "id") return yield* readFoundRows(pool, select, sorting);
  let cursor: string | undefined;
  do {
    const page = (await readPage<Row>(pool, select, sorting, { limit: ROWS_PER_READ, cursor })) as Page<Row>;
    yield page.rows;
    cursor = page.next;
  } while (cursor);
}

/** Finds the ids of all rows with the first statement. */
async function* readFoundRows<Row extends { id: string }>(
  pool: Queryable,
  { text, values }: Select,
  sorting: Pick<Sorting, "column" | "descending">,
): AsyncGenerator<Row[]> {
  const found = await pool.query<{ id: string }>(
    `SELECT id FROM (${text} ORDER BY ${orderBy(sorting)}) AS found`,
    values,
  );
  const ids = found.rows.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
    const idsOfPage = ids.slice(start, start + ROWS_PER_READ);
    const { rows } = await pool.query<Row>(`${text} AND id = ANY ($${values.length + 1}::uuid[])`, [
      ...values,
      idsOfPage,
    ]);
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    yield idsOfPage.flatMap((id) => rowsById.get(id) ?? []);
  }
}

export function orderBy({ column, descending }: Pick<Sorting, "column" | "descending">): string {
  const direction = descending ? "DESC" : "ASC";
  return column === "id" ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
}

function toPage<Row extends { id: string }>(
  found: Row[],
  limit: number,
  position: Position | undefined,
  sorting: Sorting,
): Page<Row> {
  const hasMore = found.length > limit;
  const shown = found.slice(0, limit);
  const rows = position?.backward ? shown.reverse() : shown;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = position?.backward || hasMore;
  const hasPrevious = position?.backward ? hasMore : position;
  return {
    rows,
    ...(last && hasNext && { next: writeCursor("next", last, sorting) }),
    ...(first && hasPrevious && { previous: writeCursor("previous", first, sorting) }),
  };
}

function writeCursor(
  direction: "next" | "previous",
  row: { id: string },
  { column, micros }: Sorting,
): string {
  const value = String((row as Record<string, unknown>)[micros ?? column]);
  return `${direction}.${Buffer.from(value).toString("base64url")}.${row.id}`;
}

function readCursor(cursor: string, { kind }: Sorting): Position | null {
  const [direction = "", encoded = "", id = "", ...rest] = cursor.split(".");
  const value = Buffer.from(encoded, "base64url").toString();
  const isNumber = /^\d{1,18}$/.test(value);
  const isValid = {
    text: !value.includes("\0"),
    number: isNumber,
    uuid: uuid.test(value),
    instant: isNumber,
  };
  if (!["next", "previous"].includes(direction) || rest.length > 0 || !uuid.test(id) || !isValid[kind])
    return null;
  return { backward: direction === "previous", value, id };
}

export function searchWords(search: string | undefined): string[] {
  return (search ?? "").split(/\s+/).filter(Boolean);
}

export function likePatterns(search: string | undefined): string[] {
  return searchWords(search).map(likePattern);
}

export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
