import { useState } from "react";
import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Actions } from "../../../components/table.tsx";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { ShipButton } from "./ship-button.tsx";
import { shipOrder, unshippedPieces } from "./ship-order.ts";

interface AdminOrderActionsProps {
  order: Purchase;
  /** it was shipped, or its state is outdated: reload it */
  onChanged: () => void;
  onCancel: () => void;
}

/** An admin's actions on an order's page, as in the list (specification, section 4): ship or cancel. */
export function AdminOrderActions({ order, onChanged, onCancel }: AdminOrderActionsProps) {
  const [shipping, setShipping] = useState(false);

  async function ship() {
    if (shipping) return;
    setShipping(true);
    const description = `${count(unshippedPieces(order))} ${order.productName} to ${order.name}`;
    await shipOrder({ id: order._id, description, onUndone: onChanged });
    setShipping(false);
    onChanged();
  }

  if (fulfillmentStatusOf(order) === "paid") {
    return (
      <Actions>
        <ShipButton look="primary" busy={shipping} onClick={() => void ship()} />
      </Actions>
    );
  }
  if (order.status !== "unpaid") return null;
  return (
    <Actions>
      <Button look="danger" onClick={onCancel}>
        {labels.orders.cancel}
      </Button>
    </Actions>
  );
}
