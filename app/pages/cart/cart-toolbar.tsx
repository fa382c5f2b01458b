import { useEffect } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { formatDay } from "../../components/dates.ts";
import { focusHeading } from "../../components/focus-heading.ts";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { useCart } from "../../data/cart.ts";
import { useSignedInUser } from "../../data/session.ts";
import { useTimeZone } from "../../data/time-zone.ts";
import { SaveAsList } from "../orders/save-as-list.tsx";
import { saveCsv } from "./save-csv.ts";
import type { CartRows } from "./use-cart-rows.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

export type View = "all" | "problems";

interface CartToolbarProps {
  cart: CartRows;
  checked: readonly CheckedRow[];
  view: View;
  onView: (view: View) => void;
  /** lines that need a change */
  problems: number;
  /** lines with a fix that needs no decision */
  fixable: number;
  onFixAll: () => void;
  onClear: () => void;
}

export function CartToolbar({
  cart,
  checked,
  view,
  onView,
  problems,
  fixable,
  onFixAll,
  onClear,
}: CartToolbarProps) {
  // it is gone when Undo takes the first line back
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusHeading();
    },
    [],
  );
  return (
    <div className="cart__bar">
      <SegmentedControl<View>
        label="Lines to show"
        items={[
          ["all", `All ${count(cart.rows.length)}`],
          ["problems", <NeedsChange key="problems" lines={problems} />],
        ]}
        value={view}
        onChoose={onView}
      />
      {fixable > 1 && (
        <Button look="ink" size="sm" onClick={onFixAll}>
          {`Fix ${count(fixable)} at once`}
        </Button>
      )}
      <span className="cart__bar-end">
        <Button
          className="cart__narrow"
          look="quiet"
          size="sm"
          icon="undo"
          // disabled, it would lose the focus
          aria-disabled={!cart.canUndo}
          onClick={cart.undo}
        >
          Undo
        </Button>
        <SaveCart />
        <Button
          className="cart__narrow"
          size="sm"
          icon="download"
          onClick={() => saveCsv("stator-cart.csv", checked)}
        >
          Export CSV
        </Button>
        <Button className="cart__narrow" size="sm" icon="remove" onClick={onClear}>
          Clear
        </Button>
      </span>
    </div>
  );
}

function NeedsChange({ lines }: { lines: number }) {
  return (
    <span className={classNames("cart__needs", lines > 0 && "is-bad")}>
      {lines > 0 && <Icon name="alert" />}
      {`Needs a change ${count(lines)}`}
    </span>
  );
}

/** Saves the lines as a list; only accounts have lists. */
function SaveCart() {
  const user = useSignedInUser();
  const { lines } = useCart();
  const zone = useTimeZone();
  if (!user || lines.length === 0) return null;
  return <SaveAsList name={`Cart of ${formatDay(new Date(), zone)}`} lines={[...lines]} look="line" />;
}
