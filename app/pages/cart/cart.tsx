import { useMemo, useRef, useState } from "react";
import { formatTime } from "../../components/dates.ts";
import { focusHeading } from "../../components/focus-heading.ts";
import { counted } from "../../components/format.ts";
import { KeyLegend } from "../../components/key-legend.tsx";
import { NeedsScript } from "../../components/needs-script.tsx";
import { Notice } from "../../components/notice.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { toast } from "../../components/toast.ts";
import { useFileDrop } from "../../components/use-file-drop.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { type CartAvailability, useCartAvailability, useCartState } from "../../data/cart.ts";
import { cartUnsavedSince } from "../../data/cart-storage.ts";
import { useSignedInUser } from "../../data/session.ts";
import { useTimeZone } from "../../data/time-zone.ts";
import { useAccountKey } from "../../data/use-account-key.ts";
import { useHydrated } from "../../data/use-browser-value.ts";
import "../../styles/cart.css";
import type { Route } from "./+types/cart.ts";
import { PasteExample, PasteOrDrop, StartFrom } from "./cart-help.tsx";
import { appendRows, type CartRow, fixRow, newRow } from "./cart-rows.ts";
import { CartBar, CartSummary, TotalAnnouncement, useCheckoutPress } from "./cart-summary.tsx";
import { CartToolbar, type View } from "./cart-toolbar.tsx";
import { sumRows } from "./cart-totals.ts";
import { CartUnavailable } from "./cart-unavailable.tsx";
import { EntryRow } from "./entry-row.tsx";
import { noticeOf } from "./line-problem.ts";
import { MergeNotice } from "./merge-notice.tsx";
import { focusProblem, hasProblem, type IndexedRow, Pad, padKeys } from "./pad.tsx";
import type { RowActions } from "./pad-row.tsx";
import { useCartRows } from "./use-cart-rows.ts";
import { useCheckedRows } from "./use-checked-rows.ts";
import { usePaste } from "./use-paste.ts";

export const meta: Route.MetaFunction = () => pageTitle("Cart");

export default function CartPage() {
  return <Cart key={useAccountKey()} />;
}

