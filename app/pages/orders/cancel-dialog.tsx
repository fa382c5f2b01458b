import { useEffect, useEffectEvent } from "react";
import { useRevalidator } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { cancelProblem } from "../../../shop/orders/rules.ts";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { dollars } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { useLast } from "../../components/use-last.ts";
import { call } from "../../data/api-client.ts";
import { formatPieces } from "./order-wording.ts";

interface CancelOrderProps {
  /** the order to cancel in its current state; null: closed */
  order: Purchase | null;
  onClose: () => void;
  onCancelled: (order: Purchase) => Promise<void> | void;
  /** after a refusal: the page is outdated */
  onRefused: () => void;
}

/** Specification, section 7. */
export function CancelOrder({ order, onCancelled, ...dialog }: CancelOrderProps) {
  const question = order && {
    id: order._id,
    title: `Cancel the order for ${formatPieces(order.purchaseQuantity, order.productName)}?`,
    text: `The order is unpaid and will be deleted. ${dollars(order.total)} will not be charged.`,
    keep: "Keep order",
    confirm: labels.orders.cancel,
    problem: cancelProblem(order.status),
    done: messages.orders.cancelled,
    send: () => call("cancelPurchase", { params: { id: order._id } }),
  };
  return (
    <CancelDialog
      question={question}
      onCancelled={() => (order ? onCancelled(order) : undefined)}
      {...dialog}
    />
  );
}

export interface CancelQuestion {
  id: string;
  title: string;
  text: string;
  keep: string;
  confirm: string;
  problem: string | null;
  done: string;
  send: () => Promise<Outcome<{ deletedCount: number }>>;
}

interface CancelDialogProps extends Pick<CancelOrderProps, "onClose" | "onRefused"> {
  /** in its current state; null: closed */
  question: CancelQuestion | null;
  onCancelled: () => Promise<void> | void;
}

export function CancelDialog({ question, onClose, onCancelled, onRefused }: CancelDialogProps) {
  // the text stays while the dialog closes
  const shown = useLast(question);
  const { revalidate } = useRevalidator();
  const id = question?.id;
  // the order is reloaded, so that the dialog closes if its text is outdated
  const reload = useEffectEvent(revalidate);
  useEffect(() => {
    if (id) void reload();
  }, [id]);
  const problem = question?.problem;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!problem) return;
    toast.info(problem);
    close();
  }, [problem]);
  if (!shown) return null;

  async function cancel({ send, done }: CancelQuestion) {
    const response = await send();
    if (response.ok && response.data.deletedCount > 0) {
      toast.success(done);
      await onCancelled();
    } else if (!response.ok) {
      toast.error(response.detail);
      if (response.status !== 0) onRefused();
    }
  }

  return (
    <ConfirmDialog
      open={question !== null}
      onClose={onClose}
      title={shown.title}
      keep={shown.keep}
      confirm={shown.confirm}
      onConfirm={() => cancel(shown)}
    >
      {shown.text}
    </ConfirmDialog>
  );
}
