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
import { PageHead } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { useAnswer } from "../../use-answer.ts";

export const meta = () => pageTitle("Account");

/** How one logs in, where one is logged in, and the way out. */
export default function AccountPage() {
  const { data: account, phase, failure, ask } = useAnswer("findAccount", {});
  const again = () => void ask();
  return (
    <>
      <PageHead title="Account" fact="How you log in, and where." />
      {phase === "loading" && <Spinner label="Loading your account" />}
      {phase === "failed" && (
        <ErrorState onRetry={ask}>Your account could not be loaded. {failure?.detail}</ErrorState>
      )}
      {account && (
        <div className="account">
          {!account.fresh && (account.hasPassword || account.passkeys) && (
            <ConfirmPanel account={account} onChange={again} />
          )}
          {account.hasPassword && <PasswordPanel onChange={again} />}
          <EmailPanel account={account} />
          <SecondFactorPanel account={account} onChange={again} />
          <PasskeysPanel onChange={again} />
          <GooglePanel account={account} />
          <SessionsPanel />
          <ActivityPanel />
          <LeavePanel account={account} />
        </div>
      )}
    </>
  );
}
