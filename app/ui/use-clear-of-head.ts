import { type RefObject, useEffect, useRef } from "react";

/** What a page's head offers to press: a toast lies below it. */
const HEAD = "[data-toasts-below]";
const GAP = 12;
/** a toast needs so much of the window */
const ROOM = 160;

/**
 * Keeps the toasts off the buttons of a page's head: while some are shown, they stand below it, or below the header
 * once it is scrolled away. It is looked for in every frame, because a toast outlives a move to another page.
 */
export function useClearOfHead<Box extends HTMLElement>(shown: boolean): RefObject<Box | null> {
  const region = useRef<Box>(null);
  useEffect(() => {
    if (!shown) return;
    let frame = 0;
    let last = "";
    const look = () => {
      const below = headEnd();
      if (below !== last) region.current?.style.setProperty("--below-head", below);
      last = below;
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return region;
}

/** Where the head ends, from the top of the window; "0px" without one, or where a low window leaves no room below it. */
function headEnd(): string {
  const end = (document.querySelector(HEAD)?.getBoundingClientRect().bottom ?? 0) + GAP;
  return `${end > window.innerHeight - ROOM ? 0 : Math.max(0, Math.round(end))}px`;
}
