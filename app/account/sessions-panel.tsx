import type { AccountSession } from "../../api/account-calls.ts";
import { call } from "../api-client.ts";
import { Button } from "../ui/button.tsx";
import { ExactMoment } from "../ui/exact-moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { toast } from "../ui/toast.ts";
import { useAnswer } from "../use-answer.ts";
import { deviceNamed } from "./device-name.ts";

/** Where the person is logged in, and the way to end it. */
export function SessionsPanel() {
  const list = useAnswer("listSessions", {});
  const sessions = list.data ?? [];

  async function end(session: AccountSession | null) {
    const answer = session
      ? await call("endSession", { params: { id: session.id } })
      : await call("endOtherSessions", {});
    if (!answer.ok) toast.error(answer.detail);
    await list.ask();
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
