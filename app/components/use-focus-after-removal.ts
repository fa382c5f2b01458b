import { useEffect, useRef } from "react";
import { focusHeading } from "./focus-heading.ts";

/**
 * For a heading or button that takes the focus when a control near it changed `state` and was removed; the page's
 * heading by default.
 */
export function useFocusAfterRemoval<Target extends HTMLElement = HTMLHeadingElement>(state: string) {
  const target = useRef<Target>(null);
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (document.activeElement !== document.body) return;
    if (target.current) target.current.focus({ preventScroll: true });
    else focusHeading();
  }, [state]);
  return target;
}
