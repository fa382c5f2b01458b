/** What was typed into a purchase form when the session ended, kept in this tab until the person is back. */
import type { PurchaseFields } from "./use-purchase-form.ts";

const KEY = "stator.draft";

export function saveDraft(productId: string, fields: PurchaseFields): void {
  sessionStorage.setItem(KEY, JSON.stringify({ productId, fields }));
}

/** The draft for this tool, once; null when there is none. */
export function takeDraft(productId: string): PurchaseFields | null {
  const kept = sessionStorage.getItem(KEY);
  if (!kept) return null;
  const draft = JSON.parse(kept) as { productId: string; fields: PurchaseFields };
  if (draft.productId !== productId) return null;
  sessionStorage.removeItem(KEY);
  return draft.fields;
}
