import { dayOf, exactMomentOf, momentOf } from "./dates.ts";

/** An ISO instant as a local date, or date and time, with the exact time on hover. For pages that only the browser renders. */
export function Moment({ at, time = false }: { at: string; time?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactMomentOf(date)}>
      {time ? momentOf(date) : dayOf(date)}
    </time>
  );
}
