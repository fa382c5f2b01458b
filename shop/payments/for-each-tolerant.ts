import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/** After so many failures in a row the provider is taken to be away, and the rest is not tried. */
const IN_A_ROW = 3;

/**
 * Does `work` for each item. One that fails is told to `failed` and does not keep the others from being done, unless
 * the provider does not answer for several in a row.
 */
export async function forEachTolerant<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  failed: (item: Item, why: string) => void,
): Promise<void> {
  let unavailable = 0;
  for (const item of items) {
    if (unavailable === IN_A_ROW) return;
    try {
      await work(item);
      unavailable = 0;
    } catch (error) {
      // what the provider refuses, it refuses at once
      const isAway = error instanceof PaymentUnavailable && !(error instanceof PaymentMisconfigured);
      unavailable = isAway ? unavailable + 1 : 0;
      failed(item, errorMessage(error));
    }
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
