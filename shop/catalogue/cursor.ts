/** Where a page of results goes on: after the last tool shown, so that addresses stay good while tools come and go. */
export interface Cursor {
  /** the last tool's place in the order: 0 for tools named so, 1 for others; or the value that is sorted by */
  key: string | number;
  id: string;
}

export function writeCursor({ key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

/** Null for what is not one of ours, or of another order. */
export function readCursor(text: string, kind: "string" | "number"): Cursor | null {
  try {
    const [key, id, ...rest] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    const ours = rest.length === 0 && typeof id === "string" && /^[0-9a-f-]{36}$/.test(id);
    if (!ours || typeof key !== kind || (typeof key === "number" && !Number.isSafeInteger(key))) return null;
    return { key: key as string | number, id };
  } catch {
    return null; // not base64, not JSON: not ours
  }
}
