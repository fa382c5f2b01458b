import type { AccountSession } from "../../../api/account-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { formatDateTime } from "../../components/dates.ts";
import { Panel } from "../../components/panel.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { toast } from "../../components/toast.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { call } from "../../data/api-client.ts";
import { useTimeZone } from "../../data/time-zone.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { deviceName } from "./device-name.ts";

export function SessionsPanel({ outcome }: { outcome: Outcome<AccountSession[]> }) {
  const list = useLoaderResult(outcome);
  const zone = useTimeZone();
  const sessions = list.data ?? [];
  const heading = useFocusAfterRemoval(sessions.map(({ id }) => id).join());

  /** null: all other sessions */
  async function endSessions(session: AccountSession | null) {
    const response = session
      ? await call("endSession", { params: { id: session.id } })
      : await call("endOtherSessions", {});
    if (response.ok)
      toast.success(session ? "The session is signed out." : "Your other sessions are signed out.");
    else toast.error(response.detail);
    list.reload();
  }

  return (
    <Panel
      title="Active sessions"
      headingRef={heading}
      aside={
        sessions.length > 1 && (
          <ActionButton size="sm" onClick={() => endSessions(null)}>
            Sign out of other sessions
          </ActionButton>
        )
      }
    >
      <QueryBoundary loaded={list}>
        {() => (
          <ul className="rows rows--acts">
            {sessions.map((session) => (
              <li key={session.id} className="row">
                <div className="row__k">
                  <b>{deviceName(session.browser)}</b>
                  <span className="row__saved">
                    {placeOf(session)} <DateTime time at={session.since} />
                  </span>
                </div>
                <div className="row__f">
                  {!session.current && (
                    <ActionButton
                      size="sm"
                      onClick={() => endSessions(session)}
                      aria-label={`Sign out ${deviceName(session.browser)}, ${placeOf(session)} ${formatDateTime(new Date(session.since), zone)}`}
                    >
                      Sign out
                    </ActionButton>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** "This browser, since"; the IP address of the first admin's session is unknown. */
function placeOf({ current, address: ip }: AccountSession): string {
  const where = current ? "This browser" : ip;
  return where ? `${where}, since` : "Since";
}
