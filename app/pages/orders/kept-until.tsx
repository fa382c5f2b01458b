import { useCallback, useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Moment } from "../../components/date-time.tsx";
import { dayOf } from "../../components/dates.ts";
import { browserZone } from "../../data/time-zone.ts";
import type { loader } from "../../root.tsx";

/** "Kept until Nov 29, 2026" for an unpaid order; nothing where orders do not expire or it is paid. */
export function KeptUntil({ order }: { order: Pick<Purchase, "keptUntil"> }) {
  if (!order.keptUntil) return null;
  return (
    <span className="kept">
      Kept until <Moment at={order.keptUntil} />
    </span>
  );
}

const HOUR_MS = 3_600_000;

/** Until when an order placed now would be kept. The day depends on clock and zone, so only the browser prints it. */
export function KeptIfOrderedNow() {
  const hours = useRouteLoaderData<typeof loader>("root")?.config.unpaidHoldHours ?? 0;
  const today = useCallback(() => dayOf(new Date(Date.now() + hours * HOUR_MS), browserZone()), [hours]);
  const day = useSyncExternalStore(neverChanges, today, () => null);
  if (hours === 0) return null;
  return <p className="hint hint--middle kept-line">{day && `Kept until ${day} if ordered now.`}</p>;
}

function neverChanges() {
  return () => undefined;
}
