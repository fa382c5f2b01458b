import type { KeyboardEvent } from "react";

const REACHED = "a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex='0']";

/** The dialog library restores the focus only after it has left, which is too late for a held Tab key. */
export function trapFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(REACHED)].filter(
    (stop) => stop.tabIndex >= 0 && stop.checkVisibility(),
  );
  const [end, start] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  const here = document.activeElement;
  if (!start || (here !== end && stops.includes(here as HTMLElement))) return;
  event.preventDefault();
  start.focus();
}
