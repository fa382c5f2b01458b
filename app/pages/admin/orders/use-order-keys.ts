import { useListener } from "../../../components/use-listener.ts";

interface OrderKeys {
  /** Enter, on the row of this purchase */
  open: (id: string) => void;
  /** s; the focused row, if any */
  ship: (id: string | undefined) => void;
}

const CHECKBOXES = "input[data-select]";

const TYPED_IN = "input:not([type=checkbox]), textarea, select, dialog, [role=dialog], [role=alertdialog]";

/** j and k move between rows, x selects, Enter opens, s ships. The row's checkbox has the focus. */
export function useOrderKeys(keys: OrderKeys): void {
  useListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const checkbox = target.closest<HTMLInputElement>(CHECKBOXES);
    if (!checkbox && target.closest(TYPED_IN)) return;
    if (event.key === "Enter" && checkbox) keys.open(checkbox.dataset.select as string);
    else if (document.documentElement.dataset.singleKeys === "off") return;
    else if (event.key === "j" || event.key === "k") moveFocus(checkbox, event.key === "j" ? 1 : -1);
    else if (event.key === "x" && checkbox) checkbox.click();
    else if (event.key === "s") keys.ship(checkbox?.dataset.select);
    else return;
    event.preventDefault();
  });
}

function moveFocus(from: HTMLInputElement | null, step: number): void {
  const checkboxes = [...document.querySelectorAll<HTMLInputElement>(CHECKBOXES)];
  const index = from ? checkboxes.indexOf(from) + step : 0;
  const next = checkboxes[Math.min(Math.max(index, 0), checkboxes.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
