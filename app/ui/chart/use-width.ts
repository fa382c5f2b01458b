import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of an element in pixels, followed as it changes, so that a drawing keeps its text at its size. */
export function useWidth<Box extends HTMLElement>(start: number): [RefObject<Box | null>, number] {
  const box = useRef<Box>(null);
  const [width, setWidth] = useState(start);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    setWidth(Math.round(element.clientWidth) || start);
    const watch = new ResizeObserver(() => setWidth(Math.round(element.clientWidth) || start));
    watch.observe(element);
    return () => watch.disconnect();
  }, [start]);
  return [box, width];
}
