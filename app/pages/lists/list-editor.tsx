import { type ClipboardEvent, type MouseEvent, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedList, SavedListLine } from "../../../api/list-calls.ts";
import { fromCents } from "../../../shop/money.ts";
import { Breadcrumbs } from "../../components/breadcrumbs.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { KeyLegend } from "../../components/key-legend.tsx";
import { Notice } from "../../components/notice.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { EmptyState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useSingleFlight } from "../../data/use-single-flight.ts";
import { isOrderable } from "../cart/cart-rows.ts";
import { downloadCsv, writeCsv } from "../cart/export-csv.ts";
import { focusProblem, type IndexedRow, Pad, padKeys } from "../cart/pad.tsx";
import type { RowActions } from "../cart/pad-row.tsx";
import { isTable } from "../cart/recognize-rows.ts";
import { lineCents } from "../orders/sum-cents.ts";
import { AddLineForm } from "./add-line-form.tsx";
import { addListToCart, deleteList } from "./list-actions.ts";
import { ListNameDialog } from "./list-name-dialog.tsx";
import { parsePieces } from "./parse-pieces.ts";
import { checkPastedRows, type PasteResult, PasteSummary } from "./paste-rows.tsx";
import { SaveBeforeLeaving } from "./save-before-leaving.tsx";
import { useCheckedLines } from "./use-checked-lines.ts";
import { useLineChanges } from "./use-line-changes.ts";
import { type EditedList, useSavedList } from "./use-saved-list.ts";

interface ListEditorProps {
  loaded: SavedList;
  checked: readonly CheckedLine[];
}

