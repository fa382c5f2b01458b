import { ACTIVITY, ActivityPanel } from "../../account/activity-panel.tsx";
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
import { useLoaded } from "../../use-loaded.ts";
import type { Route } from "./+types/account";
import { callerIn, membersOf } from "./caller.ts";

export const meta = () => pageTitle("Account");

/** How one logs in, where one is logged in, and the way out. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { ask } = callerIn(context);
  const [account, passkeys, sessions, activity] = await Promise.all([
    ask("findAccount", {}),
    ask("listPasskeys", {}),
    ask("listSessions", {}),
    ask("listActivity", { query: { cursor: membersOf(url).get(ACTIVITY) } }),
  ]);
  return { account, passkeys, sessions, activity };
}

export default function AccountPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaded(loaderData.account);
  return (
    <>
      <PageHead title="Account" fact="How you log in, and where." />
      <CallFrame loaded={loaded} failed="Your account could not be loaded.">
        {(account) => (
          <div className="account">
            {!account.fresh && (account.hasPassword || account.passkeys) && (
              <ConfirmPanel account={account} onChange={loaded.reload} />
            )}
            <div className="account__col">
              {account.hasPassword && <PasswordPanel onChange={loaded.reload} />}
              <EmailPanel account={account} />
              <SecondFactorPanel account={account} onChange={loaded.reload} />
              <PasskeysPanel outcome={loaderData.passkeys} onChange={loaded.reload} />
            </div>
            <div className="account__col">
              <GooglePanel account={account} />
              <SessionsPanel outcome={loaderData.sessions} />
              <ActivityPanel outcome={loaderData.activity} />
              <LeavePanel account={account} />
            </div>
          </div>
        )}
      </CallFrame>
    </>
  );
}
