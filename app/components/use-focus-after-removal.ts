import { useEffect, useRef } from "react";
import { focusHeading } from "./focus-heading.ts";

/**
 * For what takes the focus when a control near it changed `state` and was removed or disabled; the page's heading by
 * default.
 */
export function useFocusAfterRemoval<Target extends HTMLElement = HTMLHeadingElement>(state: string) {
  const target = useRef<Target>(null);
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    const focused = document.activeElement;
    if (focused !== document.body && !focused?.matches(":disabled")) return;
    if (target.current?.isConnected) target.current.focus({ preventScroll: true });
    else focusHeading();
  }, [state]);
  return target;
}
