import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Calls `act` when the user returns to the window or tab. */
export function useOnReturn(act: () => unknown): void {
  useEffect(() => {
    const onReturn = () => document.visibilityState === "visible" && void act();
    window.addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [act]);
}

/** Reloads the page's data when the user returns: it may have changed meanwhile. */
export function useRevalidateOnReturn(): void {
  useOnReturn(useRevalidator().revalidate);
}
