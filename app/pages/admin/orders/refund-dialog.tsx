import { useRef, useState } from "react";
import type { Input } from "../../../../api/contract.ts";
import type { Purchase } from "../../../../api/entities.ts";
import { fromCents, toCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { FormError, TextArea, TextField } from "../../../components/field.tsx";
import { count, dollars } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { anything, filled, useFields } from "../../../components/use-fields.ts";
import { type CallOnce, useCallOnce } from "../../../data/call-once.ts";
import { piecesProblem, readNumber } from "../read-number.ts";
import { RefundForm } from "./refund-form.tsx";

interface RefundButtonProps {
  purchase: Purchase;
  /** describes the line, if the order has several: "20 jigsaws" */
  line?: string;
  /** the refund was made, or the purchase's state is outdated: reload it */
  onChanged: () => void;
}

/** Refunds all or a part of a paid purchase. Renders nothing if nothing is refundable, or the payment is disputed. */
export function RefundButton({ purchase, line, onChanged }: RefundButtonProps) {
  const [open, setOpen] = useState(false);
  const refundable = fromCents(refundableCents(purchase));
  if (purchase.status === "unpaid" || refundable <= 0 || purchase.disputed) return null;
  return (
    <>
      {line ? (
        <Button look="quiet" size="sm" aria-label={`Refund ${line}`} onClick={() => setOpen(true)}>
          Refund
        </Button>
      ) : (
        <Button className="no-print refund-open" onClick={() => setOpen(true)}>
          Refund
        </Button>
      )}
      {open && (
        <RefundDialog
          purchase={purchase}
          line={line}
          refundable={refundable}
          onClose={() => setOpen(false)}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

interface RefundDialogProps extends Omit<RefundButtonProps, "line"> {
  line: string | undefined;
  /** dollars */
  refundable: number;
  onClose: () => void;
}

function RefundDialog({ purchase: latest, line, refundable, onClose, onChanged }: RefundDialogProps) {
  // as it was opened: a reload behind the dialog may show a refund whose response was lost
  const [purchase] = useState(latest);
  const callOnce = useCallOnce();
  const amountInput = useRef<HTMLInputElement>(null);
  // after a refusal: the purchase now lists a refused refund, or another admin was first
  const [isOutdated, setIsOutdated] = useState(false);
  const [mustConfirm, setMustConfirm] = useState(false);
  const { field, check, busy, onSubmit, refusal } = useFields({
    // while it is invalid, the amount is still everything that can be refunded
    pieces: (value) => (value.trim() === "" ? undefined : piecesProblem(value, 1, purchase.purchaseQuantity)),
    amount: (value) => amountProblem(readNumber(value) ?? Number.NaN, refundable),
    reason: filled(refusals.reasonRequired),
    returnToStock: anything,
  });
  const restock = field("returnToStock");
  const pieces = field("pieces");

  const submit = onSubmit(async ({ amount, reason, returnToStock }, { refuse }) => {
    const refund = { amount: readNumber(amount) ?? Number.NaN, reason, returnToStock: returnToStock !== "" };
    const response = await sendRefund(callOnce, purchase, refund);
    if (!response.ok) {
      setIsOutdated(true);
      setMustConfirm(response.code === "identity_not_confirmed");
      return refuse(response);
    }
    const refunded = dollars(response.data.amount);
    toast.success(
      response.data.state === "done"
        ? `${refunded} refunded to the card`
        : `Refund of ${refunded} pending; it will be sent when the payment provider responds`,
    );
    onClose();
    onChanged();
  });

  /** The amount for a number of pieces, at most what is refundable. */
  function setPieces(text: string) {
    const pieces = readNumber(text) ?? Number.NaN;
    if (!amountInput.current || !Number.isInteger(pieces) || pieces < 1) return;
    const amount = Math.min(refundable, Math.round(purchase.price * 100 * pieces) / 100).toFixed(2);
    amountInput.current.value = amount;
    void check("amount", amount);
  }

  function close() {
    onClose();
    if (isOutdated) onChanged();
  }

  return (
    <RefundForm
      title={line ? `Refund ${line}?` : `Refund the order of ${purchase.name}?`}
      submitLabel="Refund"
      busy={busy}
      refusal={refusal}
      mustConfirm={mustConfirm}
      onSubmit={submit}
      onClose={close}
    >
      {purchase.purchaseQuantity > 1 && (
        <TextField
          label="Pieces"
          note="Optional"
          hint={`Sets the amount, at ${dollars(purchase.price)} a piece.`}
          inputMode="numeric"
          autoComplete="off"
          {...pieces}
          onChange={(event) => {
            pieces.onChange(event);
            setPieces(event.target.value);
          }}
        />
      )}
      <TextField
        label="Amount in dollars"
        hint={`At most ${dollars(refundable)} can be refunded to the card.`}
        inputMode="decimal"
        autoComplete="off"
        ref={amountInput}
        defaultValue={refundable.toFixed(2)}
        {...field("amount")}
      />
      <TextArea
        label="Reason"
        hint="The buyer sees it in an email and on the order page."
        rows={3}
        {...field("reason")}
      />
      <label className="check">
        <input type="checkbox" name={restock.name} onChange={restock.onChange} />
        {restockLabel(purchase.purchaseQuantity)}
      </label>
      <FormError>{restock.error}</FormError>
    </RefundForm>
  );
}

export function sendRefund(callOnce: CallOnce, purchase: Purchase, refund: RefundFields) {
  const seenStatus = purchase.status === "shipped" ? ("shipped" as const) : ("paid" as const);
  const body = { ...refund, seenStatus, seenRefunded: purchase.refunded ?? 0 };
  return callOnce("refundPurchase", { params: { id: purchase._id }, body });
}

type RefundFields = Pick<Input<"refundPurchase">["body"], "amount" | "reason" | "returnToStock">;

function amountProblem(amount: number, refundable: number): string | undefined {
  if (Number.isNaN(amount)) return refusals.plainNumber;
  return amount > refundable ? refusals.refundTooHigh(dollars(refundable)) : undefined;
}

/** What can still be refunded, in cents. */
export function refundableCents({ total, refunded = 0 }: Purchase): number {
  return (toCents(total) ?? 0) - (toCents(refunded) ?? 0);
}

function restockLabel(quantity: number): string {
  return quantity === 1 ? "Restock the piece" : `Restock all ${count(quantity)} pieces`;
}
