import { useNavigate } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedList, SavedListLine } from "../../../api/list-calls.ts";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useBusy } from "../../data/use-busy.ts";
import { downloadCsv, writeCsv } from "../cart/export-csv.ts";
import { deleteList } from "./list-actions.ts";
import type { useLineSelection } from "./use-line-selection.ts";
import type { EditedList } from "./use-saved-list.ts";

interface ListBarProps {
  id: string;
  list: EditedList;
  selection: ReturnType<typeof useLineSelection>;
  /** undefined until all lines are checked */
  lineOf: ((line: SavedListLine) => CheckedLine | undefined) | undefined;
  onDeleted: () => void;
}

/** What is done with the whole list, above its grid. */
export function ListBar({ id, list, selection, lineOf, onDeleted }: ListBarProps) {
  const { lines, name } = list;
  const { selected, selectable, selectAll } = selection;
  const navigate = useNavigate();
  const [, once] = useBusy();
  const callOnce = useCallOnce();

  function exportCsv() {
    downloadCsv("stator-list.csv", writeCsv(lines.map((line) => ({ row: line, line: lineOf?.(line) }))));
  }

  async function copy() {
    // without half of a surrogate pair at the end
    const copyName = `${name.slice(0, 73).replace(/[\uD800-\uDBFF]$/, "")}, copy`;
    const body = { name: copyName, lines: [...lines] };
    const outcome = await callOnce("addSavedList", { body });
    if (!outcome.ok) return toast.error(outcome.detail);
    await navigate(`/dashboard/lists/${outcome.data._id}`);
  }

  async function remove() {
    await list.flush();
    const openRestored = ({ _id }: SavedList) => void navigate(`/dashboard/lists/${_id}`);
    if (!(await deleteList({ _id: id, name, lines: [...lines] }, openRestored))) return;
    onDeleted();
    await navigate("/dashboard/lists");
  }

  return (
    <div className="list-bar">
      {lines.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            ref={(input) => {
              if (input) input.indeterminate = selected.length > 0 && selected.length < selectable;
            }}
            checked={selectable > 0 && selected.length === selectable}
            disabled={selectable === 0}
            onChange={({ target }) => selectAll(target.checked)}
            aria-label="Select all lines"
          />
          {`${count(selected.length)} of ${count(lines.length)} selected`}
        </label>
      )}
      <span className="list-bar__end">
        {lines.length > 0 && (
          <Button size="sm" icon="download" disabled={!lineOf} onClick={exportCsv}>
            Export CSV
          </Button>
        )}
        <Button size="sm" icon="copy" onClick={() => once(copy)}>
          Copy list
        </Button>
        <Button size="sm" look="danger" icon="remove" onClick={() => once(remove)}>
          Delete list
        </Button>
      </span>
    </div>
  );
}
