import { useEffect, useRef, useState } from "react";
import type { Account } from "../../../api/account-calls.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { filled, type Rule, useFields } from "../../components/use-fields.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { passwordRule, toFormRefusal } from "../auth/auth-rules.ts";
import { PasswordField } from "../auth/password-field.tsx";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { type TotpSecret, TotpSetup } from "./totp-setup.tsx";

const codeRule: Rule = (code) => (/^\s*\d{3}\s?\d{3}\s*$/.test(code) ? undefined : "Enter the six digits");

/** Enables, confirms and disables two-factor authentication. */
export function TwoFactorPanel({ account, onChange }: { account: Account; onChange: () => void }) {
  const [newSecret, setNewSecret] = useState<TotpSecret | null>(null);
  // shown until two-factor authentication is on
  const secret = account.secondFactor ? null : newSecret;
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  const heading = useFocusAfterRemoval(`${newSecret !== null} ${account.secondFactor} ${newCodes !== null}`);

  function reportChange(message: string) {
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
    <Panel title={<PanelTitle />} headingRef={heading}>
      <p className="soft">
        {account.secondFactor
          ? "A code from your app is required after the password or Google."
          : "Require a code from an authenticator app in addition to the password."}
      </p>
      {secret && <TotpSetup secret={secret} />}
      {account.secondFactor && (
        <>
          <h3>Confirm a code</h3>
          <p className="soft">
            Needed before changes such as new recovery codes if you logged in more than an hour ago.
          </p>
        </>
      )}
      {(secret || account.secondFactor) && (
        <CodeForm
          onFailed={onChange}
          onDone={() =>
            reportChange(secret ? "Two-factor authentication is on." : "Two-factor code confirmed.")
          }
        />
      )}
      {account.secondFactor && (
        <>
          <h3>Recovery codes</h3>
          {newCodes ? (
            <RecoveryCodes codes={newCodes} />
          ) : (
            <NewRecoveryCodesForm onDone={setNewCodes} onFailed={onChange} />
          )}
          <SwitchOffForm
            onFailed={onChange}
            onDone={() => {
              setNewSecret(null);
              setNewCodes(null);
              reportChange("Two-factor authentication is off.");
            }}
          />
        </>
      )}
      {!secret && !account.secondFactor && (
        <PasswordForm
          label="Switch on"
          onSubmit={async (password) => {
            const path = "/api/auth/two-factor/enable";
            const enabled = await identityRequest<TotpSecret>("POST", path, { password });
            if (enabled.ok) setNewSecret(enabled);
            return enabled;
          }}
        />
      )}
    </Panel>
  );
}

/** Scrolls to the panel for users linked from app/components/query-boundary.tsx. */
function PanelTitle() {
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

interface NewRecoveryCodesFormProps {
  onDone: (codes: string[]) => void;
  onFailed: () => void;
}

/** For somebody who has lost or used the earlier ones. */
function NewRecoveryCodesForm({ onDone, onFailed }: NewRecoveryCodesFormProps) {
  return (
    <>
      <p className="soft">
        If you lose the app, a recovery code takes the place of its code. New recovery codes replace the
        earlier ones.
      </p>
      <PasswordForm
        label="Make new recovery codes"
        onSubmit={async (password) => {
          const path = "/api/auth/two-factor/generate-backup-codes";
          const made = await identityRequest<{ backupCodes: string[] }>("POST", path, { password });
          if (made.ok) onDone(made.backupCodes);
          else if (made.code !== "INVALID_PASSWORD") onFailed();
          return made;
        }}
      />
    </>
  );
}

/** The password alone is not enough. */
function SwitchOffForm({ onDone, onFailed }: CodeFormProps) {
  const form = useFields({ password: passwordRule, code: filled("Code is required") });
  const submit = form.onSubmit(async ({ password, code }, { refuse }) => {
    const outcome = await identityRequest("POST", "/api/auth/two-factor/disable", { password, code });
    if (outcome.ok) return onDone();
    if (!refuse(toFormRefusal(outcome))) onFailed();
  });
  return (
    <form method="post" noValidate onSubmit={submit}>
      <h3>Switch off</h3>
      <p className="soft">
        Enter your password and a code from your app or a recovery code, for example to use another phone. If
        you do not know your password, choose {labels.login.forgotPassword} above: an email has a link that
        sets a new one and ends all sessions.
      </p>
      <FormError>{form.refusal}</FormError>
      <PasswordField label="Your password" {...form.field("password")} />
      <TextField label="Code or recovery code" autoComplete="one-time-code" {...form.field("code")} />
      <Button type="submit" busy={form.busy}>
        Switch off
      </Button>
    </form>
  );
}

interface CodeFormProps {
  onDone: () => void;
  /** without a response it may have taken effect, and the page leads to the login */
  onFailed: () => void;
}

function CodeForm({ onDone, onFailed }: CodeFormProps) {
  const form = useFields({ code: codeRule });
  const submit = form.onSubmit(async ({ code }, { empty }) => {
    // enables two-factor authentication, or confirms it for this session
    const outcome = await identityRequest("POST", "/api/auth/two-factor/verify-totp", {
      code: code.replace(/\s/g, ""),
    });
    if (!outcome.ok) {
      if (outcome.code !== "INVALID_CODE") onFailed();
      return form.setRefusal(outcome.message);
    }
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
