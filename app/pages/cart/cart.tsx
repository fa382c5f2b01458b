import { type DragEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { NeedsScript } from "../../components/needs-script.tsx";
import { Notice } from "../../components/notice.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { toast } from "../../components/toast.ts";
import { dismissRaised, useCart, useCartState } from "../../data/cart.ts";
import { useSignedInUser } from "../../data/session.ts";
import "../../styles/cart.css";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { SaveAsList } from "../orders/save-as-list.tsx";
import type { Route } from "./+types/cart.ts";
import { appendRows, type CartRow, fixRow, newRow } from "./cart-rows.ts";
import { CartBar, CartSummary, linesOf } from "./cart-summary.tsx";
import { sumRows } from "./cart-totals.ts";
import { EntryRow } from "./entry-row.tsx";
import { downloadCsv, writeCsv } from "./export-csv.ts";
import { isOrderable, stripOf } from "./line-problem.ts";
import { Pad, type PlacedRow } from "./pad.tsx";
import type { RowActions } from "./pad-row.tsx";
import { parseRows } from "./parse-rows.ts";
import { type Paste, PasteReport } from "./paste-report.tsx";
import { StartFrom } from "./start-from.tsx";
import { useCartRows } from "./use-cart-rows.ts";
import { type CheckedRow, useCheckedRows } from "./use-checked-rows.ts";

export const meta: Route.MetaFunction = () => pageTitle("Cart");

type View = "all" | "problems";

const MAX_BYTES = 10 * 1024 * 1024;
const NO_TABLE = "This file could not be read as rows. Save it as CSV and drop it again.";

/** Lines to order: typed, pasted, checked and corrected. Works signed out. */
export default function CartPage() {
  const cart = useCartRows();
  const { checked, failure, isChecking, resolutions } = useCheckedRows(cart);
  const [view, setView] = useState<View>("all");
  const [paste, setPaste] = useState<Paste | null>(null);
  const [isOver, setIsOver] = useState(false);
  const keys = useRef<GridKeys | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const isRead = useSyncExternalStore(neverChanges, isTrue, isFalse);
  const totals = sumRows(checked);
  const { rows } = cart;
  const placed = checked.map((one, index): PlacedRow => ({ ...one, index }));
  const problems = placed.filter(hasProblem);
  const shown = view === "problems" && problems.length > 0 ? problems : placed;

  function addRows(text: string) {
    if (text.length > MAX_BYTES)
      return toast.error("This paste is larger than 10 MB. Divide it and paste the parts.");
    const parsed = parseRows(text, MAX_LINES);
    if (!parsed) return toast.error(NO_TABLE);
    if (parsed.found === 0) return toast.info("There are no rows to paste.");
    const room = Math.max(0, MAX_LINES - rows.length);
    const added = parsed.rows.slice(0, room).map(({ text, quantity }) => newRow({ text, quantity }));
    // parsing and rendering thousands of rows in one task would exceed 50 ms
    setTimeout(() => {
      cart.change((now) => appendRows(now, added));
      setPaste({ parsed, keys: added.map(({ key }) => key) });
    });
  }

  async function addFile(chosen: File | undefined) {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES)
      return toast.error("This file is larger than 10 MB. Divide it and drop the parts.");
    addRows(await chosen.text());
  }

  async function pasteFromClipboard() {
    try {
      addRows(await navigator.clipboard.readText());
    } catch {
      toast.info("Your browser does not let this page read the clipboard. Press Ctrl V in the cart.");
    }
  }

  function clear() {
    const before = rows;
    cart.change(() => []);
    setPaste(null);
    toast.info(before.length === 1 ? "1 line removed." : `${count(before.length)} lines removed.`, {
      label: "Undo",
      onPress: () => cart.change((now) => appendRows(before, now)),
    });
  }

  function goToProblem(from: string | undefined, direction: 1 | -1) {
    const start = placed.findIndex(({ row }) => row.key === from);
    const ordered = direction === 1 ? problems : problems.toReversed();
    const next = ordered.find(({ index }) => (direction === 1 ? index > start : index < start)) ?? ordered[0];
    if (next) keys.current?.focusCell(next.row.key, stripOf(next.line)?.fixes.length ? "fix-0" : "quantity");
  }

  const actionsFor = (grid: GridKeys): RowActions => ({
    setText: (row, text) => replace(row, newRow({ text, quantity: row.quantity })),
    setQuantity: (row, quantity) => replace(row, { ...row, quantity, price: undefined }),
    applyFix(row, fix) {
      if (!fix.change) return this.remove(row);
      replace(row, fixRow(row, fix.change));
      const next = problems.find(({ row: { key }, index }) => key !== row.key && index > indexOf(row));
      if (next) grid.focusCell(next.row.key, "fix-0");
      else grid.focusCell(fix.change.productId ?? row.key, "quantity");
    },
    remove(row) {
      const at = indexOf(row);
      cart.change((now) => now.filter(({ key }) => key !== row.key));
      const next = rows[at + 1] ?? rows[at - 1];
      grid.focusCell(next ? next.key : "entry", next ? "quantity" : "item");
    },
  });

  const indexOf = ({ key }: CartRow) => rows.findIndex((row) => row.key === key);
  const replace = (row: CartRow, by: CartRow) =>
    cart.change((now) => now.map((one) => (one.key === row.key ? by : one)));

  /** Fixes that change a quantity; a product is never chosen for the buyer. */
  const certain = problems.flatMap(({ row, line }) => {
    const fix = stripOf(line)?.fixes[0];
    return fix?.change && !fix.guesses ? [{ row, change: fix.change }] : [];
  });

  function fixAll() {
    const fixes = new Map(certain.map(({ row, change }) => [row.key, change]));
    cart.change((now) =>
      now.map((row) => {
        const change = fixes.get(row.key);
        return change ? fixRow(row, change) : row;
      }),
    );
  }

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      void addFile(event.dataTransfer.files[0]);
    },
  };

  return (
    <main
      id="main"
      className="sheet cart"
      data-over={isOver || undefined}
      // the server's HTML has no lines: until they are loaded, CSS reserves the space of as many
      data-unread={!isRead || undefined}
      {...drop}
    >
      <div className="cart__head">
        <h1 className="t-h1">Cart</h1>
        <p className="muted">
          <Fact rows={rows} />
        </p>
      </div>
      <NeedsScript />
      <Raised checked={checked} />
      {failure && rows.length > 0 && (
        <Notice kind="warn">{`${failure} The lines are checked again in a moment.`}</Notice>
      )}
      {paste && (
        <PasteReport
          paste={paste}
          checked={checked}
          resolutions={resolutions}
          onUndo={() => {
            cart.undo();
            setPaste(null);
          }}
          onClose={() => setPaste(null)}
        />
      )}
      <div className="cart__cols">
        <div className="cart__main">
          {rows.length > 0 && (
            <div className="cart__bar">
              <SegmentedControl<View>
                label="Lines to show"
                items={[
                  ["all", `All ${count(rows.length)}`],
                  ["problems", <NeedsChange key="problems" lines={problems.length} />],
                ]}
                value={view}
                onChoose={setView}
              />
              {certain.length > 1 && (
                <Button look="ink" size="sm" onClick={fixAll}>
                  {`Fix ${count(certain.length)} at once`}
                </Button>
              )}
              <span className="cart__bar-end">
                <Button
                  className="cart__narrow"
                  look="quiet"
                  size="sm"
                  icon="retry"
                  disabled={!cart.canUndo}
                  onClick={cart.undo}
                >
                  Undo
                </Button>
                <SaveCart />
                <Button
                  className="cart__narrow"
                  size="sm"
                  icon="down"
                  onClick={() => downloadCsv("stator-cart.csv", writeCsv(checked))}
                >
                  Export CSV
                </Button>
                <Button className="cart__narrow" size="sm" icon="remove" onClick={clear}>
                  Clear
                </Button>
              </span>
            </div>
          )}
          <Pad
            rows={shown}
            total={rows.length}
            actions={actionsFor}
            keysRef={keys}
            onUndo={cart.undo}
            onRedo={cart.redo}
            onPasteRows={addRows}
            onNextProblem={goToProblem}
            entry={(grid) => (
              <EntryRow
                place={rows.length + 1}
                findLine={(productId) => {
                  const at = rows.findIndex((row) => row.productId === productId);
                  if (at < 0) return false;
                  toast.info(`Already line ${count(at + 1)}`);
                  grid.focusCell(productId, "quantity");
                  return true;
                }}
                onAdd={(row) => cart.change((now) => appendRows(now, [row]))}
              />
            )}
          />
          <KeyLegend />
          <div className="cart__drop">
            <Icon name="copy" />
            <p>
              <b>Paste rows from a spreadsheet, or drop a CSV here.</b> Item number, then quantity. Up to{" "}
              {count(MAX_LINES)} lines.
            </p>
            <span className="cart__drop-acts">
              <Button size="sm" onClick={pasteFromClipboard}>
                Paste rows
              </Button>
              <Button size="sm" onClick={() => file.current?.click()}>
                Choose a CSV
              </Button>
            </span>
            <input
              ref={file}
              type="file"
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              aria-label="CSV file"
              hidden
              onChange={({ target }) => {
                void addFile(target.files?.[0]);
                target.value = "";
              }}
            />
          </div>
          {rows.length === 0 && <Example />}
        </div>
        {rows.length === 0 ? (
          <StartFrom />
        ) : (
          <CartSummary
            totals={totals}
            isChecking={isChecking}
            onNextProblem={() => goToProblem(undefined, 1)}
          />
        )}
      </div>
      {rows.length > 0 && (
        <CartBar totals={totals} isChecking={isChecking} onNextProblem={() => goToProblem(undefined, 1)} />
      )}
      <Announcement problems={totals.problems} totalCents={totals.totalCents} lines={totals.lines} />
    </main>
  );
}

