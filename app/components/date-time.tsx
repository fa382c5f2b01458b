import { useZone } from "../data/time-zone.ts";
import { dayOf, exactMomentOf, momentOf } from "./dates.ts";

/** An ISO instant as a local date, or date and time, with the exact time on hover. */
export function Moment({ at, time = false }: { at: string; time?: boolean }) {
  const zone = useZone();
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactMomentOf(date, zone)}>
      {time ? momentOf(date, zone) : dayOf(date, zone)}
    </time>
  );
}
