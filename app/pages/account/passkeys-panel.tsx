import { useState } from "react";
import type { AccountPasskey } from "../../../api/account-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { toast } from "../../components/toast.ts";
import { type Rule, useFields } from "../../components/use-fields.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import type { IdentityResponse } from "../../data/identity-request.ts";
import { withPasskeys } from "../../data/load-passkeys.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";

const nameRule: Rule = (name) => {
  if (!name.trim()) return "Give it a name, such as the device it is on";
  return name.trim().length > 60 ? "Use at most 60 characters" : undefined;
};

interface PasskeysPanelProps {
  outcome: Outcome<AccountPasskey[]>;
  onChange: () => void;
}

/** Adds, lists and removes passkeys. The browser functions are loaded on demand. */
export function PasskeysPanel({ outcome, onChange }: PasskeysPanelProps) {
  const list = useLoaderResult(outcome);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [removing, setRemoving] = useState<AccountPasskey | null>(null);
  const [attempt, setAttempt] = useState(0);
  const heading = useFocusAfterRemoval(`${renaming} ${list.data?.map(({ id }) => id)}`);

  async function changePasskeys(
    change: (keys: typeof import("../../data/passkeys.ts")) => Promise<IdentityResponse>,
    message: string,
    closeForm?: () => void,
  ) {
    setRefusal(null);
    const response = await withPasskeys(change);
    if (!response.ok) {
      // it may ask to confirm the identity first
      onChange();
      return setRefusal(response.message);
    }
    toast.success(message);
    closeForm?.();
    onChange();
  }

  return (
    <Panel title="Passkeys" headingRef={heading}>
      <p className="soft">
        Log in with your fingerprint, your face or your device's PIN instead of a password. A passkey counts
        as two-factor authentication.
      </p>
      <FormError>{refusal}</FormError>
      <QueryBoundary loaded={list} failed="Your passkeys could not be loaded.">
        {(passkeys) =>
          passkeys.length > 0 && (
            <ul className="rows">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="row">
                  <div className="row__k">
                    <b>{passkey.name}</b>
                    <span className="row__saved">
                      Added <DateTime time at={passkey.since} />
                      {passkey.lastUsed && (
                        <>
                          , last used <DateTime time at={passkey.lastUsed} />
                        </>
                      )}
                    </span>
                  </div>
                  {renaming === passkey.id ? (
                    <NameForm
                      label="New name"
                      submit="Save name"
                      currentName={passkey.name}
                      onCancel={() => setRenaming(null)}
                      onSubmit={(name) =>
                        changePasskeys(
                          (keys) => keys.renamePasskey(passkey.id, name),
                          "The name is saved.",
                          () => setRenaming(null),
                        )
                      }
                    />
                  ) : (
                    <div className="acts acts--start">
                      <Button
                        size="sm"
                        onClick={() => setRenaming(passkey.id)}
                        aria-label={`Rename ${passkey.name}`}
                      >
                        Rename
                      </Button>
                      <Button
                        size="sm"
                        look="danger"
                        onClick={() => setRemoving(passkey)}
                        aria-label={`Remove ${passkey.name}`}
                      >
                        Remove
                      </Button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <NameForm
        key={attempt}
        label="Name of a new passkey"
        submit="Add a passkey"
        onSubmit={(name) =>
          changePasskeys(
            (keys) => keys.addPasskey(name),
            "The passkey is added.",
            () => setAttempt((before) => before + 1),
          )
        }
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove the passkey ${removing?.name ?? ""}?`}
        keep="Keep passkey"
        confirm="Remove passkey"
        onConfirm={() =>
          removing
            ? changePasskeys((keys) => keys.removePasskey(removing.id), "The passkey is removed.")
            : undefined
        }
      >
        It no longer logs you in. Your device may still offer it until you remove it there too.
      </ConfirmDialog>
    </Panel>
  );
}

interface NameFormProps {
  label: string;
  submit: string;
  onSubmit: (name: string) => Promise<void>;
  /** the name to change */
  currentName?: string;
  onCancel?: () => void;
}

function NameForm({ label, submit, onSubmit, currentName, onCancel }: NameFormProps) {
  const form = useFields({ name: nameRule });
  return (
    <form method="post" noValidate onSubmit={form.onSubmit(({ name }) => onSubmit(name.trim()))}>
      <TextField
        label={label}
        autoComplete="off"
        defaultValue={currentName}
        autoFocus={currentName !== undefined}
        {...form.field("name")}
      />
      <div className="acts acts--start">
        <Button type="submit" busy={form.busy}>
          {submit}
        </Button>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
