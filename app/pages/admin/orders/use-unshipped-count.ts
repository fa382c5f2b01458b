/** The number of paid orders to ship, for the menu; reloaded after each shipment. */

import { useEffect, useSyncExternalStore } from "react";
import { call } from "../../../data/api-client.ts";
import { createListeners } from "../../../data/listeners.ts";

export interface LoadedUnshippedCount {
  toShip: number | undefined;
}

/** The number after a shipment, until the next load. */
let refreshedCount: number | undefined;
let latestRefresh = 0;
const listeners = createListeners();

function setRefreshedCount(count: number | undefined) {
  if (count === refreshedCount) return;
  refreshedCount = count;
  listeners.notify();
}

/** Reloads the number. A failure keeps it: the page itself reports failures. */
export async function refreshUnshippedCount(): Promise<void> {
  const own = ++latestRefresh;
  const outcome = await call("searchPurchases", { query: { limit: 1 } });
  if (outcome.ok && own === latestRefresh) setRefreshedCount(outcome.data.toShip);
}

export function useUnshippedCount(loaded: LoadedUnshippedCount): number | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load has its own count
  useEffect(() => setRefreshedCount(undefined), [loaded]);
  const refreshed = useSyncExternalStore(
    listeners.subscribe,
    () => refreshedCount,
    () => undefined,
  );
  return refreshed ?? loaded.toShip;
}
