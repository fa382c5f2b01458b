const form = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short" });
const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long" });

/** An ISO instant as local date and time, with seconds and zone on hover. For pages that only the browser renders. */
export function ExactMoment({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {form.format(date)}
    </time>
  );
}
