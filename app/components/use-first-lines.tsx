import { useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./button.tsx";
import { counted } from "./format.ts";
import { useListener } from "./use-listener.ts";

/** Thousands of rows take seconds to render. */
const FIRST_LINES = 100;

/** The first lines, with the button for the others, until all are requested or the page is printed. */
export function useFirstLines<Line>(lines: Line[]) {
  const [isAll, setIsAll] = useState(false);
  const showAll = () => flushSync(() => setIsAll(true));
  useListener("beforeprint", showAll);
  const first = isAll ? lines : lines.slice(0, FIRST_LINES);
  const rest = lines.length - first.length;
  const showRest = rest > 0 && (
    <div className="rest no-print">
      <Button onClick={({ currentTarget }) => focusFirstAddedRow(currentTarget, showAll)}>
        Show the other {rest === 1 ? "line" : counted(rest, "line")}
      </Button>
    </div>
  );
  return { first, showRest };
}

/** Focuses the first row that `show` adds to the table above `button`, since the button is gone afterwards. */
function focusFirstAddedRow(button: HTMLElement, show: () => void): void {
  const rows = button.closest(".panel")?.querySelector("table")?.rows;
  const last = rows?.item(rows.length - 1);
  show();
  const added = last?.nextElementSibling as HTMLElement | null | undefined;
  if (!added) return;
  added.tabIndex = -1;
  added.focus();
}
