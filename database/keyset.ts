/**
 * A long list, page by page in both directions, in any of its sortings: each page starts where the last row
 * of the one before stood, so a page deep down costs no more than the first.
 */
import type { Queryable } from "./client.ts";
import { uuid } from "./page.ts";

/** A sorting: a column of the row that the select gives, ties broken by `id` in the same direction. */
export interface Sorting {
  column: string;
  descending: boolean;
  kind: "text" | "number" | "uuid" | "instant";
  /** of an instant, which the driver rounds: the column of the row that has its microseconds since 1970 */
  micros?: string;
}

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** Rows in order, and the cursors of the pages beside this one, where there are any. */
export interface KeysetPage<Row> {
  rows: Row[];
  next?: string;
  previous?: string;
}

/** A select without ORDER BY and LIMIT, that already has a WHERE. */
export interface Select {
  text: string;
  values: unknown[];
}

/** A value of a cursor, given as a parameter. */
const inSql: Record<Sorting["kind"], (parameter: string) => string> = {
  text: (parameter) => `${parameter}::text`,
  number: (parameter) => `${parameter}::bigint`,
  uuid: (parameter) => `${parameter}::uuid`,
  instant: (parameter) => `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`,
};

interface Place {
  back: boolean;
  value: string;
  id: string;
}

/** Reads one page; null where the cursor is not one of ours. */
export async function readKeysetPage<Row extends { id: string }>(
  pool: Queryable,
  select: Select,
  sorting: Sorting,
  { limit, cursor }: PageRequest,
): Promise<KeysetPage<Row> | null> {
  const place = cursor === undefined ? undefined : readCursor(cursor, sorting);
  if (place === null) return null;
  const values = [...select.values];
  const descends = sorting.descending !== Boolean(place?.back);
  let text = select.text;
  if (place) {
    values.push(place.value, place.id);
    const [value, id] = [inSql[sorting.kind](`$${values.length - 1}`), `$${values.length}::uuid`];
    text += ` AND (${sorting.column}, id) ${descends ? "<" : ">"} (${value}, ${id})`;
  }
  const way = descends ? "DESC" : "ASC";
  const order = sorting.column === "id" ? `id ${way}` : `${sorting.column} ${way}, id ${way}`;
  const { rows } = await pool.query<Row>(`${text} ORDER BY ${order} LIMIT ${limit + 1}`, values);
  return toKeysetPage(rows, limit, place, sorting);
}

function toKeysetPage<Row extends { id: string }>(
  found: Row[],
  limit: number,
  place: Place | undefined,
  sorting: Sorting,
): KeysetPage<Row> {
  const more = found.length > limit;
  const shown = found.slice(0, limit);
  const rows = place?.back ? shown.reverse() : shown;
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    ...(last && (place?.back || more) && { next: toCursor("next", last, sorting) }),
    ...(first && (place?.back ? more : place) && { previous: toCursor("previous", first, sorting) }),
  };
}

function toCursor(way: "next" | "previous", row: { id: string }, { column, micros }: Sorting): string {
  const value = String((row as Record<string, unknown>)[micros ?? column]);
  return `${way}.${Buffer.from(value).toString("base64url")}.${row.id}`;
}

function readCursor(cursor: string, { kind }: Sorting): Place | null {
  const [way, encoded = "", id = "", ...rest] = cursor.split(".");
  const value = Buffer.from(encoded, "base64url").toString();
  const isNumber = /^\d{1,18}$/.test(value);
  const fits = { text: !value.includes("\0"), number: isNumber, uuid: uuid.test(value), instant: isNumber };
  if (!["next", "previous"].includes(way ?? "") || rest.length > 0 || !uuid.test(id) || !fits[kind])
    return null;
  return { back: way === "previous", value, id };
}

/** The words of a search as LIKE patterns, each of which must be found; at most five. */
export function patternsOf(search: string | undefined): string[] {
  const words = (search ?? "").split(/\s+/).filter(Boolean).slice(0, 5);
  return words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}