const neverChanges = () => () => {};
const isTrue = () => true;
const isFalse = () => false;

function NeedsChange({ lines }: { lines: number }) {
  return (
    <span className={classNames("cart__needs", lines > 0 && "is-bad")}>
      {lines > 0 && <Icon name="alert" />}
      {`Needs a change ${count(lines)}`}
    </span>
  );
}

function hasProblem({ line }: CheckedRow): boolean {
  return line !== undefined && !isOrderable(line);
}

/** Saves the lines as a list; only accounts have lists. */
function SaveCart() {
  const user = useSignedInUser();
  const { lines } = useCart();
  if (!user || lines.length === 0) return null;
  const day = new Date().toLocaleDateString("en-US", { month: "short", day: "numeric", year: "numeric" });
  return <SaveAsList name={`Cart of ${day}`} lines={[...lines]} look="line" />;
}

function Fact({ rows }: { rows: readonly CartRow[] }) {
  const state = useCartState();
  const user = useSignedInUser();
  if (rows.length === 0) return "Empty. Type the first item number, or paste a whole order.";
  const pieces = rows.reduce((sum, { quantity }) => sum + (typeof quantity === "number" ? quantity : 0), 0);
  const where =
    !user || user.role === "admin"
      ? "Saved on this device."
      : state === "offline"
        ? "Not saved to your account. Saved on this device."
        : "Saved on this device and in your account.";
  return `${linesOf(rows.length)}, ${count(pieces)} pieces. ${where}`;
}

