import type { ReactNode } from "react";
import { atMost } from "../../components/at-most.ts";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { filled, useFields } from "../../components/use-fields.ts";

interface ListNameDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  submitLabel: string;
  name?: string;
  /** resolves to the problem of the name, if any */
  onConfirm: (name: string) => Promise<string | undefined> | undefined;
  children?: ReactNode;
}

const required = filled("Enter a name for this list.");

export function ListNameDialog({ name, onConfirm, onClose, children, ...dialog }: ListNameDialogProps) {
  const form = useFields({ name: (typed) => required(typed) ?? atMost(80)(typed) });
  const submit = form.onSubmit(async (entered, sent) => {
    const problem = await onConfirm(entered.name.trim());
    if (problem) sent.refuse({ fields: { name: problem } });
    else onClose();
  });
  return (
    <FormDialog {...dialog} busy={form.busy} onClose={onClose} onSubmit={submit}>
      <TextField
        label="Name"
        defaultValue={name}
        autoComplete="off"
        placeholder="Van restock"
        {...form.field("name")}
      />
      {children}
    </FormDialog>
  );
}
