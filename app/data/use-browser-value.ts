import { useSyncExternalStore } from "react";

/** A value of the browser that does not change; in the server's HTML and while hydrating `onServer`. */
export function useBrowserValue<Value>(read: () => Value, onServer: Value): Value {
  return useSyncExternalStore(neverChanges, read, () => onServer);
}

export function useHydrated(): boolean {
  return useBrowserValue(() => true, false);
}

function neverChanges() {
  return () => undefined;
}
