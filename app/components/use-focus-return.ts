import { type FocusEvent, useRef } from "react";

/** Remembers the focus before it entered a box that closes by itself, and restores it. */
export function useFocusReturn() {
  const before = useRef<EventTarget | null>(null);
  return {
    onFocus({ currentTarget, relatedTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) before.current = relatedTarget;
    },
    giveBack() {
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
