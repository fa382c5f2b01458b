import { flushSync } from "react-dom";

/** Focuses the first row that `show` adds to the table above `button`, since the button is gone afterwards. */
export function focusFirstAddedRow(button: HTMLElement, show: () => void): void {
  const rows = button.closest(".panel")?.querySelector("table")?.rows;
  const last = rows?.item(rows.length - 1);
  flushSync(show);
  const added = last?.nextElementSibling as HTMLElement | null | undefined;
  if (!added) return;
  added.tabIndex = -1;
  added.focus();
}
