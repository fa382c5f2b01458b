import { useEffect, useRef, useState } from "react";
import type { Account } from "../../../api/account-calls.ts";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { type Rule, useFields } from "../../components/use-fields.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { PasswordForm } from "./password-form.tsx";
import { type Secret, TotpSetup } from "./totp-setup.tsx";

const codeRule: Rule = (code) => (/^\s*\d{3}\s?\d{3}\s*$/.test(code) ? undefined : "Enter the six digits");

/** Enables, confirms and disables two-factor authentication. */
export function TwoFactorPanel({ account, onChange }: { account: Account; onChange: () => void }) {
  const [made, setMade] = useState<Secret | null>(null);
  // shown until the account says that it is on
  const secret = account.secondFactor ? null : made;
  const heading = useFocusAfterRemoval(`${made !== null} ${account.secondFactor}`);

  function done(message: string) {
    toast.success(message);
    onChange();
  }

  if (!account.hasPassword) {
    return (
      <Panel title="Two-factor authentication">
        <p className="soft">You log in with Google, which has its own two-factor authentication.</p>
      </Panel>
    );
  }
  return (
    <Panel title={<Title />} headingRef={heading}>
      <p className="soft">
        {account.secondFactor
          ? "A code from your app is required after the password or Google."
          : "Require a code from an authenticator app in addition to the password."}
      </p>
      {secret && <TotpSetup secret={secret} />}
      {(secret || account.secondFactor) && (
        <CodeForm
          onDone={() => done(secret ? "Two-factor authentication is on." : "Two-factor code confirmed.")}
        />
      )}
      {!secret && (
        <PasswordForm
          label={account.secondFactor ? "Switch off" : "Switch on"}
          act={async (password) => {
            if (!account.secondFactor) {
              const made = await identityRequest<Secret>("POST", "/api/auth/two-factor/enable", { password });
              if (made.ok) setMade(made);
              return made;
            }
            const stopped = await identityRequest("POST", "/api/auth/two-factor/disable", { password });
            if (!stopped.ok) return stopped;
            setMade(null);
            done("Two-factor authentication is off.");
            return stopped;
          }}
        />
      )}
    </Panel>
  );
}

/** Scrolls to the panel for users linked from app/components/query-boundary.tsx. */
function Title() {
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (window.location.hash !== "#second-factor") return;
    title.current?.scrollIntoView({ block: "center" });
    title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <span id="second-factor" tabIndex={-1} ref={title}>
      Two-factor authentication
    </span>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const form = useFields({ code: codeRule });
  const submit = form.onSubmit(async ({ code }, { empty }) => {
    // enables two-factor authentication, or confirms it for this session
    const outcome = await identityRequest("POST", "/api/auth/two-factor/verify-totp", {
      code: code.replace(/\s/g, ""),
    });
    if (!outcome.ok) return form.setRefusal(outcome.message);
    empty();
    onDone();
  });
  return (
    <form method="post" noValidate onSubmit={submit}>
      <FormError>{form.refusal}</FormError>
      <TextField label="Code" autoComplete="one-time-code" inputMode="numeric" {...form.field("code")} />
      <Button type="submit" busy={form.busy}>
        Confirm code
      </Button>
    </form>
  );
}
