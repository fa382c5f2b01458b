import { useCallback, useRef } from "react";

/** Runs one piece of work at a time: what comes while one is under way, a double click for example, is dropped. */
export function useSingleFlight(): (work: () => Promise<void>) => Promise<void> {
  const running = useRef(false);
  return useCallback(async (work) => {
    if (running.current) return;
    running.current = true;
    try {
      await work();
    } finally {
      running.current = false;
    }
  }, []);
}