/** Lines to order: typed, pasted, checked and corrected. Works signed out. */
function Cart() {
  const cart = useCartRows();
  const { checked, failure, isChecking } = useCheckedRows(cart);
  const [view, setView] = useState<View>("all");
  const { paste, addFiles, pasteFromClipboard, closeReport } = usePaste(cart);
  const drop = useFileDrop(addFiles);
  const keys = useRef<GridKeys | null>(null);
  const lastProblem = useRef<string>(undefined);
  const isHydrated = useHydrated();
  const availability = useCartAvailability();
  const totals = sumRows(checked);
  const { rows } = cart;
  const indexedRows = checked.map((checkedRow, index): IndexedRow => ({ ...checkedRow, index }));
  const problems = indexedRows.filter(hasProblem);
  const shown = view === "problems" && problems.length > 0 ? problems : indexedRows;

  function clear() {
    const step = cart.change(() => []);
    closeReport();
    toast.undo(`${counted(rows.length, "line")} removed.`, {
      label: "Undo",
      onPress: () => cart.revert(step),
    });
  }

  function goToProblem(from: string | undefined, direction: 1 | -1) {
    lastProblem.current = focusProblem(keys.current, indexedRows, from, direction);
  }

  const latest = useRef({ rows, problems });
  latest.current = { rows, problems };
  const { change } = cart;
  // stable: a row is rendered only when it changes
  const actions = useMemo((): RowActions => {
    const indexOf = ({ key }: CartRow) => latest.current.rows.findIndex((row) => row.key === key);
    const replace = (row: CartRow, replacement: CartRow) =>
      change((now) => now.map((other) => (other.key === row.key ? replacement : other)));
    return {
      setText: (row, text) => replace(row, newRow({ text, quantity: row.quantity })),
      setQuantity: (row, quantity) => replace(row, { ...row, quantity, price: undefined }),
      applyFix(row, fix) {
        if (!fix.change) return this.remove(row);
        const start = indexOf(row);
        replace(row, fixRow(row, fix.change));
        const next = latest.current.problems.find(
          ({ row: { key }, index }) => key !== row.key && index > start,
        );
        if (next) keys.current?.focusCell(next.row.key, "fix-0");
        else keys.current?.focusCell(fix.change.productId ?? row.key, "quantity");
      },
      remove(row) {
        const index = indexOf(row);
        const next = latest.current.rows[index + 1] ?? latest.current.rows[index - 1];
        change((now) => now.filter(({ key }) => key !== row.key));
        keys.current?.focusCell(next ? next.key : "entry", next ? "quantity" : "item");
      },
    };
  }, [change]);

  /** Fixes that change a quantity; a product is never chosen for the buyer. */
  const automaticFixes = problems.flatMap(({ row, line }) => {
    const fix = noticeOf(line)?.fixes[0];
    return fix?.change && !fix.isGuess ? [{ row, change: fix.change }] : [];
  });

  function fixAll() {
    const fixes = new Map(automaticFixes.map(({ row, change }) => [row.key, change]));
    cart.change((now) =>
      now.map((row) => {
        const change = fixes.get(row.key);
        return change ? fixRow(row, change) : row;
      }),
    );
    // the button is gone
    focusHeading();
  }

  const onNextProblem = () => goToProblem(lastProblem.current, 1);
  const checkoutPress = useCheckoutPress(isChecking, problems.length, onNextProblem);
  const summary = { totals, isChecking, onNextProblem, checkoutPress };

  return (
    <main
      id="main"
      className="sheet cart"
      // the server's HTML has no lines: until they are loaded, CSS reserves the space for them
      data-unread={!isHydrated || (availability === "loading" && rows.length === 0) || undefined}
      {...drop}
    >
      <div className="cart__head">
        <h1 className="t-h1">Cart</h1>
        <p className="muted">
          <CartStatus rows={rows} availability={availability} />
        </p>
      </div>
      <NeedsScript />
      <MergeNotice checked={checked} />
      {failure && rows.length > 0 && (
        <Notice kind="warn">{`${failure} The lines are checked again in a moment.`}</Notice>
      )}
      {paste && (
        <paste.Report
          paste={paste}
          checked={checked}
          onUndo={() => {
            cart.revert(paste.step);
            closeReport();
          }}
          onClose={closeReport}
        />
      )}
      <div className="cart__cols">
        <div className="cart__main">
          {rows.length > 0 && (
            <CartToolbar
              cart={cart}
              checked={checked}
              view={view}
              onView={setView}
              problems={problems.length}
              fixable={automaticFixes.length}
              onFixAll={fixAll}
              onClear={clear}
            />
          )}
          <Pad
            label="Lines of the cart"
            rows={shown}
            total={rows.length}
            actions={actions}
            keysRef={keys}
            onUndo={cart.undo}
            onRedo={cart.redo}
            onNextProblem={goToProblem}
            entry={
              <EntryRow
                rows={rows}
                keysRef={keys}
                of="cart"
                onAdd={(row) => cart.change((now) => appendRows(now, [row]))}
              />
            }
          />
          <KeyLegend keys={padKeys} />
          <PasteOrDrop onPaste={pasteFromClipboard} onFiles={addFiles} />
          {rows.length === 0 && <PasteExample />}
        </div>
        {rows.length === 0 ? <StartFrom /> : <CartSummary {...summary} />}
      </div>
      {rows.length > 0 && <CartBar {...summary} />}
      <TotalAnnouncement totals={totals} />
    </main>
  );
}

function CartStatus({ rows, availability }: { rows: readonly CartRow[]; availability: CartAvailability }) {
  const state = useCartState();
  const user = useSignedInUser();
  const zone = useTimeZone();
  if (rows.length === 0) {
    // as long as the last text, which the server renders, so that nothing shifts
    if (availability === "loading") return "Loading the cart of your account. You can already add to it.";
    if (availability === "unavailable") return <CartUnavailable from="/cart" />;
    return "Empty. Type the first item number, or paste a whole order.";
  }
  const pieces = rows.reduce((sum, { quantity }) => sum + (typeof quantity === "number" ? quantity : 0), 0);
  const savedWhere =
    !user || user.role === "admin"
      ? "Saved on this device."
      : state === "offline"
        ? `Not saved to your account since ${formatTime(cartUnsavedSince() ?? new Date(), zone)}. Saved on this device.`
        : "Saved on this device and in your account.";
  return `${counted(rows.length, "line")}, ${counted(pieces, "piece")}. ${savedWhere}`;
}
