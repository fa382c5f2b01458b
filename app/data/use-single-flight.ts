import { useCallback, useRef } from "react";

/** Runs one piece of work at a time: calls while one is running, such as a double click, are dropped. */
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
