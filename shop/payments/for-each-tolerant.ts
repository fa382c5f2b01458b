import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/** After this many consecutive failures the provider counts as down, and the remaining items are skipped. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** Calls `onFailure` for each item whose `handle` throws. Stops early if the provider is down. */
export async function forEachTolerant<Item>(
  items: Iterable<Item>,
  handle: (item: Item) => Promise<void>,
  onFailure: (item: Item, reason: string) => void,
): Promise<void> {
  let failures = 0;
  for (const item of items) {
    if (failures === MAX_CONSECUTIVE_FAILURES) return;
    try {
      await handle(item);
      failures = 0;
    } catch (error) {
      // a misconfiguration fails at once, so it does not count
      const isDown = error instanceof PaymentUnavailable && !(error instanceof PaymentMisconfigured);
      failures = isDown ? failures + 1 : 0;
      onFailure(item, errorMessage(error));
    }
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
