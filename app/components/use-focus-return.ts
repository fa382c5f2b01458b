import { type FocusEvent, useRef } from "react";

/** Remembers what had the focus before it came into a box that goes away by itself, and gives the focus back to it. */
export function useFocusReturn() {
  const before = useRef<EventTarget | null>(null);
  return {
    /** of the box */
    onFocus({ currentTarget, relatedTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) before.current = relatedTarget;
    },
    giveBack() {
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
