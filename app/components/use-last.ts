import { useRef } from "react";

/** The last value that was one: what a dialog goes on to show while it closes. */
export function useLast<Value>(value: Value): Value {
  const last = useRef(value);
  if (value) last.current = value;
  return last.current;
}
