import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

/** Calls `callback` when the user returns to the window or tab. */
export function useOnReturn(callback: () => unknown): void {
  const isAway = useRef<boolean>(undefined);
  useEffect(() => {
    isAway.current ??= document.hidden;
    // a tab that is shown again gets both events
    const update = ({ type }: Event) => {
      const wasAway = isAway.current;
      isAway.current = document.hidden || type === "blur";
      if (wasAway && !isAway.current) void callback();
    };
    const types = ["blur", "focus", "visibilitychange"];
    for (const type of types) window.addEventListener(type, update);
    return () => {
      for (const type of types) window.removeEventListener(type, update);
    };
  }, [callback]);
}

/** Reloads the page's data when the user returns: it may have changed meanwhile. */
export function useRevalidateOnReturn(): void {
  useOnReturn(useRevalidator().revalidate);
}
