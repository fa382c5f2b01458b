import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Loads the page's data again when the person comes back to its window: it may have changed meanwhile. */
export function useRevalidateOnReturn(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const onReturn = () => document.visibilityState === "visible" && void revalidate();
    window.addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [revalidate]);
}
