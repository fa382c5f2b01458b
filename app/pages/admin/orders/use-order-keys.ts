import { useEffect, useEffectEvent } from "react";

interface OrderKeys {
  /** Enter, on the row of this purchase */
  open: (id: string) => void;
  /** s; the focused row, if any */
  ship: (id: string | undefined) => void;
}

const BOXES = "input[data-select]";

/** j and k move between rows, x selects, Enter opens, s ships. The row's checkbox has the focus. */
export function useOrderKeys(keys: OrderKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const box = target.closest<HTMLInputElement>(BOXES);
    if (!box && target.closest("input, textarea, select, dialog, [role=dialog], [role=alertdialog]")) return;
    if (event.key === "j" || event.key === "k") move(box, event.key === "j" ? 1 : -1);
    else if (event.key === "x" && box) box.click();
    else if (event.key === "Enter" && box) keys.open(box.dataset.select as string);
    else if (event.key === "s") keys.ship(box?.dataset.select);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function move(from: HTMLInputElement | null, by: number): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>(BOXES)];
  const at = from ? boxes.indexOf(from) + by : 0;
  const next = boxes[Math.min(Math.max(at, 0), boxes.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
