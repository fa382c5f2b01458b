import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../dashboard/require-session.ts";
import type { Route } from "./+types/account.ts";
import { ACTIVITY_PARAM, ActivityPanel } from "./activity-panel.tsx";
import { DeleteAccountPanel } from "./delete-account-panel.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { GooglePanel } from "./google-panel.tsx";
import { KeyboardPanel } from "./keyboard-panel.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { ReauthenticatePanel } from "./reauthenticate-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TwoFactorPanel } from "./two-factor-panel.tsx";

export const meta = () => pageTitle("Account");

/** Sign-in methods, active sessions, and deleting the account. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const [account, passkeys, sessions, activity] = await Promise.all([
    caller.call("findAccount", {}),
    caller.call("listPasskeys", {}),
    caller.call("listSessions", {}),
    caller.call("listActivity", { query: { cursor: queryOf(url).get(ACTIVITY_PARAM) } }),
  ]);
  return { account, passkeys, sessions, activity };
}

export default function AccountPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.account);
  useFocusAfterRemoval(String(loaded.data?.fresh));
  return (
    <>
      <PageHead title="Account" fact="Login methods and sessions." />
      <QueryBoundary loaded={loaded} failed="Your account could not be loaded.">
        {(account) => (
          <div className="account">
            {!account.fresh && (account.hasPassword || account.passkeys) && (
              <ReauthenticatePanel account={account} onChange={loaded.reload} />
            )}
            <div className="account__col">
              {account.hasPassword && <PasswordPanel email={account.email} onChange={loaded.reload} />}
              <EmailPanel account={account} onRefused={loaded.reload} />
              <TwoFactorPanel account={account} onChange={loaded.reload} />
              <PasskeysPanel outcome={loaderData.passkeys} onChange={loaded.reload} />
            </div>
            <div className="account__col">
              <GooglePanel account={account} onRefused={loaded.reload} />
              <SessionsPanel outcome={loaderData.sessions} />
              <ActivityPanel outcome={loaderData.activity} />
              <KeyboardPanel />
              <DeleteAccountPanel account={account} onRefused={loaded.reload} />
            </div>
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
