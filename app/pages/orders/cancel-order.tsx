import { useEffect, useEffectEvent } from "react";
import { useRevalidator } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { cancelProblem } from "../../../shop/orders/rules.ts";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { dollars } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { useLast } from "../../components/use-last.ts";
import { call } from "../../data/api-client.ts";
import { formatPieces } from "./order-wording.ts";

interface CancelOrderProps {
  /** the order to be cancelled, as the page has it now; null while none is asked about */
  order: Purchase | null;
  onClose: () => void;
  /** after it was cancelled */
  onCancelled: (order: Purchase) => Promise<void> | void;
  /** after an answer of the store that says no: what the page shows is out of date */
  onRefused: () => void;
}

/** Asks first, naming what will be lost, then cancels (specification, section 7). */
export function CancelOrder({ order, onClose, onCancelled, onRefused }: CancelOrderProps) {
  // the words stay while the dialog goes away
  const shown = useLast(order);
  const { revalidate } = useRevalidator();
  const id = order?._id;
  // the dialog promises what it says: it is loaded again, and closes if it is no longer true
  const reload = useEffectEvent(revalidate);
  useEffect(() => {
    if (id) void reload();
  }, [id]);
  const problem = order && cancelProblem(order.status);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!problem) return;
    toast.info(problem);
    close();
  }, [problem]);
  if (!shown) return null;

  async function cancel(cancelled: Purchase) {
    const answer = await call("cancelPurchase", { params: { id: cancelled._id } });
    if (answer.ok && answer.data.deletedCount > 0) {
      toast.success(messages.orders.cancelled);
      await onCancelled(cancelled);
    } else if (!answer.ok) {
      toast.error(answer.detail);
      if (answer.status !== 0) onRefused();
    }
  }

  return (
    <ConfirmDialog
      open={order !== null}
      onClose={onClose}
      title={`Cancel the order for ${formatPieces(shown.purchaseQuantity, shown.productName)}?`}
      keep="Keep order"
      confirm={labels.orders.cancel}
      onConfirm={() => cancel(shown)}
    >
      The order is unpaid and will be deleted. {dollars(shown.total)} will not be charged.
    </ConfirmDialog>
  );
}
