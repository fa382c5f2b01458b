import { useDeferredValue } from "react";
import { useNavigationType } from "react-router";

/**
 * Whether the page is to be rendered whole. False at first on a move to it: the first screen is shown at once, and
 * what lies below it comes a moment later. Always true in the HTML, and on the way back, where the page must be as long
 * as it was for the place that was left.
 */
export function useWhole(): boolean {
  return useDeferredValue(true, useNavigationType() === "POP");
}
