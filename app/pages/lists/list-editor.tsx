import { type ClipboardEvent, type MouseEvent, useState } from "react";
import { useNavigate } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedList, SavedListLine } from "../../../api/list-calls.ts";
import { fromCents } from "../../../shop/money.ts";
import { Breadcrumbs } from "../../components/breadcrumbs.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { count, counted, dollars } from "../../components/format.ts";
import { KeyLegend } from "../../components/key-legend.tsx";
import { Notice } from "../../components/notice.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { EmptyState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import { isOrderable } from "../cart/cart-rows.ts";
import { EntryRow } from "../cart/entry-row.tsx";
import { focusProblem, Pad, padKeys } from "../cart/pad.tsx";
import { isTable } from "../cart/recognize-rows.ts";
import { lineCents } from "../orders/sum-cents.ts";
import { addListToCart } from "./list-actions.ts";
import { ListBar } from "./list-bar.tsx";
import { ListNameDialog } from "./list-name-dialog.tsx";
import { checkPastedRows, type PasteResult, PasteSummary } from "./paste-rows.tsx";
import { SaveBeforeLeaving } from "./save-before-leaving.tsx";
import { DeletedNotice, RefusedNotice, SavingStatus } from "./saving-status.tsx";
import { useListRows } from "./use-list-rows.ts";
import { useSavedList } from "./use-saved-list.ts";

interface ListEditorProps {
  loaded: SavedList;
  checked: readonly CheckedLine[];
}

/** A saved list with its lines and actions. Every change is saved. */
export function ListEditor({ loaded, checked }: ListEditorProps) {
  const list = useSavedList(loaded);
  const edited = useListRows(list, checked);
  const [renaming, setRenaming] = useState(false);
  const [pasted, setPasted] = useState<PasteResult | null>(null);
  const navigate = useNavigate();
  const { lines, name } = list;
  const { rows, keys, lineOf, selection, failure, unsaved } = edited;
  const { selected } = selection;
  const state = list.state === "saved" && unsaved ? savingStates[failure ? "failed" : unsaved] : list.state;

  // a long list is checked in two parts
  const isPriced = lines.every(lineOf);
  const orderable = lines.filter((line) => isOrderable(lineOf(line)));
  const pieces = orderable.reduce((sum, { quantity }) => sum + quantity, 0);

  async function paste(text: string) {
    const result = await checkPastedRows(text, edited.latestLines());
    if (!result) return;
    setPasted(result);
    edited.addLines(result.merge);
  }

  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData("text");
    if (!isTable(text)) return;
    event.preventDefault();
    void paste(text);
  }

  function closeReport() {
    setPasted(null);
    focusHeading();
  }

  function addToCart({ detail }: MouseEvent) {
    if (detail > 1) return; // the second press of a double click
    if (edited.focusInvalid(selected)) return toast.error("Correct the quantity of this line first.");
    const priced = selected.map((line) => {
      const price = lineOf(line)?.price;
      return { ...line, ...(price !== undefined && { price }) };
    });
    const needChange = selected.filter((line) => !isOrderable(lineOf(line))).length;
    addListToCart(priced, needChange, () => void navigate("/cart"));
  }

  const addLabel = `Add ${counted(selected.length, "line")} to cart`;
  return (
    <div className="list">
      <Breadcrumbs items={[{ label: "Lists", to: "/dashboard/lists" }, { label: name }]} />
      <PageHead
        title={name}
        fact={
          lines.length > 0 && (
            <>
              {isPriced
                ? `${counted(lines.length, "line")}, ${counted(pieces, "piece")}, ${dollars(fromCents(totalCentsOf(lines, lineOf)))} today. Saved `
                : `${counted(lines.length, "line")}. Saved `}
              <DateTime at={list.changedAt} />.
            </>
          )
        }
        action={
          <span className="acts">
            <Button onClick={() => setRenaming(true)}>Rename</Button>
            <Button look="primary" disabled={selected.length === 0} onClick={addToCart}>
              {addLabel}
            </Button>
          </span>
        }
      />
      {list.state === "deleted" ? <DeletedNotice list={list} /> : <RefusedNotice list={list} />}
      {pasted && <PasteSummary result={pasted} onClose={closeReport} />}
      <ListBar
        id={loaded._id}
        list={list}
        selection={selection}
        lineOf={isPriced ? lineOf : undefined}
        onDeleted={edited.discard}
      />
      {failure && rows.length > 0 && (
        <Notice kind="warn">{`${failure} The lines are checked again in a moment.`}</Notice>
      )}
      <div className="list-pad" onPaste={onPaste}>
        {rows.length === 0 && (
          <EmptyState title="Nothing in this list yet" drawing={false}>
            Add a tool by its item number or name below, or paste rows from a spreadsheet there.
          </EmptyState>
        )}
        <Pad
          label={`Lines of ${name}`}
          rows={rows}
          total={rows.length}
          isSelected={({ key }) => selection.ids.has(key)}
          actions={edited.actions}
          keysRef={keys}
          onUndo={edited.undo}
          onRedo={edited.redo}
          onNextProblem={(from, direction) => focusProblem(keys.current, rows, from, direction)}
          entry={
            <EntryRow rows={rows.map(({ row }) => row)} keysRef={keys} of="list" onAdd={edited.addRow} />
          }
        />
      </div>
      <div className="list-foot">
        {rows.length > 0 && <KeyLegend keys={padKeys} />}
        <SavingStatus state={state} />
      </div>
      {lines.length > 0 && (
        <div className="list-paybar">
          <div>
            <b className="num">{dollars(fromCents(totalCentsOf(selected, lineOf)))}</b>
            <span>{`${count(selected.length)} of ${counted(lines.length, "line")} selected`}</span>
          </div>
          <Button look="primary" disabled={selected.length === 0} onClick={addToCart}>
            Add to cart
          </Button>
        </div>
      )}
      <ListNameDialog
        open={renaming}
        onClose={() => setRenaming(false)}
        title="Rename the list"
        submitLabel="Rename"
        name={name}
        onConfirm={async (next) => {
          list.change((now) => ({ ...now, name: next }));
          return undefined;
        }}
      />
      <SaveBeforeLeaving
        list={list}
        isChecking={unsaved === "checking" && !failure}
        isSaved={edited.isSaved}
      />
    </div>
  );
}

/** Of a list whose lines are saved, by why others are not. */
const savingStates = { checking: "saving", failed: "offline", incorrect: "incorrect" } as const;

/** The total of the lines that can be ordered, in cents. */
function totalCentsOf(
  lines: readonly SavedListLine[],
  find: (line: SavedListLine) => CheckedLine | undefined,
): number {
  return lines.reduce((sum, line) => {
    const checked = find(line);
    return sum + (isOrderable(checked) ? lineCents(line.quantity, checked.price) : 0);
  }, 0);
}
