import type { ComponentProps } from "react";
import { FormError } from "../../../components/field.tsx";
import { FormDialog } from "../../../components/form-dialog.tsx";

interface RefundFormProps extends ComponentProps<typeof FormDialog> {
  /** why the form was refused as a whole */
  refusal: string | null;
  /** the refusal says that the admin's identity is to be confirmed */
  mustConfirm: boolean;
}

export function RefundForm({ refusal, mustConfirm, children, ...dialog }: RefundFormProps) {
  return (
    <FormDialog look="danger-solid" {...dialog}>
      {refusal && (
        <FormError>
          {refusal}
          {mustConfirm && (
            <>
              {" "}
              <a className="link" href="/dashboard/account" target="_blank" rel="noreferrer">
                Open Account in a new tab
              </a>
              , and press {dialog.submitLabel} here again.
            </>
          )}
        </FormError>
      )}
      {children}
    </FormDialog>
  );
}
