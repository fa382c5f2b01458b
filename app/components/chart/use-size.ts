import { type RefObject, useLayoutEffect, useRef, useState } from "react";

interface Size {
  width: number;
  height: number;
}

/** The size of an element in pixels, followed as it changes, so that a drawing keeps its text at its size. */
export function useSize<Box extends HTMLElement>(start: Size): [RefObject<Box | null>, Size] {
  const box = useRef<Box>(null);
  const [size, setSize] = useState(start);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const width = Math.round(element.clientWidth);
      const height = Math.round(element.clientHeight);
      // nothing to see yet
      if (width === 0) return;
      setSize((last) => (last.width === width && last.height === height ? last : { width, height }));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [box, size];
}
