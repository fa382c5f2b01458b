import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/** After this many consecutive failures the provider counts as down, and the remaining items are skipped. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** Calls `failed` for each item whose `work` throws. Stops early if the provider is down. */
export async function forEachTolerant<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  failed: (item: Item, why: string) => void,
): Promise<void> {
  let unavailable = 0;
  for (const item of items) {
    if (unavailable === MAX_CONSECUTIVE_FAILURES) return;
    try {
      await work(item);
      unavailable = 0;
    } catch (error) {
      // a misconfiguration fails at once, so it does not count
      const isDown = error instanceof PaymentUnavailable && !(error instanceof PaymentMisconfigured);
      unavailable = isDown ? unavailable + 1 : 0;
      failed(item, errorMessage(error));
    }
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
