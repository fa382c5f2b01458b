import type { AccountSession } from "../../api/account-calls.ts";
import { call } from "../api-client.ts";
import { Button } from "../ui/button.tsx";
import { CallFrame } from "../ui/call-frame.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.ts";
<<<<<<< HEAD
import { useAnswer } from "../use-answer.ts";
import { deviceNamed } from "./device-name.ts";
=======
import { useCall } from "../use-call.ts";
>>>>>>> 0e5837e (Ask for what a page shows in one way: one hook for the call, one frame for its wait, failure and answer, one table for the lists)

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
<<<<<<< HEAD
      {list.phase === "failed" && <p className="soft">{list.failure?.detail}</p>}
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id} className="row">
            <div className="row__k">
              <b>{deviceNamed(session.browser)}</b>
              <span className="row__saved">
                {session.current ? "This browser" : session.address}, since <ExactMoment at={session.since} />
              </span>
            </div>
            <div className="row__f">
              {!session.current && (
                <Button
                  size="sm"
                  onClick={() => void end(session)}
                  aria-label={`Log out ${deviceNamed(session.browser)}`}
                >
                  Log out
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
=======
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

function Sessions({ sessions, onEnd }: SessionsProps) {
  return (
    <ul className="rows rows--acts">
      {sessions.map((session) => (
        <li key={session.id} className="row">
          <div className="row__k">
            <b>{nameOf(session.browser)}</b>
            <span className="row__saved">
              {session.current ? "This browser" : session.address}, since <Moment time at={session.since} />
            </span>
          </div>
          <div className="row__f">
            {!session.current && (
              <Button
                size="sm"
                onClick={() => onEnd(session)}
                aria-label={`Log out ${nameOf(session.browser)}`}
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

/** The browser and system that a user agent names, roughly. */
function nameOf(agent = ""): string {
  const browser = /Edg|Firefox|OPR|Chrome|Safari/.exec(agent)?.[0];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  const name = { Edg: "Edge", OPR: "Opera" }[browser ?? ""] ?? browser ?? "A program";
  return system ? `${name} on ${system === "Mac OS X" ? "macOS" : system}` : name;
}
>>>>>>> 0e5837e (Ask for what a page shows in one way: one hook for the call, one frame for its wait, failure and answer, one table for the lists)
