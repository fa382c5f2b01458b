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
  /** the order to be cancelled, as the page has it now; null while none is asked about */
  order: Purchase | null;
  onClose: () => void;
  /** after it was cancelled */
  onCancelled: (order: Purchase) => Promise<void> | void;
  /** after a refusal: what the page shows is out of date */
  onRefused: () => void;
}

/** Asks first, naming what will be lost, then cancels (specification, section 7). */
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
  /** what happens */
  text: string;
  keep: string;
  confirm: string;
  /** why it cannot be cancelled any more */
  problem: string | null;
  /** after it was cancelled */
  done: string;
  send: () => Promise<Outcome<{ deletedCount: number }>>;
}

interface CancelDialogProps extends Pick<CancelOrderProps, "onClose" | "onRefused"> {
  /** as the page has it now; null while nothing is asked about */
  question: CancelQuestion | null;
  onCancelled: () => Promise<void> | void;
}

/** Asks before a line or an order is cancelled. */
export function CancelDialog({ question, onClose, onCancelled, onRefused }: CancelDialogProps) {
  // the words stay while the dialog goes away
  const shown = useLast(question);
  const { revalidate } = useRevalidator();
  const id = question?.id;
  // the order is loaded again, so that the dialog closes if its text is no longer true
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
    const answer = await send();
    if (answer.ok && answer.data.deletedCount > 0) {
      toast.success(done);
      await onCancelled();
    } else if (!answer.ok) {
      toast.error(answer.detail);
      if (answer.status !== 0) onRefused();
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
