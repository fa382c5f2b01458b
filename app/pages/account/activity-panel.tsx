import type { Output } from "../../../api/contract.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Panel } from "../../components/panel.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { useListParams } from "../../data/use-list-params.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { deviceName } from "./device-name.ts";

export const ACTIVITY_PARAM = "activity";

/** Recent security events, so that the owner notices unauthorized ones. */
export function ActivityPanel({ outcome }: { outcome: Outcome<Output<"listActivity">> }) {
  const params = useListParams();
  const cursor = params.get(ACTIVITY_PARAM);
  const list = useLoaderResult(outcome);
  const next = list.data?.next;
  const heading = useFocusAfterRemoval(`${cursor} ${next}`);
  return (
    <Panel title="Recent activity" headingRef={heading}>
      <p className="soft">
        Kept for six months. Change your password if you do not recognize something here.
      </p>
      <QueryBoundary loaded={list}>
        {({ events }) => (
          <ul className="rows">
            {events.map((event) => (
              <li key={event._id} className="row">
                <div className="row__k">
                  <b>{event.detail ? `${event.what}, ${event.detail}` : event.what}</b>
                  <span className="row__saved">
                    <DateTime time at={event.at} />
                    {event.by && `, by ${event.by.toLowerCase()}`}
                    {event.ip && `, ${deviceName(event.agent)} at ${event.ip}`}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
      {(cursor || next) && (
        <div className="acts acts--start">
          {cursor && (
            <Button size="sm" onClick={() => params.set({ [ACTIVITY_PARAM]: undefined }, { replace: true })}>
              Newest
            </Button>
          )}
          {next && (
            <Button size="sm" onClick={() => params.set({ [ACTIVITY_PARAM]: next }, { replace: true })}>
              Older
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
