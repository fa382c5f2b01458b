import type { AccountSession } from "../../api/account-calls.ts";
import { call } from "../api-client.ts";
import { Button } from "../ui/button.tsx";
import { CallFrame } from "../ui/call-frame.tsx";
import { momentOf } from "../ui/dates.ts";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.ts";
import { useCall } from "../use-call.ts";
import { deviceNamed } from "./device-name.ts";

/** Where the person is logged in, and the way to end it. */
export function SessionsPanel() {
  const list = useCall("listSessions", {});
  const sessions = list.data ?? [];

  async function end(session: AccountSession | null) {
    const answer = session
      ? await call("endSession", { params: { id: session.id } })
      : await call("endOtherSessions", {});
    if (!answer.ok) toast.error(answer.detail);
    list.reload();
  }

  return (
    <Panel
      title="Where you are logged in"
      aside={
        sessions.length > 1 && (
          <Button size="sm" onClick={() => void end(null)}>
            Log out everywhere else
          </Button>
        )
      }
    >
      <CallFrame called={list} waiting={<Spinner label="Looking where you are logged in" />}>
        {(shown) => <Sessions sessions={shown} onEnd={(session) => void end(session)} />}
      </CallFrame>
    </Panel>
  );
}

interface SessionsProps {
  sessions: AccountSession[];
  onEnd: (session: AccountSession) => void;
}

/** "This browser, since"; the address of the first admin's session is not known. */
function whereOf({ current, address }: AccountSession): string {
  const where = current ? "This browser" : address;
  return where ? `${where}, since` : "Since";
}

function Sessions({ sessions, onEnd }: SessionsProps) {
  return (
    <ul className="rows rows--acts">
      {sessions.map((session) => (
        <li key={session.id} className="row">
          <div className="row__k">
            <b>{deviceNamed(session.browser)}</b>
            <span className="row__saved">
              {whereOf(session)} <Moment time at={session.since} />
            </span>
          </div>
          <div className="row__f">
            {!session.current && (
              <Button
                size="sm"
                onClick={() => onEnd(session)}
                aria-label={`Log out ${deviceNamed(session.browser)}, ${whereOf(session)} ${momentOf(new Date(session.since))}`}
              >
                Log out
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
