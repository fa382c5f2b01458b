type Listener = () => void;

/** The subscribers of a value, for `useSyncExternalStore`. */
export function createListeners() {
  const listeners = new Set<Listener>();
  return {
    /** Returns the unsubscribe function. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(): void {
      for (const listener of [...listeners]) listener();
    },
  };
}
