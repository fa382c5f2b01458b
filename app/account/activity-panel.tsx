import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { useCall } from "../use-call.ts";
import { deviceNamed } from "./device-name.ts";

/** What happened to the account lately, so that its owner notices what they did not do. */
export function ActivityPanel() {
  const [cursor, setCursor] = useState<string>();
  const { data, failure } = useCall("listActivity", { query: { cursor } });
  return (
    <Panel title="Recent activity">
      <p className="soft">Kept for half a year. Change your password if something here was not you.</p>
      {failure && <p className="soft">{failure.detail}</p>}
      <ul className="rows">
        {data?.events.map((event) => (
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
      {(cursor || data?.next) && (
        <div className="acts acts--start">
          {cursor && (
            <Button size="sm" onClick={() => setCursor(undefined)}>
              Newest
            </Button>
          )}
          {data?.next && (
            <Button size="sm" onClick={() => setCursor(data.next)}>
              Older
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
