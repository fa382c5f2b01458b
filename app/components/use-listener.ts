import { useEffect, useEffectEvent } from "react";

/** Those of the document reach the window too. */
type Events = WindowEventMap & Pick<DocumentEventMap, "visibilitychange">;

/** Calls the latest `listener` for events anywhere in the page; with `capture` before the elements themselves. */
export function useListener<Type extends keyof Events>(
  type: Type,
  listener: (event: Events[Type]) => unknown,
  capture = false,
): void {
  const latest = useEffectEvent(listener);
  useEffect(() => {
    const handle = (event: Event) => void latest(event as Events[Type]);
    window.addEventListener(type, handle, capture);
    return () => window.removeEventListener(type, handle, capture);
  }, [type, capture]);
}
