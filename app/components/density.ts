/** How high the rows of lists are. The head script applies the choice before paint. */
import { useSyncExternalStore } from "react";

const KEY = "stator.density";
const listeners = new Set<() => void>();

function readCompact(): boolean {
  return localStorage.getItem(KEY) === "compact";
}

export function chooseCompact(isCompact: boolean): void {
  const { dataset } = document.documentElement;
  if (isCompact) {
    localStorage.setItem(KEY, "compact");
    dataset.density = "compact";
  } else {
    localStorage.removeItem(KEY);
    delete dataset.density;
  }
  for (const listener of listeners) listener();
}

/** Whether the person chose compact rows; false on the server. */
export function useCompact(): boolean {
  return useSyncExternalStore(subscribe, readCompact, () => false);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
