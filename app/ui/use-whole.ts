import { startTransition, useEffect, useState } from "react";
import { useNavigationType } from "react-router";

/**
 * Whether the page is to be rendered whole. False at first on a move to it: the first screen is shown at once, and
 * what lies below it comes a moment later. Always true in the HTML, and on the way back, where the page must be as long
 * as it was for the place that was left.
 */
export function useWhole(): boolean {
  const isBack = useNavigationType() === "POP";
  const [isWhole, setIsWhole] = useState(isBack);
  useEffect(() => {
    // after the frame with the first screen, and not while that waits to be drawn, as a deferred value would
    let rest: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      rest = setTimeout(() => startTransition(() => setIsWhole(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, []);
  return isWhole;
}
