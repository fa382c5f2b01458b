import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** The rows to render, and the focused one: unmounted, it would lose the focus and what is typed in it. */
export function withFocusedRow(range: Range): number[] {
  const rows = defaultRangeExtractor(range);
  const row = Number(globalThis.document?.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index);
  // NaN without one
  return row < range.count ? [...new Set([...rows, row])].sort((one, other) => one - other) : rows;
}
