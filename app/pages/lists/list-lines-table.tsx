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

/** Compact rows below 768 px. The roles are explicit, because `display` changes there. */
export function ListLinesTable({ label, lines, find, isSelected, actions }: ListLinesTableProps) {
  return (
    <table className="list-tbl" role="table" aria-label={label}>
      <colgroup>
        <col />
        <col />
        <col />
        <col />
        <col />
        <col />
        <col />
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            <span className="vh">Selected</span>
          </th>
          <th role="columnheader" scope="col">
            Item number
          </th>
          <th role="columnheader" scope="col">
            Tool
          </th>
          <th role="columnheader" scope="col" className="r">
            Price
          </th>
          <th role="columnheader" scope="col" className="r">
            Quantity
          </th>
          <th role="columnheader" scope="col" className="r">
            Line total
          </th>
          <th role="columnheader" scope="col">
            <span className="vh">Remove</span>
          </th>
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
