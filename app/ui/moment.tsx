const day = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "medium" });

/** An ISO instant as a local date, with the exact time on hover. For pages that only the browser renders. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {day.format(date)}
    </time>
  );
}
