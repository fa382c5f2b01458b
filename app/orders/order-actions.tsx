import type { Purchase } from "../../api/entities.ts";
import { labels } from "../../shop/messages.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Actions } from "../ui/table.tsx";
import { TransactionId } from "../ui/transaction-id.tsx";
import { piecesOf } from "./wording.ts";

/** What stands beside an order by its status (specification, section 4): Pay and Cancel Order, or the transaction id. */
export function OrderActions({ order, onCancel }: { order: Purchase; onCancel: (order: Purchase) => void }) {
  const what = piecesOf(order.purchaseQuantity, order.productName);
  if (order.transactionId) return <TransactionId id={order.transactionId} />;
  return (
    <Actions>
      <Button
        look="danger"
        size="sm"
        aria-label={`${labels.orders.cancel}, ${what}`}
        onClick={() => onCancel(order)}
      >
        {labels.orders.cancel}
      </Button>
      <ButtonLink
        look="primary"
        size="sm"
        to={`/dashboard/payment/${order._id}`}
        aria-label={`${labels.orders.pay}, ${what}`}
      >
        {labels.orders.pay}
      </ButtonLink>
    </Actions>
  );
}
