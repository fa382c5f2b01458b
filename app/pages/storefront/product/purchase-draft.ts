/** Keeps the input of a purchase form when the session has ended, in this tab, until the user returns. */
import type { PurchaseFields } from "./use-purchase-form.ts";

const KEY = "stator.draft";

export function saveDraft(productId: string, fields: PurchaseFields): void {
  sessionStorage.setItem(KEY, JSON.stringify({ productId, fields }));
}

/** The draft for this product, once; null if there is none. */
export function takeDraft(productId: string): PurchaseFields | null {
  const kept = sessionStorage.getItem(KEY);
  if (!kept) return null;
  const draft = JSON.parse(kept) as { productId: string; fields: PurchaseFields };
  if (draft.productId !== productId) return null;
  sessionStorage.removeItem(KEY);
  return draft.fields;
}
