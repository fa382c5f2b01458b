import { useCallback, useRef, useState } from "react";

/** Runs one action at a time: calls while one is running, such as a double click, are dropped. */
export function useBusy(): [busy: boolean, run: (action: () => unknown) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = useCallback(async (action: () => unknown) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return [busy, run];
}
