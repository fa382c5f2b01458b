/** A part of a long list: at most `limit` rows after `cursor`. */
export interface Page {
  limit: number;
  cursor?: string | undefined;
}

/** Rows of a list and where the next part starts, if there is one. */
export interface PageOf<Row> {
  rows: Row[];
  next?: string;
}

/** The id of a record. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id after which a list goes on, or null where the cursor is not one of ours. */
export function idCursor(cursor: string): string | null {
  return uuid.test(cursor) ? cursor : null;
}

/** Cuts `limit + 1` rows to a page; the extra row only tells that there is more. */
export function toPage<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string): PageOf<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last ? { rows: shown, next: cursorOf(last) } : { rows: shown };
}
