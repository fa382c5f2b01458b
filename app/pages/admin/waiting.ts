/** How many paid orders wait to be shipped, for the menu; asked for again when one was shipped. */
import { useEffect, useSyncExternalStore } from "react";
import { call } from "../../api-client.ts";

let waiting: number | undefined;
const listeners = new Set<() => void>();

/** Asks how many there are now. A failure leaves the figure as it was: the page beside it says what is wrong. */
export async function renewWaiting(): Promise<void> {
  const answer = await call("searchOrders", { query: { limit: 1 } });
  if (!answer.ok || answer.data.toShip === waiting) return;
  waiting = answer.data.toShip;
  for (const listener of listeners) listener();
}

/** The figure, renewed at each move to another page; undefined until it is known. */
export function useWaiting(pathname: string): number | undefined {
  useEffect(() => void renewWaiting(), [pathname]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
    () => undefined,
  );
}
