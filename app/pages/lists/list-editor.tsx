import { type MouseEvent, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedList, SavedListLine } from "../../../api/list-calls.ts";
import { fromCents } from "../../../shop/money.ts";
import { Breadcrumbs } from "../../components/breadcrumbs.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Notice } from "../../components/notice.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { EmptyState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import { usePrinting } from "../../components/use-printing.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useSingleFlight } from "../../data/use-single-flight.ts";
import { isOrderable } from "../cart/cart-rows.ts";
import { downloadCsv, writeCsv } from "../cart/export-csv.ts";
import { AddLineForm } from "./add-line-form.tsx";
import { addListToCart, deleteList } from "./list-actions.ts";
import { type LineActions, totalCentsOf } from "./list-line.tsx";
import { ListLinesTable } from "./list-lines-table.tsx";
import { ListNameDialog } from "./list-name-dialog.tsx";
import { checkPastedRows, type PasteResult, PasteSummary } from "./paste-rows.tsx";
import { SaveBeforeLeaving } from "./save-before-leaving.tsx";
import { useCheckedLines } from "./use-checked-lines.ts";
import { type EditedList, useSavedList } from "./use-saved-list.ts";

/** Rows rendered at first; a list may have thousands. */
export const INITIAL_ROWS = 200;

interface ListEditorProps {
  loaded: SavedList;
  checked: readonly CheckedLine[];
}

/** A saved list with its lines and actions. Every change is saved. */
export function ListEditor({ loaded, checked }: ListEditorProps) {
  const list = useSavedList(loaded);
  const { find, add } = useCheckedLines(list.lines, checked);
  const [unselected, setUnselected] = useState<ReadonlySet<string>>(new Set());
  const [rowLimit, setRowLimit] = useState(INITIAL_ROWS);
  const isPrinting = usePrinting();
  const [renaming, setRenaming] = useState(false);
  const [pasted, setPasted] = useState<PasteResult | null>(null);
  const box = useRef<HTMLDivElement>(null);
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
  const selectable = lines.filter(isSelectable).length;
  const orderable = lines.filter((line) => isOrderable(lineOf(line)));
  const pieces = orderable.reduce((sum, { quantity }) => sum + quantity, 0);
  const latest = useRef(list);
  latest.current = list;

  const actions = useMemo<LineActions>(
    () => ({
      setQuantity: (productId, quantity) =>
        latest.current.change((now) => ({
          ...now,
          lines: now.lines.map((line) => (line.productId === productId ? { productId, quantity } : line)),
        })),
      select: (productId, isSelected) =>
        setUnselected((now) => {
          const next = new Set(now);
          if (isSelected) next.delete(productId);
          else next.add(productId);
          return next;
        }),
      remove(productId) {
        const { lines: before, change } = latest.current;
        const index = before.findIndex((line) => line.productId === productId);
        const line = before[index];
        if (!line) return;
        change((now) => ({ ...now, lines: now.lines.filter((other) => other.productId !== productId) }));
        focusLine(box.current, (before[index + 1] ?? before[index - 1])?.productId);
        const restore = () =>
          latest.current.change((now) =>
            now.lines.some((other) => other.productId === productId)
              ? now
              : { ...now, lines: now.lines.toSpliced(index, 0, line) },
          );
        toast.success("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress: restore });
      },
    }),
    [],
  );

  function addLine(line: CheckedLine) {
    const { productId, quantity } = line;
    if (!productId || quantity === undefined) return;
    const { lines } = latest.current; // rows may have been pasted while the line was checked
    const index = lines.findIndex((other) => other.productId === productId);
    if (index >= 0) {
      toast.info(`Already line ${count(index + 1)}.`);
      setRowLimit((now) => Math.max(now, index + 1));
      return requestAnimationFrame(() => focusLine(box.current, productId));
    }
    add([line]);
    setRowLimit((now) => Math.max(now, lines.length + 1));
    list.change((now) => ({ ...now, lines: [...now.lines, { productId, quantity }] }));
  }

  async function paste(text: string) {
    const result = await checkPastedRows(text, latest.current.lines);
    if (!result) return;
    add(result.checked);
    setPasted(result);
    list.change((now) => ({ ...now, lines: result.merge(now.lines) }));
  }

  function addToCart({ detail }: MouseEvent) {
    if (detail > 1) return; // the second press of a double click
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
      <div className="list-pad" ref={box}>
        {lines.length > 0 && (
          <ListLinesTable
            label={`Lines of ${name}`}
            lines={isPrinting ? lines : lines.slice(0, rowLimit)}
            find={find}
            isSelected={isSelected}
            actions={actions}
          />
        )}
        {lines.length > rowLimit && (
          <div className="more">
            <Button onClick={() => setRowLimit(rowLimit + 5 * INITIAL_ROWS)}>
              {`Show more of the other ${counted(lines.length - rowLimit, "line")}`}
            </Button>
          </div>
        )}
        {lines.length === 0 && (
          <EmptyState title="Nothing in this list yet" drawing={false}>
            Add a tool by its item number or name below, or paste rows from a spreadsheet there.
          </EmptyState>
        )}
        <AddLineForm onAdd={addLine} onPaste={(text) => void paste(text)} />
      </div>
      <SavingStatus list={list} />
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

/** The quantity of the line, or the entry row. */
function focusLine(box: HTMLElement | null, productId: string | undefined) {
  const line = productId && box?.querySelector<HTMLElement>(`[data-line="${productId}"] .list-qty input`);
  (line || document.getElementById("list-entry"))?.focus();
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
