import { useEffect, useEffectEvent } from "react";
import { useRevalidator } from "react-router";
import type { Outcome } from "../../../api/outcome.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast.ts";
import { useLast } from "../../components/use-last.ts";

export interface CancelQuestion {
  /** of the line or order */
  id: string;
  title: string;
  text: string;
  keep: string;
  confirm: string;
  /** why it can no longer be cancelled */
  problem: string | null;
  success: string;
  send: () => Promise<Outcome<{ deletedCount: number }>>;
}

interface CancelDialogProps {
  /** null: the dialog is closed */
  question: CancelQuestion | null;
  onClose: () => void;
  onCancelled: () => Promise<void> | void;
  /** after a refusal: the page is outdated */
  onRefused: () => void;
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

  async function cancel({ send, success }: CancelQuestion) {
    const response = await send();
    if (response.ok && response.data.deletedCount > 0) {
      toast.success(success);
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
