import { CallFrame } from "../../components/call-frame.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { useLoaded } from "../../data/use-loaded.ts";
import { callerIn, membersOf } from "../dashboard/require-session.ts";
import type { Route } from "./+types/account.ts";
import { ACTIVITY, ActivityPanel } from "./activity-panel.tsx";
import { LeavePanel } from "./delete-account-panel.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { GooglePanel } from "./google-panel.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { ConfirmPanel } from "./reauthenticate-panel.tsx";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

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