/** A saved list with its lines and actions. Every change is saved. */
export function ListEditor({ loaded, checked }: ListEditorProps) {
  const list = useSavedList(loaded);
  const { find, add } = useCheckedLines(list.lines, checked);
  const { change, revert, undo, redo } = useLineChanges(list.change);
  const [unselected, setUnselected] = useState<ReadonlySet<string>>(new Set());
  /** quantities that are not numbers, by product; they are not saved */
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  const [renaming, setRenaming] = useState(false);
  const [pasted, setPasted] = useState<PasteResult | null>(null);
  const keys = useRef<GridKeys | null>(null);
  const navigate = useNavigate();
  const once = useSingleFlight();
  const callOnce = useCallOnce();
  const { lines, name } = list;

  const lineOf = (line: SavedListLine) => find(line).line;
  const isSelectable = (line: SavedListLine) => lineOf(line)?.code !== "archived";
  // a long list is checked in two parts
  const isPriced = lines.every(lineOf);
  const isSelected = (line: SavedListLine) => isSelectable(line) && !unselected.has(line.productId);
  const selected = lines.filter(isSelected);
  const selectedIds = new Set(selected.map(({ productId }) => productId));
  const selectable = lines.filter(isSelectable).length;
  const orderable = lines.filter((line) => isOrderable(lineOf(line)));
  const pieces = orderable.reduce((sum, { quantity }) => sum + quantity, 0);
  const rows = lines.map((saved, index): IndexedRow => {
    const row = { key: saved.productId, ...saved };
    const typed = invalid.get(saved.productId);
    if (typed === undefined) return { index, row, ...find(saved) };
    const problem = { code: "bad_quantity" as const, detail: String(parsePieces(typed)), fixes: [] };
    const line = { index, ...lineOf(saved), ...problem };
    return { index, row: { ...row, quantity: typed }, line, isStale: false };
  });
  const latestLines = useRef(lines);
  latestLines.current = lines;

  // stable: a row is rendered only when it changes
  const actions = useMemo((): RowActions => {
    const setInvalidText = (key: string, text: string | undefined) =>
      setInvalid((now) => {
        const next = new Map(now);
        if (text === undefined) next.delete(key);
        else next.set(key, text);
        return next;
      });
    const setQuantity: RowActions["setQuantity"] = ({ key }, typed) => {
      const quantity = typeof typed === "number" ? typed : parsePieces(typed);
      const isValid = typeof quantity === "number";
      setInvalidText(key, isValid ? undefined : String(typed));
      if (isValid)
        change((now) => now.map((line) => (line.productId === key ? { ...line, quantity } : line)));
    };
    const remove: RowActions["remove"] = ({ key }) => {
      const index = latestLines.current.findIndex(({ productId }) => productId === key);
      const next = latestLines.current[index + 1] ?? latestLines.current[index - 1];
      setInvalidText(key, undefined);
      const step = change((now) => now.filter(({ productId }) => productId !== key));
      if (next) keys.current?.focusCell(next.productId, "quantity");
      else focusEntry();
      const onPress = () => void revert(step);
      toast.success("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress });
    };
    return {
      setQuantity,
      remove,
      applyFix(row, fix) {
        if (!fix.change?.quantity) return remove(row);
        setQuantity(row, fix.change.quantity);
        keys.current?.focusCell(row.key, "quantity");
      },
      select: ({ key }, isSelected) =>
        setUnselected((now) =>
          isSelected ? new Set(now).difference(new Set([key])) : new Set(now).add(key),
        ),
    };
  }, [change, revert]);

  function addLine(line: CheckedLine) {
    const { productId, quantity } = line;
    if (!productId || quantity === undefined) return;
    // rows may have been pasted while the line was checked
    const index = latestLines.current.findIndex((other) => other.productId === productId);
    if (index >= 0) {
      toast.info(`Already line ${count(index + 1)}.`);
      return keys.current?.focusCell(productId, "quantity");
    }
    add([line]);
    change((now) => [...now, { productId, quantity }]);
  }

  async function paste(text: string) {
    const result = await checkPastedRows(text, latestLines.current);
    if (!result) return;
    add(result.checked);
    setPasted(result);
    change(result.merge);
  }

  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData("text");
    if (!isTable(text)) return;
    event.preventDefault();
    void paste(text);
  }

  function addToCart({ detail }: MouseEvent) {
    if (detail > 1) return; // the second press of a double click
    const wrong = selected.find(({ productId }) => invalid.has(productId));
    if (wrong) {
      keys.current?.focusCell(wrong.productId, "quantity");
      return toast.error("Correct the quantity of this line first.");
    }
    const priced = selected.map((line) => {
      const price = lineOf(line)?.price;
      return { ...line, ...(price !== undefined && { price }) };
    });
    const needChange = selected.filter((line) => !isOrderable(lineOf(line))).length;
    addListToCart(priced, needChange, () => void navigate("/cart"));
  }

  function exportCsv() {
    downloadCsv("stator-list.csv", writeCsv(lines.map((line) => ({ row: line, line: lineOf(line) }))));
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
    if (await deleteList({ _id: loaded._id, name, lines: [...lines] }, openRestored))
      await navigate("/dashboard/lists");
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
      {list.state === "deleted" && <DeletedNotice list={list} />}
      {pasted && <PasteSummary result={pasted} onClose={() => setPasted(null)} />}
      <div className="list-bar">
        {lines.length > 0 && (
          <label className="check">
            <input
              type="checkbox"
              ref={(input) => {
                if (input) input.indeterminate = selected.length > 0 && selected.length < selectable;
              }}
              checked={selected.length === selectable}
              onChange={({ target }) =>
                setUnselected(new Set(target.checked ? [] : lines.map(({ productId }) => productId)))
              }
              aria-label="Select all lines"
            />
            {`${count(selected.length)} of ${count(lines.length)} selected`}
          </label>
        )}
        <span className="list-bar__end">
          {lines.length > 0 && (
            <Button size="sm" icon="download" disabled={!isPriced} onClick={exportCsv}>
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and pastes of the grid and the form in it */}
      <div
        className="list-pad"
        onPaste={onPaste}
        onKeyDown={(event) => {
          const isCell = (event.target as HTMLElement).dataset.cell === "quantity";
          // in the last row
          if (event.key === "Enter" && isCell && !event.defaultPrevented) focusEntry();
        }}
      >
        {lines.length === 0 ? (
          <EmptyState title="Nothing in this list yet" drawing={false}>
            Add a tool by its item number or name below, or paste rows from a spreadsheet there.
          </EmptyState>
        ) : (
          <Pad
            label={`Lines of ${name}`}
            rows={rows}
            total={rows.length}
            isSelected={({ key }) => selectedIds.has(key)}
            actions={actions}
            keysRef={keys}
            onUndo={() => (invalid.size > 0 ? setInvalid(new Map()) : undo())}
            onRedo={redo}
            onNextProblem={(from, direction) => focusProblem(keys.current, rows, from, direction)}
          />
        )}
        <AddLineForm onAdd={addLine} />
      </div>
      <div className="list-foot">
        {lines.length > 0 && <KeyLegend keys={padKeys} />}
        <SavingStatus list={list} />
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
        confirm="Rename"
        name={name}
        onConfirm={async (next) => {
          list.change((now) => ({ ...now, name: next }));
          return undefined;
        }}
      />
      <SaveBeforeLeaving list={list} />
    </div>
  );
}

function focusEntry() {
  document.getElementById("list-entry")?.focus();
}

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

function SavingStatus({ list: { state } }: { list: EditedList }) {
  const text = {
    saved: "Every change is saved as you make it.",
    saving: "Saving your changes.",
    offline: "Your last changes are not saved yet. They are sent when the connection is back.",
    deleted: "Your changes are not saved.",
  }[state];
  return (
    <p className="hint list-saving" role="status" data-state={state}>
      {text}
    </p>
  );
}

/** The list was deleted in another tab or on another device; the content shown can be saved again. */
function DeletedNotice({ list: { name, lines } }: { list: EditedList }) {
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  async function saveAgain() {
    const body = { name, lines: [...lines] };
    const outcome = await callOnce("addSavedList", { body });
    if (outcome.ok) await navigate(`/dashboard/lists/${outcome.data._id}`, { replace: true });
    else toast.error(outcome.detail);
  }
  return (
    <Notice kind="warn">
      {"This list was deleted elsewhere. "}
      <button type="button" className="link" onClick={saveAgain}>
        Save it as a new list
      </button>
    </Notice>
  );
}
