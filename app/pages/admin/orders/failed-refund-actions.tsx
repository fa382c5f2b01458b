import { useState } from "react";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { TextArea } from "../../../components/field.tsx";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { toast } from "../../../components/toast.ts";
import { filled, useFields } from "../../../components/use-fields.ts";
import { call } from "../../../data/api-client.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { useBusy } from "../../../data/use-busy.ts";
import { useRefusalToast } from "../use-refusal-toast.ts";

interface FailedRefundActionsProps {
  refundId: string;
  /** it was resolved: reload it */
  onChanged: () => void;
}

/** An admin's options for a refund that the buyer's bank rejected. */
export function FailedRefundActions({ refundId, onChanged }: FailedRefundActionsProps) {
  const [busy, run] = useBusy();
  const showRefusal = useRefusalToast();
  const [open, setOpen] = useState(false);

  async function retry() {
    const outcome = await call("retryRefund", { params: { id: refundId } });
    if (!outcome.ok) showRefusal(outcome);
    else if (outcome.data.state === "done") toast.success("The amount was refunded to the card");
    else toast.success("The refund is pending; it will be sent when the payment provider responds");
    onChanged();
  }

  return (
    <span className="acts acts--start">
      <Button size="sm" busy={busy} onClick={() => run(retry)}>
        Try again
      </Button>
      <Button size="sm" disabled={busy} onClick={() => setOpen(true)}>
        Mark as refunded manually
      </Button>
      {open && (
        <ManualRefundDialog refundId={refundId} onClose={() => setOpen(false)} onChanged={onChanged} />
      )}
    </span>
  );
}

function ManualRefundDialog({
  refundId,
  onChanged,
  onClose,
}: FailedRefundActionsProps & { onClose: () => void }) {
  const callOnce = useCallOnce();
  // after a refusal: another admin was first
  const [isOutdated, setIsOutdated] = useState(false);
  const { field, busy, onSubmit } = useFields({ how: filled(refusals.howRequired) });

  const submit = onSubmit(async (body, { refuse }) => {
    const outcome = await callOnce("recordManualRefund", { params: { id: refundId }, body });
    if (!outcome.ok) {
      setIsOutdated(true);
      return refuse({ fields: { how: outcome.fields?.how ?? outcome.detail } });
    }
    toast.success("Refund recorded. The buyer has been notified.");
    onClose();
    onChanged();
  });

  function close() {
    onClose();
    if (isOutdated) onChanged();
  }

  return (
    <FormDialog title="How was it refunded?" submitLabel="Save" busy={busy} onSubmit={submit} onClose={close}>
      <TextArea
        label="How"
        hint="Such as: bank transfer of November 20. The buyer sees it in an email and on the order page."
        rows={3}
        {...field("how")}
      />
    </FormDialog>
  );
}
