import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { newPasswordRule, passwordRule } from "../auth/auth-rules.ts";

export function PasswordPanel({ onChange }: { onChange: () => void }) {
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
      return form.setRefusal(outcome.message);
    }
    toast.success("Your new password is set. Your other sessions are signed out.");
    empty();
    onChange();
  });

  return (
    <Panel title="Password">
      <FormError>{form.refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          {...form.field("current")}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          note="At least 6 characters"
          {...form.field("password")}
        />
        <Button type="submit" busy={form.busy}>
          Change password
        </Button>
      </form>
    </Panel>
  );
}
