import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { useFields } from "../../components/use-fields.ts";
import { passwordRule } from "../auth/auth-rules.ts";

interface PasswordFormProps {
  /** the button's */
  label: string;
  /** what the password is for; a refusal is shown above the field */
  act: (password: string) => Promise<{ ok: true } | { ok: false; message: string }>;
}

/** Asks for the person's password and does something with it. */
export function PasswordForm({ label, act }: PasswordFormProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useFields({ password: passwordRule });
  const submit = form.onSubmit(async ({ password }) => {
    setRefusal(null);
    const answer = await act(password);
    if (!answer.ok) setRefusal(answer.message);
  });
  return (
    <form method="post" noValidate onSubmit={submit}>
      <FormError>{refusal}</FormError>
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        {...form.field("password")}
      />
      <Button type="submit" busy={form.busy}>
        {label}
      </Button>
    </form>
  );
}
