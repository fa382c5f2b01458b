import { useState } from "react";
import { useNavigate } from "react-router";
import type { Account } from "../../../api/account-calls.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { downloadFile } from "../../components/download-file.ts";
import { FormError } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { call, mayHaveTakenEffect } from "../../data/api-client.ts";
import { forgetAccount } from "../../data/forget-account.ts";
import { endSession } from "../../data/identity-request.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";

export function DeleteAccountPanel({ account, onRefused }: { account: Account; onRefused: () => void }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const navigate = useNavigate();
  const leaveAfterExpiry = useSessionExpired();

  async function download() {
    setRefusal(null);
    const outcome = await call("downloadData", {});
    if (!outcome.ok) return setRefusal(outcome.detail);
    const text = JSON.stringify(outcome.data, null, 2);
    downloadFile("stator-my-data.json", new Blob([text], { type: "application/json" }));
  }

  async function remove() {
    setRefusal(null);
    const outcome = await call("deleteAccount", { params: { email: account.email } });
    // the account may be deleted; if it is not, the cart is loaded from it again
    if (!outcome.ok && (outcome.status === 401 || mayHaveTakenEffect(outcome))) forgetAccount(account.email);
    if (!outcome.ok && outcome.status === 401) return leaveAfterExpiry();
    // it asks to confirm the identity first
    if (!outcome.ok && outcome.status === 403) onRefused();
    if (!outcome.ok) return setRefusal(outcome.detail);
    await navigate("/");
    await endSession();
    forgetAccount(account.email);
    toast.success("Your account is deleted.");
  }

  return (
    <Panel title="Your data">
      <FormError>{refusal}</FormError>
      <p className="soft">
        Download the data we store about you, or delete your account. Unpaid orders are cancelled; the others
        are kept without your name.
      </p>
      <div className="acts acts--start">
        <Button onClick={download}>Download my data</Button>
        <Button look="danger" onClick={() => setIsConfirming(true)}>
          Delete my account
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={`Delete the account of ${account.email}?`}
        keep="Keep account"
        confirm="Delete my account"
        onConfirm={remove}
      >
        You can no longer log in, and unpaid orders are cancelled. This cannot be undone.
      </ConfirmDialog>
    </Panel>
  );
}
