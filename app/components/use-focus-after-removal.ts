import { useEffect, useRef } from "react";

/** For a heading that takes the focus when a control below it changed `state` and was removed. */
export function useFocusAfterRemoval(state: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [state]);
  return heading;
}
