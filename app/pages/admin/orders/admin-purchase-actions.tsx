import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Actions } from "../../../components/table.tsx";
import { useBusy } from "../../../data/use-busy.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { ShipButton } from "./ship-button.tsx";
import { shipPurchase, unshippedPieces } from "./ship-purchase.ts";

interface AdminPurchaseActionsProps {
  purchase: Purchase;
  /** it was shipped, or its state is outdated: reload it */
  onChanged: () => void;
  onCancel: () => void;
}

/** An admin's actions on a purchase's page, as in the list (specification, section 4): ship or cancel. */
export function AdminPurchaseActions({ purchase, onChanged, onCancel }: AdminPurchaseActionsProps) {
  const [busy, run] = useBusy();

  async function ship() {
    const description = `${count(unshippedPieces(purchase))} ${purchase.productName} to ${purchase.name}`;
    const { _id: id, shippedPieces: seenShipped } = purchase;
    await shipPurchase({ id, seenShipped, description, onUndone: onChanged });
    onChanged();
  }

  if (fulfillmentStatusOf(purchase) === "paid") {
    return (
      <Actions>
        <ShipButton look="primary" busy={busy} onClick={() => void run(ship)} />
      </Actions>
    );
  }
  if (purchase.status !== "unpaid") return null;
  return (
    <Actions>
      <Button look="danger" onClick={onCancel}>
        {labels.orders.cancel}
      </Button>
    </Actions>
  );
}
