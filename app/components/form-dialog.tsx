import { type ComponentProps, useId } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps extends Omit<ComponentProps<"form">, "title"> {
  open?: boolean;
  title: string;
  submitLabel: string;
  look?: "primary" | "ink" | "danger-solid";
  /** it is being sent, and stays open */
  busy?: boolean;
  onClose: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { open = true, title, submitLabel, look = "primary", busy = false, onClose, ...form } = props;
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={() => !busy && onClose()}
      title={title}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={id} look={look} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} className="dialog__form" method="post" noValidate {...form} />
    </Dialog>
  );
}
