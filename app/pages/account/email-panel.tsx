import type { Account } from "../../../api/account-calls.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { sendVerification } from "../../data/session-api.ts";
import { emailRule } from "../auth/auth-rules.ts";

/** The change takes effect when the link sent to the new email address is opened. */
export function EmailPanel({ account, onRefused }: { account: Account; onRefused: () => void }) {
  const form = useFields({ email: emailRule });
  const { refusal, setRefusal } = form;

  const submit = form.onSubmit(async ({ email }) => {
    const outcome = await identityRequest("POST", "/api/auth/change-email", { newEmail: email.trim() });
    if (!outcome.ok) {
      // it may ask to confirm the identity first
      onRefused();
      return setRefusal(outcome.message);
    }
    toast.info(`Open the link that we sent to ${email.trim()}. Until then nothing changes.`);
  });

  async function confirm() {
    setRefusal(null);
    const outcome = await sendVerification(account.email);
    if (outcome.ok) toast.info(`A verification email is on its way to ${account.email}`);
    else setRefusal(outcome.message);
  }

  return (
    <Panel title="Email">
      <p className="soft">
        {account.email}, {account.emailVerified ? "confirmed" : "not confirmed yet"}
      </p>
      {!account.emailVerified && (
        <>
          <p className="soft">
            Confirm it before you add a passkey, two-factor authentication or Google: confirming removes what
            was added before, and ends other sessions.
          </p>
          <div>
            <ActionButton look="quiet" size="sm" className="btn--underlined" onClick={confirm}>
              Send the confirmation link again
            </ActionButton>
          </div>
        </>
      )}
      <FormError>{refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <TextField label="New email" type="email" autoComplete="email" {...form.field("email")} />
        <Button type="submit" busy={form.busy}>
          Change email
        </Button>
      </form>
    </Panel>
  );
}
