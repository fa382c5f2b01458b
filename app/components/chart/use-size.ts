import { type RefObject, useLayoutEffect, useRef, useState } from "react";

interface Size {
  width: number;
  height: number;
}

/** Observes the size of an element in pixels, so that a drawing keeps its text size. */
export function useSize<Box extends HTMLElement>(start: Size): [RefObject<Box | null>, Size] {
  const box = useRef<Box>(null);
  const [size, setSize] = useState(start);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const width = Math.round(element.clientWidth);
      const height = Math.round(element.clientHeight);
      // not visible yet
      if (width === 0) return;
      setSize((last) => (last.width === width && last.height === height ? last : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, size];
}
