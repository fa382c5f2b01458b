import { useState } from "react";
import type { Account } from "../../../api/account-calls.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { FormError } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { withPasskeys } from "../../data/load-passkeys.ts";
import { PasswordForm } from "./password-form.tsx";

interface ReauthenticatePanelProps {
  account: Account;
  onChange: () => void;
}

/** Step-up authentication, valid for an hour. */
export function ReauthenticatePanel({ account, onChange }: ReauthenticatePanelProps) {
  const [refusal, setRefusal] = useState<string | null>(null);

  function onConfirmed() {
    toast.success("Confirmed for the next hour.");
    onChange();
  }

  async function confirmWithPassword(password: string) {
    const outcome = await call("confirmAccount", { body: { password } });
    if (!outcome.ok) return { ok: false as const, message: outcome.detail };
    onConfirmed();
    return { ok: true as const };
  }

  async function confirmWithPasskey() {
    setRefusal(null);
    const outcome = await withPasskeys((passkeys) => passkeys.signInWithPasskey());
    if (!outcome.ok) return setRefusal(outcome.message);
    onConfirmed();
  }

  return (
    <Panel title="Confirm your identity">
      <p className="soft">
        For security, sign in again before changing your email, passkeys or Google account, deleting your
        account, or, as an admin, refunding or changing roles.
      </p>
      {account.passkeys && (
        <>
          <FormError>{refusal}</FormError>
          <div>
            <ActionButton onClick={confirmWithPasskey}>Confirm with a passkey</ActionButton>
          </div>
        </>
      )}
      {account.hasPassword && <PasswordForm label="Confirm" onSubmit={confirmWithPassword} />}
    </Panel>
  );
}
