import type { SavedListLine } from "../../../api/list-calls.ts";
import { type LineActions, ListLine } from "./list-line.tsx";
import type { useCheckedLines } from "./use-checked-lines.ts";

interface ListLinesTableProps {
  label: string;
  lines: readonly SavedListLine[];
  find: ReturnType<typeof useCheckedLines>["find"];
  isSelected: (line: SavedListLine) => boolean;
  actions: LineActions;
}

/** `vh`: for screen readers only; `r`: right-aligned */
const headings: [heading: string, look?: "vh" | "r"][] = [
  ["Selected", "vh"],
  ["Item number"],
  ["Tool"],
  ["Price", "r"],
  ["Quantity", "r"],
  ["Line total", "r"],
  ["Remove", "vh"],
];

/** Compact rows below 768 px. The roles are explicit, because `display` changes there. */
export function ListLinesTable({ label, lines, find, isSelected, actions }: ListLinesTableProps) {
  return (
    <table className="list-tbl" role="table" aria-label={label}>
      <colgroup>
        {headings.map(([heading]) => (
          <col key={heading} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {headings.map(([heading, look]) => (
            <th role="columnheader" scope="col" key={heading} className={look === "r" ? look : undefined}>
              {look === "vh" ? <span className={look}>{heading}</span> : heading}
            </th>
          ))}
        </tr>
      </thead>
      {lines.map((line, index) => {
        const { line: checked, isStale } = find(line);
        return (
          <ListLine
            key={line.productId}
            index={index}
            productId={line.productId}
            quantity={line.quantity}
            checked={checked}
            isStale={isStale}
            selected={isSelected(line)}
            actions={actions}
          />
        );
      })}
    </table>
  );
}
