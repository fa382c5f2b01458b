import { useSyncExternalStore } from "react";

let isPrinting = false;

function subscribe(update: () => void): () => void {
  const events = new AbortController();
  const onPrint = ({ type }: Event) => {
    isPrinting = type === "beforeprint";
    update();
  };
  for (const type of ["beforeprint", "afterprint"]) window.addEventListener(type, onPrint, events);
  return () => events.abort();
}

/** True while the browser prints: what it shows in parts is then rendered as a whole. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}
