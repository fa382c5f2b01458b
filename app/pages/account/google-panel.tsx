import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Account } from "../../../api/account-calls.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { FormError } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { goToGoogle } from "../../data/session-api.ts";
import { returnErrorMessage } from "../auth/return-errors.ts";

/** Links the signed-in account to the Google account with the same email. */
export function GooglePanel({ account, onRefused }: { account: Account; onRefused: () => void }) {
  const [search] = useSearchParams();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function connect() {
    setRefusal(null);
    const outcome = await goToGoogle("link-social", "/dashboard/account");
    if (outcome.ok) return;
    // it may ask to confirm the identity first
    onRefused();
    setRefusal(outcome.message);
  }

  return (
    <Panel title="Google">
      <FormError>{refusal ?? returnErrorMessage(search.get("error"))}</FormError>
      {account.google ? (
        <p className="soft">You can log in with the Google account of {account.email}.</p>
      ) : (
        <>
          <p className="soft">Log in with the Google account of {account.email} as well.</p>
          <div>
            <ActionButton onClick={connect}>Connect Google</ActionButton>
          </div>
        </>
      )}
    </Panel>
  );
}