/** Shown after signing in merged the cart of this device into the account's. */
function Raised({ checked }: { checked: readonly CheckedRow[] }) {
  const { raised } = useCart();
  if (raised.length === 0) return null;
  const names = new Map(checked.map(({ row, line }) => [row.productId, line?.name]));
  const changes = raised
    .slice(0, 3)
    .map(
      ({ productId, from, to }) => `${names.get(productId) ?? "a tool"} from ${count(from)} to ${count(to)}`,
    );
  const more = raised.length > 3 ? ` and ${count(raised.length - 3)} more` : "";
  return (
    <Notice>
      {`Your two carts are one now. The larger quantity was taken: ${changes.join(", ")}${more}.`}{" "}
      <button type="button" className="link" onClick={dismissRaised}>
        Dismiss
      </button>
    </Notice>
  );
}

function KeyLegend() {
  const keys: [string[], string][] = [
    [["Arrows"], "move"],
    [["Enter"], "edit, next line"],
    [["Del"], "clear"],
    [["Ctrl", "V"], "paste rows"],
    [["Ctrl", "Z"], "undo"],
    [["F8"], "next problem"],
  ];
  return (
    <dl className="cart__keys">
      {keys.map(([names, act]) => (
        <div key={act}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{act}</dd>
        </div>
      ))}
    </dl>
  );
}

function Example() {
  return (
    <section className="cart__example">
      <h2 className="t-h3">What a paste looks like</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Item number</th>
            <th scope="col" className="r">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {[
            ["DD 18-60", "200"],
            ["AG 125-14", "80"],
            ["RO 150-5", "96"],
          ].map(([item, quantity]) => (
            <tr key={item}>
              <td>{item}</td>
              <td className="r num">{quantity}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <p>
          Copy two columns from any spreadsheet and press <kbd>Ctrl</kbd> <kbd>V</kbd> here. A heading row is
          skipped. Spaces and hyphens in item numbers do not matter.
        </p>
        <p>
          <button
            type="button"
            className="link"
            onClick={() => downloadCsv("stator-order.csv", "Item number,Quantity\r\n")}
          >
            Download an empty CSV
          </button>
        </p>
      </div>
    </section>
  );
}

/** The total for screen readers, at most once a second. */
function Announcement({
  problems,
  totalCents,
  lines,
}: {
  problems: number;
  totalCents: number;
  lines: number;
}) {
  const [text, setText] = useState("");
  useEffect(() => {
    if (lines === 0) return;
    const total = `Total ${(totalCents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" })}`;
    const change = problems > 0 ? `, ${linesOf(problems)} to change` : "";
    const timer = setTimeout(() => setText(`${total}${change}.`), 1000);
    return () => clearTimeout(timer);
  }, [problems, totalCents, lines]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
