import { useCallback, useRef } from "react";

/** Runs one function at a time: calls while one is running, such as a double click, are dropped. */
export function useSingleFlight(): (run: () => Promise<void>) => Promise<void> {
  const running = useRef(false);
  return useCallback(async (run) => {
    if (running.current) return;
    running.current = true;
    try {
      await run();
    } finally {
      running.current = false;
    }
  }, []);
}
