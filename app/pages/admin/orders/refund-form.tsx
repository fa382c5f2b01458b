import type { FormEvent, ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError } from "../../../components/field.tsx";

interface RefundFormProps {
  title: string;
  /** the label of its button */
  submitLabel: string;
  look: "primary" | "danger-solid";
  busy: boolean;
  /** why the form was refused as a whole */
  refusal?: string | null;
  /** the refusal says that the admin's identity is to be confirmed */
  mustConfirm?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** A form about a refund in a dialog, which stays open while it is sent. */
export function RefundForm(props: RefundFormProps) {
  const { title, submitLabel, look, busy, refusal, mustConfirm, onSubmit, onClose, children } = props;
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title}>
      <form className="refund" onSubmit={onSubmit} noValidate>
        {refusal && (
          <FormError>
            {refusal}
            {mustConfirm && (
              <>
                {" "}
                <a className="link" href="/dashboard/account" target="_blank" rel="noreferrer">
                  Open Account in a new tab
                </a>
                , and press {submitLabel} here again.
              </>
            )}
          </FormError>
        )}
        {children}
        <div className="acts">
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" look={look} busy={busy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
