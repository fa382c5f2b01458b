/** The last product of a page, so that a cursor stays valid while products are added and removed. */
export interface Cursor {
  key: string | number;
  docId: number;
}

export function writeCursor({ key, docId }: Cursor): string {
  return Buffer.from(JSON.stringify([key, docId])).toString("base64url");
}

/** Null for a malformed cursor or one of another sort order. */
export function readCursor(text: string, kind: "string" | "number"): Cursor | null {
  try {
    const [key, docId, ...rest] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    if (rest.length > 0 || typeof key !== kind || (kind === "number" && !isDocId(key))) return null;
    // PostgreSQL text cannot contain a null character
    if (String(key).includes("\0")) return null;
    return isDocId(docId) ? { key: key as string | number, docId } : null;
  } catch {
    return null; // neither base64 nor JSON
  }
}

function isDocId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}
