import { useTimeZone } from "../data/time-zone.ts";
import { formatDateTime, formatDay, formatExactDateTime } from "./dates.ts";

/** A local date, or date and time, with the exact time on hover. */
export function DateTime({ at, time = false }: { at: string; time?: boolean }) {
  const zone = useTimeZone();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExactDateTime(date, zone)}>
      {time ? formatDateTime(date, zone) : formatDay(date, zone)}
    </time>
  );
}
