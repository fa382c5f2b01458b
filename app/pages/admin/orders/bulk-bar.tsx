import { Button, ButtonLink } from "../../../components/button.tsx";
import { counted } from "../../../components/format.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import type { ListedOrder } from "./use-orders.ts";
import type { RowSelection } from "./use-row-selection.ts";

/** The maximum of a pick list. */
const MAX_ORDERS = 100;

interface BulkBarProps {
  selection: RowSelection;
  onShip: () => void;
}

/** Actions for the selected rows; sticks to the bottom of the window. */
export function BulkBar({ selection, onShip }: BulkBarProps) {
  const { rows } = selection;
  if (rows.length === 0) return null;
  const toShip = rows.filter((row) => fulfillmentStatusOf(row) === "paid");
  const numbers = [...new Set(toShip.map(({ orderNumber }) => orderNumber))];
  const pieces = toShip.reduce((sum, row) => sum + leftOf(row), 0);
  const tooMany = numbers.length > MAX_ORDERS;
  return (
    <section className="bulk" aria-label="Selected orders">
      <p role="status">
        <b>{`${counted(rows.length, "line")} selected`}</b>{" "}
        <span>
          {numbers.length > 0
            ? `${counted(numbers.length, "order")}, ${counted(pieces, "piece")} to ship`
            : "none to ship"}
        </span>
      </p>
      <div className="acts">
        <Button size="sm" onClick={selection.clear}>
          Clear
        </Button>
        {numbers.length > 0 && !tooMany && (
          <>
            <ButtonLink size="sm" icon="rows" to={`/dashboard/pick-list?orders=${numbers.join(",")}`}>
              Pick list
            </ButtonLink>
            <Button size="sm" look="primary" onClick={onShip}>
              Ship {counted(numbers.length, "order")}
            </Button>
          </>
        )}
        {tooMany && <span>Select at most {MAX_ORDERS} orders.</span>}
      </div>
    </section>
  );
}

function leftOf({ purchaseQuantity, shippedPieces = 0 }: ListedOrder): number {
  return purchaseQuantity - shippedPieces;
}
