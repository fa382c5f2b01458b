/** Where a page of results goes on: after the last tool shown, so that addresses stay good while tools come and go. */
export interface Cursor {
  /** the last tool's value in the order: 0 for tools named so, 1 for others; or the value that is sorted by */
  key: string | number;
  place: number;
}

export function writeCursor({ key, place }: Cursor): string {
  return Buffer.from(JSON.stringify([key, place])).toString("base64url");
}

/** Null for what is not one of ours, or of another order. */
export function readCursor(text: string, kind: "string" | "number"): Cursor | null {
  try {
    const [key, place, ...rest] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    if (rest.length > 0 || typeof key !== kind || (kind === "number" && !isPlace(key))) return null;
    return isPlace(place) ? { key: key as string | number, place } : null;
  } catch {
    return null; // not base64, not JSON: not ours
  }
}

/** Also every number that is sorted by fits so: a count of cents or pieces. */
function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}
