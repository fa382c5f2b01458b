/** How many paid orders wait to be shipped, for the menu; asked for again when one was shipped. */
import { useEffect, useSyncExternalStore } from "react";
import { call } from "../../../data/api-client.ts";

/** The number that came with the page. */
export interface LoadedUnshippedCount {
  toShip: number | undefined;
}

/** The figure after an order was shipped, until the next load. */
let renewed: number | undefined;
const listeners = new Set<() => void>();

function renew(figure: number | undefined) {
  if (figure === renewed) return;
  renewed = figure;
  for (const listener of listeners) listener();
}

/** Reads the number again. A failure leaves it as it was: the page itself reports failures. */
export async function refreshUnshippedCount(): Promise<void> {
  const answer = await call("searchPurchases", { query: { limit: 1 } });
  if (answer.ok) renew(answer.data.toShip);
}

export function useUnshippedCount(loaded: LoadedUnshippedCount): number | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load has its own figure
  useEffect(() => renew(undefined), [loaded]);
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => renewed,
    () => undefined,
  );
  return now ?? loaded.toShip;
}
