import { count } from "../../components/format.ts";

/** "+1,240", "−3" or "0" */
export function signedCount(change: number): string {
  if (change === 0) return "0";
  return `${change > 0 ? "+" : "\u2212"}${count(Math.abs(change))}`;
}
