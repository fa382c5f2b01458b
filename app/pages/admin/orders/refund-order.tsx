import { type FormEvent, useState } from "react";
import type { OrderDetails } from "../../../../api/order-calls.ts";
import { fromCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { TextArea } from "../../../components/field.tsx";
import { count, counted, dollars } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { refundableCents, sendRefund } from "./refund-dialog.tsx";
import { RefundForm } from "./refund-form.tsx";
import { orderRefunded } from "./refund-outcome.ts";

interface RefundOrderProps {
  order: OrderDetails;
  /** the refund was made, or the order's state is outdated: reload it */
  onChanged: () => void;
}

type Line = OrderDetails["lines"][number];

/** Refunds the rest of every paid line. A refund belongs to one line, so this makes several. */
export function RefundOrder({ order, onChanged }: RefundOrderProps) {
  const [open, setOpen] = useState(false);
  const lines = order.lines.filter(
    (line) => line.status !== "unpaid" && !line.cancelledAt && !line.disputed && refundableCents(line) > 0,
  );
  // while the dialog is open, its own refunds leave fewer
  if (lines.length < 2 && !open) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Refund</Button>
      {open && (
        <RefundOrderDialog
          order={order}
          lines={lines}
          onClose={() => {
            setOpen(false);
            onChanged();
          }}
        />
      )}
    </>
  );
}

interface RefundOrderDialogProps {
  order: OrderDetails;
  lines: Line[];
  onClose: () => void;
}

function RefundOrderDialog({ order, lines: initialLines, onClose }: RefundOrderDialogProps) {
  // `initialLines` shrinks while the lines are refunded
  const [lines] = useState(initialLines);
  const [reason, setReason] = useState("");
  const [returnToStock, setReturnToStock] = useState(false);
  const [reasonError, setReasonError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const [mustConfirm, setMustConfirm] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refundedLines, setRefundedLines] = useState(0);
  const [pendingLines, setPendingLines] = useState(0);
  const callOnce = useCallOnce();
  const total = fromCents(lines.reduce((cents, line) => cents + refundableCents(line), 0));

  /** One after another: after a failure, refunded lines are not sent again. */
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (reason.trim() === "") return setReasonError(refusals.reasonRequired);
    setBusy(true);
    setFailure(null);
    let pending = pendingLines;
    for (const [index, line] of lines.entries()) {
      if (index < refundedLines) continue;
      const refund = {
        amount: fromCents(refundableCents(line)),
        reason,
        // the pieces of a line are restocked once
        returnToStock: returnToStock && !line.returned && !line.restocking,
      };
      const outcome = await sendRefund(callOnce, line, refund);
      if (!outcome.ok) {
        setBusy(false);
        setMustConfirm(outcome.code === "identity_not_confirmed");
        if (outcome.fields?.reason) return setReasonError(outcome.fields.reason);
        return setFailure(
          `${count(index)} of ${counted(lines.length, "line")} refunded. ${line.productName}: ${outcome.detail}`,
        );
      }
      setRefundedLines(index + 1);
      if (outcome.data.state === "due") pending += 1;
      setPendingLines(pending);
    }
    setBusy(false);
    toast.success(orderRefunded(total, order.number, pending));
    onClose();
  }

  return (
    <RefundForm
      title={`Refund order ${order.number}?`}
      submitLabel={refundedLines > 0 ? "Refund the others" : "Refund"}
      busy={busy}
      refusal={failure}
      mustConfirm={mustConfirm}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{`${dollars(total)} of ${counted(lines.length, "line")} go back to the card.`}</p>
      <TextArea
        label="Reason"
        hint="The buyer sees it in an email and on the order page."
        rows={3}
        value={reason}
        error={reasonError}
        disabled={refundedLines > 0}
        onChange={(event) => {
          setReason(event.target.value);
          setReasonError(undefined);
        }}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={returnToStock}
          disabled={refundedLines > 0}
          onChange={(event) => setReturnToStock(event.target.checked)}
        />
        Restock all pieces
      </label>
    </RefundForm>
  );
}
