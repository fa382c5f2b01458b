import type { Purchase } from "../../../api/entities.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Actions } from "../../components/table.tsx";
import { TransactionId } from "../../components/transaction-id.tsx";
import { formatPieces } from "./order-wording.ts";

/** The actions of a purchase by its status (specification, section 4): Pay and Cancel Order, or the transaction id. */
export function PurchaseActions({
  purchase,
  onCancel,
}: {
  purchase: Purchase;
  onCancel: (purchase: Purchase) => void;
}) {
  const subject = formatPieces(purchase.purchaseQuantity, purchase.productName);
  if (purchase.transactionId) return <TransactionId id={purchase.transactionId} />;
  return <UnpaidActions id={purchase._id} subject={subject} onCancel={() => onCancel(purchase)} />;
}

/** Cancel and Pay; screen readers read `subject` after the label. */
export function UnpaidActions({
  id,
  subject,
  onCancel,
}: {
  id: string;
  subject: string;
  onCancel: () => void;
}) {
  return (
    <Actions>
      <Button look="danger" size="sm" aria-label={`${labels.orders.cancel}, ${subject}`} onClick={onCancel}>
        {labels.orders.cancel}
      </Button>
      <ButtonLink
        look="primary"
        size="sm"
        to={`/dashboard/payment/${id}`}
        aria-label={`${labels.orders.pay}, ${subject}`}
      >
        {labels.orders.pay}
      </ButtonLink>
    </Actions>
  );
}
