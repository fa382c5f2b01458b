import { useRef } from "react";

/** The last non-null value: a dialog keeps showing it while it closes. */
export function useLast<Value>(value: Value): Value {
  const last = useRef(value);
  if (value) last.current = value;
  return last.current;
}
