import { Button, ButtonLink } from "../../../components/button.tsx";
import { focusHeading } from "../../../components/focus-heading.ts";
import { counted } from "../../../components/format.ts";
import type { RowSelection } from "../use-row-selection.ts";
import { groupToShip, MAX_ORDERS } from "./order-groups.ts";
import type { ListedPurchase } from "./use-orders.ts";

interface BulkBarProps {
  selection: RowSelection<ListedPurchase>;
  onShip: () => void;
}

/** Actions for the selected rows; sticks to the bottom of the window. */
export function BulkBar({ selection, onShip }: BulkBarProps) {
  const { rows } = selection;
  if (rows.length === 0) return null;
  const { orders } = groupToShip(rows);
  const pieces = orders.reduce((sum, order) => sum + order.pieces, 0);
  const tooMany = orders.length > MAX_ORDERS;
  return (
    <section className="bulk" aria-label="Selected orders">
      <p role="status">
        <b>{`${counted(rows.length, "line")} selected`}</b>{" "}
        <span>
          {orders.length > 0
            ? `${counted(orders.length, "order")}, ${counted(pieces, "piece")} to ship`
            : "none to ship"}
        </span>
      </p>
      <div className="acts">
        <Button
          size="sm"
          onClick={() => {
            selection.clear();
            focusHeading(); // the bar will be gone
          }}
        >
          Clear
        </Button>
        {orders.length > 0 && !tooMany && (
          <>
            <ButtonLink
              size="sm"
              icon="rows"
              to={`/dashboard/pick-list?orders=${orders.map(({ number }) => number).join(",")}`}
            >
              Pick list
            </ButtonLink>
            <Button size="sm" look="primary" onClick={onShip}>
              Ship {counted(orders.length, "order")}
            </Button>
          </>
        )}
        {tooMany && <span>Select at most {MAX_ORDERS} orders.</span>}
      </div>
    </section>
  );
}
