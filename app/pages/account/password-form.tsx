import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/field.tsx";
import { useFields } from "../../components/use-fields.ts";
import { passwordRule } from "../auth/auth-rules.ts";
import { PasswordField } from "../auth/password-field.tsx";

interface PasswordFormProps {
  label: string;
  /** a refusal that it returns is shown above the field */
  onSubmit: (password: string) => Promise<{ ok: true } | { ok: false; message: string }>;
}

export function PasswordForm({ label, onSubmit }: PasswordFormProps) {
  const form = useFields({ password: passwordRule });
  const submit = form.onSubmit(async ({ password }) => {
    const outcome = await onSubmit(password);
    if (!outcome.ok) form.setRefusal(outcome.message);
  });
  return (
    <form method="post" noValidate onSubmit={submit}>
      <FormError>{form.refusal}</FormError>
      <PasswordField label="Your password" {...form.field("password")} />
      <Button type="submit" busy={form.busy}>
        {label}
      </Button>
    </form>
  );
}
