import { ActivityPanel } from "../../account/activity-panel.tsx";
import { ConfirmPanel } from "../../account/confirm-panel.tsx";
import { EmailPanel } from "../../account/email-panel.tsx";
import { GooglePanel } from "../../account/google-panel.tsx";
import { LeavePanel } from "../../account/leave-panel.tsx";
import { PasskeysPanel } from "../../account/passkeys-panel.tsx";
import { PasswordPanel } from "../../account/password-panel.tsx";
import { SecondFactorPanel } from "../../account/second-factor-panel.tsx";
import { SessionsPanel } from "../../account/sessions-panel.tsx";
import { pageTitle } from "../../page-title.ts";
import { CallFrame } from "../../ui/call-frame.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useCall } from "../../use-call.ts";

export const meta = () => pageTitle("Account");

/** How one logs in, where one is logged in, and the way out. */
export default function AccountPage() {
  const called = useCall("findAccount", {});
  return (
    <>
      <PageHead title="Account" fact="How you log in, and where." />
      <CallFrame
        called={called}
        waiting={<Spinner label="Loading your account" />}
        failed="Your account could not be loaded."
      >
        {(account) => (
          <div className="account">
            {!account.fresh && (account.hasPassword || account.passkeys) && (
              <ConfirmPanel account={account} onChange={called.reload} />
            )}
            <div className="account__col">
              {account.hasPassword && <PasswordPanel onChange={called.reload} />}
              <EmailPanel account={account} />
              <SecondFactorPanel account={account} onChange={called.reload} />
              <PasskeysPanel onChange={called.reload} />
            </div>
            <div className="account__col">
              <GooglePanel account={account} />
              <SessionsPanel />
              <ActivityPanel />
              <LeavePanel account={account} />
            </div>
          </div>
        )}
      </CallFrame>
    </>
  );
}
