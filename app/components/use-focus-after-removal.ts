import { useEffect, useRef } from "react";

/** For a heading or button that takes the focus when a control near it changed `state` and was removed. */
export function useFocusAfterRemoval<Target extends HTMLElement = HTMLHeadingElement>(state: string) {
  const target = useRef<Target>(null);
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [state]);
  return target;
}
