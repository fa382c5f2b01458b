import { useId } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, counted } from "../../components/format.ts";
import { Notice } from "../../components/notice.tsx";
import { PanelHead } from "../../components/panel.tsx";
import { type CartRow, isOrderable } from "./cart-rows.ts";
import type { Parsed } from "./parse-rows.ts";
import { resolutions } from "./resolutions.ts";
import type { UndoStep } from "./undo-history.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

export interface Paste {
  parsed: Parsed;
  /** of the rows that were added */
  keys: readonly string[];
  step: UndoStep<CartRow[]>;
}

interface PasteReportProps {
  paste: Paste;
  checked: readonly CheckedRow[];
  onUndo: () => void;
  onClose: () => void;
}

export function PasteReport({ paste, checked, onUndo, onClose }: PasteReportProps) {
  const heading = useId();
  const { parsed, keys } = paste;
  const { ready, merged, wrong, waiting } = countRows(keys, checked);
  const notAdded = parsed.rows.length - keys.length;
  return (
    <section className="panel paste" aria-labelledby={heading}>
      <PanelHead
        title={`${counted(parsed.found, "row")}${parsed.heading ? " and a heading" : ""} pasted`}
        id={heading}
        tabIndex={-1}
      >
        <span className="paste__acts">
          <Button look="quiet" size="sm" onClick={onUndo}>
            Undo paste
          </Button>
          <IconButton icon="close" label="Close the report" onClick={onClose} />
        </span>
      </PanelHead>
      <dl className="figs">
        <Fact
          label="Added, ready"
          value={count(ready)}
          note={waiting > 0 ? `${count(waiting)} being checked` : ""}
        />
        <Fact label="Merged into a line" value={count(merged)} note={merged > 0 ? "same tool twice" : ""} />
        <Fact label="Need a change" value={count(wrong)} tone={wrong > 0 ? "bad" : undefined} />
        <Fact
          label="Skipped"
          value={count(parsed.skipped.length)}
          note={parsed.skipped.length > 0 ? `${rangesOf(parsed.skipped)} without an item` : ""}
        />
      </dl>
      {(notAdded > 0 || parsed.found > parsed.rows.length + parsed.skipped.length) && (
        <Notice kind="warn">
          {`This paste has ${counted(parsed.found, "row")}. A cart holds ${count(MAX_LINES)}. The first ${count(keys.length)} were added.`}
        </Notice>
      )}
    </section>
  );
}

function countRows(keys: readonly string[], checked: readonly CheckedRow[]) {
  const rowsByKey = new Map(checked.map((checkedRow) => [checkedRow.row.key, checkedRow]));
  const counts = { ready: 0, merged: 0, wrong: 0, waiting: 0 };
  for (const key of keys) {
    const resolution = resolutions.get(key);
    const checkedRow = rowsByKey.get(resolution?.productId ?? key);
    if (resolution?.isMerged) counts.merged += 1;
    else if (!checkedRow) continue;
    else if (!checkedRow.line) counts.waiting += 1;
    else if (isOrderable(checkedRow.line)) counts.ready += 1;
    else counts.wrong += 1;
  }
  return counts;
}

/** "row 3, rows 7 to 12" */
function rangesOf(skipped: Parsed["skipped"]): string {
  const ranges: [first: number, last: number][] = [];
  for (const { lineNumber } of skipped) {
    const range = ranges.at(-1);
    if (range?.[1] === lineNumber - 1) range[1] = lineNumber;
    else ranges.push([lineNumber, lineNumber]);
  }
  return ranges
    .map(([first, last]) =>
      first === last ? `row ${count(first)}` : `rows ${count(first)} to ${count(last)}`,
    )
    .join(", ");
}
