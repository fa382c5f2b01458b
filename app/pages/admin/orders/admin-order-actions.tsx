import { useState } from "react";
import { useNavigate } from "react-router";
import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Actions } from "../../../components/table.tsx";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { CancelOrderDialog } from "./cancel-order-dialog.tsx";
import { ShipButton } from "./ship-button.tsx";
import { shipOrder } from "./ship-order.ts";

interface OrderActsProps {
  order: Purchase;
  /** it was shipped, or its state is outdated: reload it */
  onChanged: () => void;
}

/** An admin's actions on an order's page, as in the list (specification, section 4): ship or cancel. */
export function AdminOrderActions({ order, onChanged }: OrderActsProps) {
  const [shipping, setShipping] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const navigate = useNavigate();

  async function ship() {
    if (shipping) return;
    setShipping(true);
    const what = `${count(order.purchaseQuantity)} ${order.productName} to ${order.name}`;
    await shipOrder({ id: order._id, what, onUndone: onChanged });
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
      <Button look="danger" onClick={() => setIsConfirming(true)}>
        {labels.orders.cancel}
      </Button>
      <CancelOrderDialog
        order={isConfirming ? order : null}
        onClose={() => setIsConfirming(false)}
        onCancelled={(gone) => (gone ? navigate("/dashboard/manageOrder", { replace: true }) : onChanged())}
      />
    </Actions>
  );
}
