import type { FormEvent, ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";

interface RefundFormProps {
  title: string;
  /** the label of its button */
  submitLabel: string;
  look: "primary" | "danger-solid";
  busy: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** A form about a refund in a dialog, which stays open while it is sent. */
export function RefundForm({ title, submitLabel, look, busy, onSubmit, onClose, children }: RefundFormProps) {
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title}>
      <form className="refund" onSubmit={onSubmit} noValidate>
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
