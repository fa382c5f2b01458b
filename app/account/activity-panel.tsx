import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { CallFrame } from "../ui/call-frame.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useCall } from "../use-call.ts";
import { deviceNamed } from "./device-name.ts";

/** What happened to the account lately, so that its owner notices what they did not do. */
export function ActivityPanel() {
  const [cursor, setCursor] = useState<string>();
  const list = useCall("listActivity", { query: { cursor } });
  const next = list.data?.next;
  return (
    <Panel title="Recent activity">
      <p className="soft">Kept for half a year. Change your password if something here was not you.</p>
      <CallFrame called={list} waiting={<Spinner label="Looking what happened lately" />}>
        {({ events }) => (
          <ul className="rows">
            {events.map((event) => (
              <li key={event._id} className="row">
                <div className="row__k">
                  <b>{event.detail ? `${event.what}, ${event.detail}` : event.what}</b>
                  <span className="row__saved">
                    <Moment time at={event.at} />
                    {event.by && `, by ${event.by.toLowerCase()}`}
                    {event.ip && `, ${deviceNamed(event.agent)} at ${event.ip}`}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </CallFrame>
      {(cursor || next) && (
        <div className="acts acts--start">
          {cursor && (
            <Button size="sm" onClick={() => setCursor(undefined)}>
              Newest
            </Button>
          )}
          {next && (
            <Button size="sm" onClick={() => setCursor(next)}>
              Older
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
