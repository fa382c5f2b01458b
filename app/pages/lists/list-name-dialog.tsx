import type { ReactNode } from "react";
import { atMost } from "../../components/at-most.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { filled, useFields } from "../../components/use-fields.ts";

interface ListNameDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  confirm: string;
  name?: string;
  /** resolves to the problem of the name, if any */
  onConfirm: (name: string) => Promise<string | undefined> | undefined;
  children?: ReactNode;
}

const required = filled("Enter a name for this list.");
const FORM_ID = "list-name";

export function ListNameDialog({
  open,
  onClose,
  title,
  confirm,
  name,
  onConfirm,
  children,
}: ListNameDialogProps) {
  const form = useFields({ name: (typed) => required(typed) ?? atMost(80)(typed) });
  const submit = form.onSubmit(async (entered, sent) => {
    const problem = await onConfirm(entered.name.trim());
    if (problem) sent.refuse({ fields: { name: problem } });
    else onClose();
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM_ID} look="primary" busy={form.busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={FORM_ID} className="lists-name" method="post" noValidate onSubmit={submit}>
        <TextField
          label="Name"
          defaultValue={name}
          autoComplete="off"
          placeholder="Van restock"
          {...form.field("name")}
        />
        {children}
      </form>
    </Dialog>
  );
}
