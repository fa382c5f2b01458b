import { type RefObject, useEffect, useRef } from "react";

/** What a page's head offers to press, and the last entry of the open menu of a phone: a toast lies below them. */
const ABOVE = "main [data-toasts-below], details[open] [data-toasts-below]";
const GAP = 12;
/** a toast needs so much of the window */
const ROOM = 160;

/**
 * Keeps the toasts off the buttons of a page's head and off the menu: while some are shown, they stand below it, or
 * below the header once it is scrolled away. It is looked for in every frame, because a toast outlives a move to
 * another page.
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

/** Where they end, from the top of the window; "0px" without any, or where a low window leaves no room below them. */
function headEnd(): string {
  const ends = [...document.querySelectorAll(ABOVE)].map((one) => one.getBoundingClientRect().bottom);
  const end = Math.max(0, ...ends) + GAP;
  return `${end > window.innerHeight - ROOM ? 0 : Math.max(0, Math.round(end))}px`;
}
