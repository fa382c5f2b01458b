import { useState } from "react";
import type { Account } from "../../api/account-calls.ts";
import { call } from "../api-client.ts";
import { passwordRule } from "../pages/auth/rules.ts";
import { Button } from "../ui/button.tsx";
import { FormError, TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { toast } from "../ui/toast.ts";
import { useFields } from "../ui/use-fields.ts";

interface ConfirmPanelProps {
  account: Account;
  onChange: () => void;
}

/** Proves again who is there, for the next hour: changes that matter ask for it. */
export function ConfirmPanel({ account, onChange }: ConfirmPanelProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useFields({ password: passwordRule });

  const submit = form.onSubmit(async ({ password }) => {
    setRefusal(null);
    const answer = await call("confirmAccount", { body: { password } });
    if (!answer.ok) return setRefusal(answer.detail);
    toast.success("Confirmed for the next hour.");
    onChange();
  });

  async function confirmWithKey() {
    setRefusal(null);
    const { enterWithPasskey } = await import("../passkeys.ts");
    const answer = await enterWithPasskey();
    if (!answer.ok) return setRefusal(answer.message);
    toast.success("Confirmed for the next hour.");
    onChange();
  }

  return (
    <Panel title="Confirm that it is you">
      <p className="soft">
        You logged in more than an hour ago. Changes of your email, your passkeys, your Google account or your
        account's end, and an admin's refunds and roles, ask again who you are.
      </p>
      <FormError>{refusal}</FormError>
      {account.passkeys && (
        <div>
          <Button onClick={confirmWithKey}>Confirm with a passkey</Button>
        </div>
      )}
      {account.hasPassword && (
        <form method="post" noValidate onSubmit={submit}>
          <TextField
            label="Your password"
            type="password"
            autoComplete="current-password"
            {...form.field("password")}
          />
          <Button type="submit" busy={form.busy}>
            Confirm
          </Button>
        </form>
      )}
    </Panel>
  );
}
