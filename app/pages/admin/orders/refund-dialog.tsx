import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Purchase } from "../../../../api/entities.ts";
import type { Failure } from "../../../../api/outcome.ts";
import { fromCents, toCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError, TextArea, TextField } from "../../../components/field.tsx";
import { count, dollars } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { useIdempotencyKey } from "../../../data/idempotency-key.ts";
import { readNumber } from "../read-number.ts";

interface RefundButtonProps {
  order: Purchase;
  /** the line of an order of several: "20 jigsaws" */
  line?: string;
  /** the refund was made, or the order's state is outdated: reload it */
  onChanged: () => void;
}

/** Refunds all or a part of a paid order. Renders nothing if nothing is left, or the payment is disputed. */
export function RefundButton({ order, line, onChanged }: RefundButtonProps) {
  const [open, setOpen] = useState(false);
  const left = fromCents(leftOf(order));
  if (order.status === "unpaid" || left <= 0 || order.disputed) return null;
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
          order={order}
          line={line}
          left={left}
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
  left: number;
  onClose: () => void;
}

function RefundDialog({ order, line, left, onClose, onChanged }: RefundDialogProps) {
  const { form, failure, refused, busy, send } = useRefund(order, left, () => {
    onClose();
    onChanged();
  });
  const body = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure) body.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);

  function close() {
    if (busy) return;
    onClose();
    // the order's progress now lists the provider's refusal, or another admin was first
    if (refused) onChanged();
  }

  return (
    <Dialog open onClose={close} title={line ? `Refund ${line}?` : `Refund the order of ${order.name}?`}>
      <form className="refund" onSubmit={send} noValidate ref={body}>
        <FormError>{failure?.fields ? undefined : failure?.detail}</FormError>
        {order.purchaseQuantity > 1 && (
          <TextField
            label="Pieces"
            note="Optional"
            hint={`Sets the amount, at ${dollars(order.price)} a piece.`}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => form.setPieces(event.target.value)}
          />
        )}
        <TextField
          label="Amount in dollars"
          hint={`At most ${dollars(left)} can be refunded to the card.`}
          inputMode="decimal"
          value={form.amount}
          error={failure?.fields?.amount}
          onChange={(event) => form.set({ amount: event.target.value })}
        />
        <TextArea
          label="Reason"
          hint="The buyer sees it in an email and on the order page."
          rows={3}
          maxLength={500}
          value={form.reason}
          error={failure?.fields?.reason}
          onChange={(event) => form.set({ reason: event.target.value })}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={form.returnToStock}
            onChange={(event) => form.set({ returnToStock: event.target.checked })}
          />
          {restockLabel(order.purchaseQuantity)}
        </label>
        {failure?.fields?.returnToStock && <FormError>{failure.fields.returnToStock}</FormError>}
        <div className="acts">
          <Button onClick={close} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" look="danger-solid" busy={busy}>
            Refund
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Typed {
  amount: string;
  reason: string;
  returnToStock: boolean;
}

type Failed = Pick<Failure, "status" | "detail" | "fields">;

function useRefund(order: Purchase, left: number, onDone: () => void) {
  const [typed, setTyped] = useState<Typed>({ amount: left.toFixed(2), reason: "", returnToStock: false });
  const withKey = useIdempotencyKey();
  const [failure, setFailure] = useState<Failed>();
  const [refused, setRefused] = useState(false);
  const [busy, setBusy] = useState(false);

  function set(change: Partial<Typed>) {
    setTyped((before) => ({ ...before, ...change }));
    setFailure(undefined);
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const { reason, returnToStock } = typed;
    const amount = readNumber(typed.amount) ?? Number.NaN;
    const fields = problemsOf(amount, reason, left);
    if (fields) return setFailure({ status: 422, detail: "", fields });
    setBusy(true);
    const refund = { amount, reason, returnToStock };
    const response = await withKey(refund, (key) => sendRefund(order, refund, key));
    setBusy(false);
    if (!response.ok) {
      setRefused(true);
      return setFailure(response);
    }
    const { state } = response.data;
    toast.success(
      state === "done"
        ? `${dollars(response.data.amount)} refunded to the card`
        : `Refund of ${dollars(response.data.amount)} pending; it will be sent when the payment provider responds`,
    );
    onDone();
  }

  /** The amount for a number of pieces, at most what is left. */
  function setPieces(text: string) {
    const pieces = readNumber(text) ?? Number.NaN;
    if (!Number.isInteger(pieces) || pieces < 1) return;
    set({ amount: Math.min(left, Math.round(order.price * 100 * pieces) / 100).toFixed(2) });
  }

  return { form: { ...typed, set, setPieces }, failure, refused, busy, send };
}

/** Refunds an amount in dollars under an idempotency key. */
export function sendRefund(order: Purchase, refund: RefundFields, key: string) {
  const seenStatus = order.status === "shipped" ? ("shipped" as const) : ("paid" as const);
  const body = { ...refund, seenStatus };
  return call("refundPurchase", { params: { id: order._id }, body }, undefined, key);
}

interface RefundFields {
  /** dollars */
  amount: number;
  reason: string;
  returnToStock: boolean;
}

/** Client-side validation; the store decides. */
function problemsOf(amount: number, reason: string, left: number): Failed["fields"] {
  const fields = {
    ...(Number.isNaN(amount) && { amount: refusals.plainNumber }),
    ...(amount > left && { amount: refusals.refundTooHigh(dollars(left)) }),
    ...(reason.trim() === "" && { reason: refusals.reasonRequired }),
  };
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** What can still be refunded, in cents. */
export function leftOf({ total, refunded = 0 }: Purchase): number {
  return (toCents(total) ?? 0) - (toCents(refunded) ?? 0);
}

function restockLabel(quantity: number): string {
  return quantity === 1 ? "Restock the item" : `Restock all ${count(quantity)} items`;
}
