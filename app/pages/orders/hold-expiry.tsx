import { useRouteLoaderData } from "react-router";
import { DateTime } from "../../components/date-time.tsx";
import { formatDay } from "../../components/dates.ts";
import { browserTimeZone } from "../../data/time-zone.ts";
import { useBrowserValue } from "../../data/use-browser-value.ts";
import type { loader } from "../../root.tsx";

/** "Reserved until Nov 29, 2026" for an unpaid order; nothing if orders do not expire or it is paid. */
export function HoldExpiry({ keptUntil }: { keptUntil: string | undefined }) {
  if (!keptUntil) return null;
  return (
    <span className="kept">
      Reserved until <DateTime at={keptUntil} />
    </span>
  );
}

const HOUR_MS = 3_600_000;

/** When an order placed now would expire. The day depends on clock and zone, so only the browser renders it. */
export function HoldNotice() {
  const hours = useRouteLoaderData<typeof loader>("root")?.config.unpaidHoldHours ?? 0;
  const day = useBrowserValue(
    () => formatDay(new Date(Date.now() + hours * HOUR_MS), browserTimeZone()),
    null,
  );
  if (hours === 0) return null;
  return <p className="hint hint--middle kept-line">{day && `Reserved until ${day} if ordered now.`}</p>;
}
