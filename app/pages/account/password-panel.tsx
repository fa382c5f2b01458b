import { labels, messages } from "../../../shop/texts/specification.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { newPasswordRule, passwordRule, toFormRefusal } from "../auth/auth-rules.ts";
import { PasswordField } from "../auth/password-field.tsx";

interface PasswordPanelProps {
  email: string;
  onChange: () => void;
}

export function PasswordPanel({ email, onChange }: PasswordPanelProps) {
  const form = useFields({ current: passwordRule, password: newPasswordRule });

  const submit = form.onSubmit(async ({ current, password }, { refuse, empty }) => {
    // this session continues under a new id
    const outcome = await identityRequest("POST", "/api/auth/change-password", {
      currentPassword: current,
      newPassword: password,
      revokeOtherSessions: true,
    });
    if (!outcome.ok && outcome.code === "INVALID_PASSWORD")
      return refuse({ fields: { current: outcome.message } });
    if (!outcome.ok) {
      // without its response it may have taken effect, and the page leads to the login
      onChange();
      return refuse(toFormRefusal(outcome));
    }
    toast.success("Your new password is set. Your other sessions are signed out.");
    empty();
    onChange();
  });

  async function sendLink() {
    form.setRefusal(null);
    const outcome = await identityRequest("POST", "/api/auth/request-password-reset", {
      email,
      redirectTo: "/reset-password",
    });
    if (outcome.ok) toast.success(messages.login.resetEmailSent);
    else form.setRefusal(outcome.message);
  }

  return (
    <Panel title="Password">
      <FormError>{form.refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <PasswordField label="Current password" {...form.field("current")} />
        <PasswordField isNew label="New password" {...form.field("password")} />
        <div className="acts acts--start">
          <Button type="submit" busy={form.busy}>
            Change password
          </Button>
          <ActionButton look="quiet" className="btn--underlined" onClick={sendLink}>
            {labels.login.forgotPassword}
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}
