import type { Purchase } from "../../../../api/entities.ts";
import { labels, messages } from "../../../../shop/texts/specification.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { count } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { useLast } from "../../../components/use-last.ts";
import { call } from "../../../data/api-client.ts";

interface CancelOrderDialogProps {
  /** null: closed */
  order: Purchase | null;
  onClose: () => void;
  /** the order was cancelled, or (`false`) its state is outdated: reload it or the list */
  onCancelled: (gone: boolean) => void;
}

export function CancelOrderDialog({ order, onClose, onCancelled }: CancelOrderDialogProps) {
  const shown = useLast(order);
  if (!shown) return null;

  async function cancel(id: string) {
    const outcome = await call("cancelPurchase", { params: { id } });
    const gone = outcome.ok && outcome.data.deletedCount > 0;
    if (gone) toast.success(messages.orders.cancelled);
    else if (!outcome.ok) toast.error(outcome.detail);
    onCancelled(gone);
  }

  const pieces = count(shown.purchaseQuantity);
  return (
    <ConfirmDialog
      open={order !== null}
      onClose={onClose}
      title={`Cancel the order of ${pieces}\u00a0×\u00a0${shown.productName}?`}
      keep="Keep order"
      confirm={labels.orders.cancel}
      onConfirm={() => cancel(shown._id)}
    >
      {`The order of ${shown.name} is deleted, its items are restocked, and ${shown.email} gets an email. This cannot be undone.`}
    </ConfirmDialog>
  );
}
